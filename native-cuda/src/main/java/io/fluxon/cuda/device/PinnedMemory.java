package io.fluxon.cuda.device;

import io.fluxon.cuda.driver.PinnedRegion;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.HostKernel;
import io.fluxon.cuda.kernel.RowConsumer;
import io.fluxon.cuda.kernel.Side;

import java.util.ArrayList;
import java.util.List;

/**
 * Host memory that copies may touch (contract REG-1): an address outside of what is registered is refused, and never
 * reaches the device.
 */
public final class PinnedMemory
{
    private final List<PinnedRegion> regions = new ArrayList<>();
    private final HostKernel rows = new HostKernel();
    private final RowConsumer spans = (source, target, length) -> checkSpan(source, length);
    private PinnedRegion latest;

    /**
     * Adds a region.
     *
     * @param region that stays registered as long as this is used.
     */
    public void add(final PinnedRegion region)
    {
        regions.add(region);
        latest = region;
    }

    /**
     * Checks that all rows of a side lie in registered memory.
     *
     * @param command to check, its side's arrays readable.
     * @param side    that lies in host memory.
     * @throws IllegalArgumentException when a row does not.
     */
    void check(final CopyCommand command, final Side side)
    {
        if (command.isDense(side))
        {
            for (int page = 0; page < command.pageCount(); page++)
            {
                for (int section = 0; section < command.sectionCount(); section++)
                {
                    checkSpan(command.address(side, page, section), command.sectionBytes(section));
                }
            }
            return;
        }
        rows.forEachRow(command, side, spans);
    }

    /**
     * May one copy move a span of host memory?
     *
     * @param address of its first byte.
     * @param bytes   of it, 1 or more.
     * @return true if one registration holds it.
     */
    boolean isTogether(final long address, final long bytes)
    {
        return find(address, bytes) && latest.isTogether(address, bytes);
    }

    private void checkSpan(final long address, final long bytes)
    {
        if (!find(address, bytes))
        {
            throw new IllegalArgumentException(bytes + " bytes at host address " + address +
                " are not registered with CUDA");
        }
    }

    private boolean find(final long address, final long bytes)
    {
        if (null != latest && latest.contains(address, bytes))
        {
            return true;
        }
        for (int i = 0; i < regions.size(); i++)
        {
            if (regions.get(i).contains(address, bytes))
            {
                latest = regions.get(i);
                return true;
            }
        }
        return false;
    }
}
