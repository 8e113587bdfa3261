package io.fluxon.cuda.device;

import java.util.Arrays;

/**
 * How a command is cut into chunks that are staged one after the other: whole pages, as many as fit into a slot, but
 * ever fewer towards one end, as long as those are not too few bytes; the last page in pieces if it is large. That end
 * is where one of the two stages of the pipeline stands still: the last spread of a restore, the first gather of a
 * backup. A page is cut into units: fragments in the order of the value, so that each chunk is one run of it, or layers
 * of all parts. Belongs to one thread; allocates nothing once it has seen the longest.
 */
final class ChunkSchedule
{
    private static final int FIELDS = 4;

    private int[] chunks = new int[64 * FIELDS];
    private int count;

    /**
     * Cuts into fragments.
     *
     * @param pages         1 or more.
     * @param fragments     of a page, 1 or more.
     * @param leftOut       of the last page's fragments: so many of the last ones come into no chunk.
     * @param pageBytes     of a page in all fragments.
     * @param fragmentBytes of the longest fragment.
     * @param slotBytes     of a slot, at least one fragment's.
     * @param leastBytes    of a chunk where they become fewer: large, none does.
     */
    void cut(
        final int pages,
        final int fragments,
        final int leftOut,
        final long pageBytes,
        final long fragmentBytes,
        final long slotBytes,
        final long leastBytes)
    {
        count = 0;
        final int slotFragments = slotBytes >= pageBytes ?
            fragments : Math.clamp(slotBytes / fragmentBytes, 1, fragments);
        final int slotPages = Math.clamp(slotBytes / pageBytes, 1, pages);
        final long leastPages = Math.max(1, leastBytes / pageBytes);
        int page = 0;
        while (page < pages)
        {
            final int left = pages - page;
            final int most = Math.min(slotPages, leftOut > 0 ? left - 1 : left);
            if (1 == left || slotFragments < fragments)
            {
                cutPage(page, 1 == left ? fragments - leftOut : fragments, slotFragments,
                    left > 1 ? fragments : Math.max(1, leastBytes / fragmentBytes));
                page++;
            }
            else
            {
                final int chunk = (int)Math.min(most, Math.max(leastPages, (left + 1) / 2));
                add(page, chunk, 0, fragments);
                page += chunk;
            }
        }
    }

    /**
     * Cuts by layers: all pages of some layers before any of the next.
     *
     * @param pages       1 or more.
     * @param layers      1 or more.
     * @param layerBytes  of a page in one layer of all parts.
     * @param slotBytes   of a slot, at least one layer's.
     * @param groupLayers that are staged together where they fit.
     */
    void cutByLayers(
        final int pages, final int layers, final long layerBytes, final long slotBytes, final int groupLayers)
    {
        count = 0;
        final int group = Math.clamp(slotBytes / layerBytes, 1, groupLayers);
        for (int layer = 0; layer < layers; layer += group)
        {
            final int some = Math.min(group, layers - layer);
            final int slotPages = Math.clamp(slotBytes / (some * layerBytes), 1, pages);
            for (int page = 0; page < pages; page += slotPages)
            {
                add(page, Math.min(slotPages, pages - page), layer, some);
            }
        }
    }

    private void cutPage(final int page, final int fragments, final int slotFragments, final long leastFragments)
    {
        int fragment = 0;
        while (fragment < fragments)
        {
            final int left = fragments - fragment;
            final int chunk = (int)Math.min(slotFragments, Math.min(left, Math.max(leastFragments, (left + 1) / 2)));
            add(page, 1, fragment, chunk);
            fragment += chunk;
        }
    }

    private void add(final int page, final int pages, final int unit, final int units)
    {
        if (chunks.length == count * FIELDS)
        {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        chunks[count * FIELDS] = page;
        chunks[count * FIELDS + 1] = pages;
        chunks[count * FIELDS + 2] = unit;
        chunks[count * FIELDS + 3] = units;
        count++;
    }

    int count()
    {
        return count;
    }

    int firstPage(final int chunk)
    {
        return chunks[chunk * FIELDS];
    }

    int pages(final int chunk)
    {
        return chunks[chunk * FIELDS + 1];
    }

    int firstUnit(final int chunk)
    {
        return chunks[chunk * FIELDS + 2];
    }

    int units(final int chunk)
    {
        return chunks[chunk * FIELDS + 3];
    }
}
