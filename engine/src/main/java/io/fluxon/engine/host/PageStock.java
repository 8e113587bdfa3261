package io.fluxon.engine.host;

import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.memory.HugeMemory;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Keeps some huge pages ready that the kernel has cleared already, so that no duty cycle of the one who takes them has
 * to wait for it. Keeps none before the first one was asked for. {@link #take} is for one thread, the duty cycle for
 * another.
 */
final class PageStock implements PageSource, Agent
{
    /** Pages that are kept ready. */
    static final int CAPACITY = 8;

    private final OneToOneConcurrentArrayQueue<Long> pages = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private volatile boolean isWanted;

    /** {@inheritDoc} */
    @Override
    public long take()
    {
        final Long page = pages.poll();
        if (null != page)
        {
            return page;
        }
        isWanted = true;

        return HugeMemory.INSTANCE.take();
    }

    /** {@inheritDoc} */
    @Override
    public void giveBack(final long address)
    {
        HugeMemory.INSTANCE.giveBack(address);
    }

    /** {@inheritDoc} */
    @Override
    public int doWork()
    {
        if (!isWanted || CAPACITY == pages.size())
        {
            return 0;
        }

        final long page = HugeMemory.INSTANCE.take();
        UnsafeApi.setMemory(page, PAGE_LENGTH, (byte)0);
        pages.offer(page);

        return 1;
    }

    /** Pages that are ready. */
    int size()
    {
        return pages.size();
    }

    /** {@inheritDoc} */
    @Override
    public void onClose()
    {
        isWanted = false;
        for (Long page = pages.poll(); null != page; page = pages.poll())
        {
            HugeMemory.INSTANCE.giveBack(page);
        }
    }

    /** {@inheritDoc} */
    @Override
    public String roleName()
    {
        return "pages";
    }
}
