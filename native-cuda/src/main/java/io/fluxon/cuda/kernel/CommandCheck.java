package io.fluxon.cuda.kernel;

import io.fluxon.ipc.plan.PlanBlob;

/**
 * Finds what is wrong with a command before the first byte is written: a plan that is none or does not end within the
 * plan arena, values without an address, tables with holes, indices that name no page. Arrays that only the device can
 * read are the device's to check: its kernel refuses the same, and writes nothing either. Addresses themselves are the
 * caller's word. Belongs to one thread; allocates nothing unless it refuses.
 */
public final class CommandCheck
{
    private final PlanBlob blob = new PlanBlob();
    private final long arenaAddress;
    private final long arenaLength;

    /**
     * A check for the plans of a plan arena.
     *
     * @param arenaAddress first byte of the memory that plan blobs lie in.
     * @param arenaLength  its length in bytes.
     */
    public CommandCheck(final long arenaAddress, final long arenaLength)
    {
        if (0 == arenaAddress || arenaLength < PlanBlob.VALUES_OFFSET)
        {
            throw new IllegalArgumentException(
                "no plan arena at address " + arenaAddress + " of " + arenaLength + " bytes");
        }
        this.arenaAddress = arenaAddress;
        this.arenaLength = arenaLength;
    }

    /**
     * Checks a command.
     *
     * @param command to check.
     * @throws IllegalArgumentException that names what is wrong.
     */
    public void check(final CopyCommand command)
    {
        if (command.pageCount() < 0 || command.sectionCount() < 0 ||
            command.sectionCount() > CopyCommand.MAX_SECTIONS)
        {
            throw new IllegalArgumentException("command of " + command.pageCount() + " pages and " +
                command.sectionCount() + " sections, allowed: 0 or more, 0 to " + CopyCommand.MAX_SECTIONS);
        }
        for (int i = 0; i < command.sectionCount(); i++)
        {
            checkSection(command, i);
        }
        checkLengths(command);
        checkSide(command, Side.SOURCE);
        checkSide(command, Side.TARGET);
    }

    private static void checkSection(final CopyCommand command, final int section)
    {
        if (command.sectionLayers(section) < 0 || command.outerRows(section) < 0 || command.innerRows(section) < 0 ||
            command.firstFragment(section) < 0 || command.rowBytes(section) < 0)
        {
            throw new IllegalArgumentException("section " + section + ": " + command.sectionLayers(section) +
                " layers from " + command.firstFragment(section) + ", rows " + command.outerRows(section) + " x " +
                command.innerRows(section) + " of " + command.rowBytes(section) + " bytes, allowed: 0 or more");
        }
    }

    private static void checkLengths(final CopyCommand command)
    {
        if (0 == command.lengths())
        {
            return;
        }
        final long longest = 0 == command.sectionCount() ? 0 : command.rowBytes(0);
        for (int i = 0; i < command.pageCount(); i++)
        {
            final long length = HostKernel.getLong(command.lengths() + (long)i * Long.BYTES);
            if (length < 1 || length > longest)
            {
                throw new IllegalArgumentException(
                    "lengths[" + i + "] is " + length + ", allowed: 1 to " + longest);
            }
        }
    }

    private void checkSide(final CopyCommand command, final Side side)
    {
        if (0 != command.plan(side))
        {
            checkPlan(command, side);
        }
        else
        {
            checkIndices(command, side);
        }
        if (0 == command.layers(side) || !command.isReadable(side))
        {
            return;
        }
        for (int section = 0; section < command.sectionCount(); section++)
        {
            final int first = command.firstFragment(section);
            for (int i = first; i < first + command.sectionLayers(section); i++)
            {
                if (0 == HostKernel.getLong(command.layers(side) + (long)i * Long.BYTES))
                {
                    throw new IllegalArgumentException(side + ": layers[" + i + "] is null");
                }
            }
        }
    }

    private void checkPlan(final CopyCommand command, final Side side)
    {
        final long offset = command.plan(side) - arenaAddress;
        if (offset < 0 || offset >= arenaLength)
        {
            throw new IllegalArgumentException("plan at address " + command.plan(side) + " is outside the plan arena");
        }
        blob.wrap(command.plan(side), arenaLength - offset);
        if (blob.count() != command.planCount(side))
        {
            throw new IllegalArgumentException(
                "the plan has " + blob.count() + " values, the call names " + command.planCount(side));
        }
        final long first = command.first(side);
        if (first < 0 || first > blob.count() - command.pageCount())
        {
            throw new IllegalArgumentException("values " + first + " to " + (first + command.pageCount()) +
                " of a plan of " + blob.count());
        }
        for (int i = 0; i < command.pageCount(); i++)
        {
            if (0 == blob.valuePtr((int)first + i))
            {
                throw new IllegalArgumentException("value " + (first + i) + " of the plan has no address");
            }
        }
    }

    private static void checkIndices(final CopyCommand command, final Side side)
    {
        final int bytes = command.indexBytes(side);
        if (command.indexTokens(side) < 1 || bytes != Integer.BYTES && bytes != Long.BYTES)
        {
            throw new IllegalArgumentException(side + ": indices of " + bytes + " bytes and " +
                command.indexTokens(side) + " tokens a page, allowed: 4 or 8, 1 or more");
        }
        if (0 != command.indices(side) && !command.isReadable(side))
        {
            return;
        }
        final long limit = indexLimit(command, side);
        for (int i = 0; i < command.pageCount(); i++)
        {
            final long index = HostKernel.index(command, side, i);
            if (0 == index && 0 != command.lengths())
            {
                throw new IllegalArgumentException(side + ": address " + i + " is null");
            }
            if (index < 0 || index > limit)
            {
                throw new IllegalArgumentException(
                    side + ": index " + i + " is " + index + ", allowed: 0 to " + limit);
            }
        }
    }

    /** The last index of which no byte lies beyond the last address. */
    private static long indexLimit(final CopyCommand command, final Side side)
    {
        long limit = Long.MAX_VALUE;
        for (int section = 0; section < command.sectionCount(); section++)
        {
            final long page = command.stride(section, side, Stride.PAGE);
            if (page > 0)
            {
                limit = Math.min(limit, Long.MAX_VALUE / page - 1);
            }
        }
        return limit;
    }

    /** Address of the value of a page. */
    static long valuePtr(final CopyCommand command, final Side side, final int page)
    {
        return HostKernel.getLong(
            command.plan(side) + PlanBlob.VALUES_OFFSET + (command.first(side) + page) * Long.BYTES);
    }
}
