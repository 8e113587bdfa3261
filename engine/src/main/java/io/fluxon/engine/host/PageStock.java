package io.fluxon.engine.host;

import io.fluxon.engine.boundary.PageSource;
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

    private final PageSource source;
    private final OneToOneConcurrentArrayQueue<Long> pages = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private volatile boolean isWanted;

    /**
     * An empty stock.
     *
     * @param source that pages are taken from, by both threads.
     */
    PageStock(final PageSource source)
    {
        this.source = source;
    }

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

        return source.take();
    }

    /** {@inheritDoc} */
    @Override
    public void giveBack(final long address)
    {
        source.giveBack(address);
    }

    /** {@inheritDoc} */
    @Override
    public int doWork()
    {
        if (!isWanted || CAPACITY == pages.size())
        {
            return 0;
        }

        final long page = source.take();
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
            source.giveBack(page);
        }
    }

    /** {@inheritDoc} */
    @Override
    public String roleName()
    {
        return "pages";
    }
}
