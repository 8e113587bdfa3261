package io.fluxon.cuda.kernel;

import static io.fluxon.cuda.kernel.Side.SOURCE;
import static io.fluxon.cuda.kernel.Side.TARGET;

/**
 * Writes commands: first {@link #begin}, then one call for each side, then {@link #end}. Belongs to one thread;
 * allocates nothing.
 */
public final class CommandWriter
{
    private CopyCommand command;
    private Geometry geometry;

    /**
     * Begins a command.
     *
     * @param command   to write, its memory wrapped.
     * @param geometry  of a page.
     * @param pageCount 0 or more.
     * @return this.
     */
    public CommandWriter begin(final CopyCommand command, final Geometry geometry, final int pageCount)
    {
        this.command = command.clear().counts(pageCount, geometry.parts().size());
        this.geometry = geometry;
        int fragment = 0;
        for (int i = 0; i < geometry.parts().size(); i++)
        {
            final Geometry.Part part = geometry.parts().get(i);
            command.sectionLayers(i, fragment, part.layers());
            command.rows(i, part.tokens(), part.heads(), part.headBytes());
            fragment += part.layers();
        }
        return this;
    }

    /**
     * A side that is the values of a plan (contract PLAN-1).
     *
     * @param side    of the copy.
     * @param address of the plan blob.
     * @param count   values that the plan has.
     * @param first   value that belongs to page 0.
     * @return this.
     */
    public CommandWriter plan(final Side side, final long address, final long count, final long first)
    {
        if (0 == address)
        {
            throw new IllegalArgumentException(side + ": plan is null");
        }
        command.plan(side, address, count).first(side, first);
        values(side);
        return this;
    }

    /**
     * A side that is values one after the other.
     *
     * @param side    of the copy.
     * @param address of the first value.
     * @return this.
     */
    public CommandWriter values(final Side side, final long address)
    {
        command.base(side, address);
        values(side);
        return this;
    }

    /**
     * A side that is one pool a layer, as on the device: page p of a fragment lies at the pool's address plus p times
     * the fragment's bytes.
     *
     * @param side  of the copy.
     * @param table address of the pools' addresses, all layers of the first part, then of the second.
     * @return this.
     */
    public CommandWriter pools(final Side side, final long table)
    {
        if (0 == table)
        {
            throw new IllegalArgumentException(side + ": layers is null");
        }
        command.layers(side, table);
        for (int i = 0; i < geometry.parts().size(); i++)
        {
            final Geometry.Part part = geometry.parts().get(i);
            strides(i, side, part.fragmentBytes(), part.itemBytes(), 0, 0, part.itemBytes(), part.headBytes());
        }
        return this;
    }

    /**
     * A side that is a host pool of SGLang.
     *
     * @param side      of the copy.
     * @param layout    of the pool.
     * @param poolPages pages that the pool has; only {@link HostPoolLayout#LAYER_FIRST} asks.
     * @param bases     address of each part.
     * @return this.
     */
    public CommandWriter hostPool(
        final Side side, final HostPoolLayout layout, final long poolPages, final long... bases)
    {
        for (int i = 0; i < geometry.parts().size(); i++)
        {
            if (0 == bases[i])
            {
                throw new IllegalArgumentException(side + ": bases[" + i + "] is null");
            }
            final Geometry.Part part = geometry.parts().get(i);
            final long head = part.headBytes();
            final long item = part.itemBytes();
            final long page = part.bytes();
            switch (layout)
            {
                case LAYER_FIRST -> strides(
                    i, side, part.fragmentBytes(), item, bases[i], poolPages * part.fragmentBytes(), item, head);
                case PAGE_FIRST -> strides(
                    i, side, page, part.layers() * item, bases[i], item, part.layers() * item, head);
                case PAGE_FIRST_DIRECT -> strides(
                    i, side, page, item, bases[i], part.fragmentBytes(), item, head);
                case PAGE_HEAD -> strides(
                    i, side, page, part.layers() * head, bases[i], head, part.layers() * head, page / part.heads());
            }
        }
        return this;
    }

    /**
     * Which pages a side means, in any order. Without this call page i is the side's page i.
     *
     * @param side    of the copy.
     * @param address of the indices, one a page of the command.
     * @param bytes   of an index, 4 or 8.
     * @return this.
     */
    public CommandWriter pageIndices(final Side side, final long address, final int bytes)
    {
        return indices(side, address, bytes, 1);
    }

    /**
     * Which tokens a side means, for a command whose pages are single tokens of a pool of longer pages.
     *
     * @param side       of the copy.
     * @param address    of the indices, one a page of the command.
     * @param bytes      of an index, 4 or 8.
     * @param pageTokens tokens of a page of the pool.
     * @return this.
     */
    public CommandWriter tokenIndices(final Side side, final long address, final int bytes, final int pageTokens)
    {
        if (pageTokens < 1)
        {
            throw new IllegalArgumentException("pageTokens is " + pageTokens + ", allowed: 1 or more");
        }
        for (int i = 0; i < geometry.parts().size(); i++)
        {
            if (pageTokens != geometry.parts().get(i).tokens())
            {
                throw new IllegalArgumentException("pageTokens is " + pageTokens + ", but part " + i + " has " +
                    geometry.parts().get(i).tokens() + " tokens");
            }
            command.rows(i, 1, command.innerRows(i), command.rowBytes(i));
        }
        return indices(side, address, bytes, pageTokens);
    }

    /**
     * Says that only the device can read a side's indices and layers.
     *
     * @param side of the copy.
     * @return this.
     */
    public CommandWriter arraysOnDevice(final Side side)
    {
        command.flags(command.flags() |
            (SOURCE == side ? CopyCommand.SOURCE_ARRAYS_ON_DEVICE : CopyCommand.TARGET_ARRAYS_ON_DEVICE));
        return this;
    }

    /**
     * Ends the command: rows that lie one after the other on both sides become one.
     */
    public void end()
    {
        for (int i = 0; i < command.sectionCount(); i++)
        {
            if (isDense(i, Stride.INNER, command.rowBytes(i)))
            {
                command.rows(i, command.outerRows(i), 1, command.innerRows(i) * command.rowBytes(i));
            }
            if (1 == command.innerRows(i) && isDense(i, Stride.OUTER, command.rowBytes(i)))
            {
                command.rows(i, 1, 1, command.outerRows(i) * command.rowBytes(i));
            }
        }
    }

    /**
     * Writes a command that copies between pairs of addresses.
     *
     * @param command to write, its memory wrapped.
     * @param count   of pairs.
     * @param sources address of the addresses to read at.
     * @param targets address of the addresses to write at.
     * @param lengths address of the numbers of bytes, 1 or more each.
     * @param longest of the lengths.
     */
    public void raw(
        final CopyCommand command,
        final int count,
        final long sources,
        final long targets,
        final long lengths,
        final long longest)
    {
        command.clear().counts(count, 1).lengths(lengths);
        command.indices(SOURCE, sources).indices(TARGET, targets);
        command.sectionLayers(0, 0, 1).rows(0, 1, 1, longest);
        command.stride(0, SOURCE, Stride.PAGE, 1);
        command.stride(0, TARGET, Stride.PAGE, 1);
    }

    /**
     * Writes a command for some pages and some layers of another.
     *
     * @param from       the other command; where not all layers are meant, no rows have lengths of their own.
     * @param to         command to write, its memory wrapped.
     * @param firstPage  of the other command.
     * @param pageCount  of them.
     * @param firstLayer of all parts; a part with fewer layers has no bytes in it.
     * @param layerCount of them.
     */
    public void slice(
        final CopyCommand from,
        final CopyCommand to,
        final int firstPage,
        final int pageCount,
        final int firstLayer,
        final int layerCount)
    {
        slicePages(from, to, firstPage, pageCount);
        int sections = 0;
        for (int i = 0; i < from.sectionCount(); i++)
        {
            final int layers = Math.min(layerCount, from.sectionLayers(i) - firstLayer);
            if (layers > 0)
            {
                to.section(sections, from, i);
                trim(to, sections, firstLayer, layers);
                sections++;
            }
        }
        to.counts(pageCount, sections);
    }

    /**
     * Writes a command for some pages of another, and for what lies together in their values: fragments, which are one
     * layer of one part, in the order of the value.
     *
     * @param from          the other command, whose rows have no lengths of their own.
     * @param to            command to write, its memory wrapped.
     * @param firstPage     of the other command.
     * @param pageCount     of them.
     * @param firstFragment of a page.
     * @param fragments     of them.
     */
    public void sliceRun(
        final CopyCommand from,
        final CopyCommand to,
        final int firstPage,
        final int pageCount,
        final int firstFragment,
        final int fragments)
    {
        slicePages(from, to, firstPage, pageCount);
        int sections = 0;
        int begin = 0;
        for (int i = 0; i < from.sectionCount(); i++)
        {
            final int first = Math.max(0, firstFragment - begin);
            final int layers = Math.min(from.sectionLayers(i), firstFragment + fragments - begin) - first;
            begin += from.sectionLayers(i);
            if (layers > 0)
            {
                to.section(sections, from, i);
                trim(to, sections, first, layers);
                sections++;
            }
        }
        to.counts(pageCount, sections);
    }

    /**
     * Puts values that lie one after the other in the place of a side whose parts are dense.
     *
     * @param command to change.
     * @param side    to replace.
     * @param address of the first value.
     */
    public void dense(final CopyCommand command, final Side side, final long address)
    {
        command.plan(side, 0, 0).first(side, 0).indices(side, 0).base(side, address);
        final long valueBytes = command.pageBytes();
        long offset = 0;
        for (int i = 0; i < command.sectionCount(); i++)
        {
            command.stride(i, side, Stride.PAGE, valueBytes);
            command.stride(i, side, Stride.OFFSET, offset);
            offset += command.sectionBytes(i);
        }
    }

    private static void slicePages(
        final CopyCommand from, final CopyCommand to, final int firstPage, final int pageCount)
    {
        to.copyFrom(from).counts(pageCount, from.sectionCount());
        to.first(SOURCE, from.first(SOURCE) + firstPage).first(TARGET, from.first(TARGET) + firstPage);
        if (0 != from.lengths())
        {
            to.lengths(from.lengths() + (long)firstPage * Long.BYTES);
        }
    }

    private static void trim(final CopyCommand command, final int section, final int firstLayer, final int layers)
    {
        command.sectionLayers(section, command.firstFragment(section) + firstLayer, layers);
        for (int i = 0; i < 2; i++)
        {
            final Side side = 0 == i ? SOURCE : TARGET;
            command.stride(section, side, Stride.OFFSET, command.stride(section, side, Stride.OFFSET) +
                firstLayer * command.stride(section, side, Stride.LAYER));
        }
    }

    private boolean isDense(final int section, final Stride stride, final long rowBytes)
    {
        return rowBytes == command.stride(section, SOURCE, stride) &&
            rowBytes == command.stride(section, TARGET, stride) ||
            1 == (Stride.INNER == stride ? command.innerRows(section) : command.outerRows(section));
    }

    private CommandWriter indices(final Side side, final long address, final int bytes, final int tokens)
    {
        if (0 == address && command.pageCount() > 0)
        {
            throw new IllegalArgumentException(side + ": indices is null");
        }
        if (Integer.BYTES != bytes && Long.BYTES != bytes)
        {
            throw new IllegalArgumentException(side + ": bytes of an index are " + bytes + ", allowed: 4 or 8");
        }
        command.indices(side, address).indexForm(side, bytes, tokens);
        return this;
    }

    private void values(final Side side)
    {
        final long valueBytes = geometry.valueBytes();
        long offset = 0;
        for (int i = 0; i < geometry.parts().size(); i++)
        {
            final Geometry.Part part = geometry.parts().get(i);
            strides(i, side, valueBytes, part.itemBytes(), offset, part.fragmentBytes(), part.itemBytes(),
                part.headBytes());
            offset += part.bytes();
        }
    }

    private void strides(
        final int section,
        final Side side,
        final long page,
        final long token,
        final long offset,
        final long layer,
        final long outer,
        final long inner)
    {
        command.stride(section, side, Stride.PAGE, page);
        command.stride(section, side, Stride.TOKEN, token);
        command.stride(section, side, Stride.OFFSET, offset);
        command.stride(section, side, Stride.LAYER, layer);
        command.stride(section, side, Stride.OUTER, outer);
        command.stride(section, side, Stride.INNER, inner);
    }
}
