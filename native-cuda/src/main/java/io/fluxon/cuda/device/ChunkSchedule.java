package io.fluxon.cuda.device;

import java.util.Arrays;

/**
 * How a command is cut into chunks that are staged one after the other: pages by all layers, as many as fit into a
 * slot, but ever fewer towards one end, and the last page by layers. That end is where one of the two stages of the
 * pipeline stands still: the last spread of a restore, the first gather of a backup. Belongs to one thread; allocates
 * nothing once it has seen the longest.
 */
final class ChunkSchedule
{
    private static final int FIELDS = 4;

    private int[] chunks = new int[64 * FIELDS];
    private int count;

    /**
     * Cuts.
     *
     * @param pages      1 or more.
     * @param layers     1 or more.
     * @param pageBytes  of a page in all layers.
     * @param layerBytes of a page in one layer of all parts.
     * @param slotBytes  of a slot, at least one layer's.
     * @param leastBytes of a chunk smaller than a page.
     */
    void cut(
        final int pages,
        final int layers,
        final long pageBytes,
        final long layerBytes,
        final long slotBytes,
        final long leastBytes)
    {
        count = 0;
        final int slotLayers = Math.clamp(slotBytes / layerBytes, 1, layers);
        final int slotPages = Math.clamp(slotBytes / pageBytes, 1, pages);
        int page = 0;
        while (page < pages)
        {
            final int left = pages - page;
            if (1 == left || slotLayers < layers)
            {
                cutPage(page, layers, slotLayers, layerBytes, left > 1 ? pageBytes : leastBytes);
                page++;
            }
            else
            {
                final int chunk = Math.min(slotPages, (left + 1) / 2);
                add(page, chunk, 0, layers);
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

    private void cutPage(
        final int page, final int layers, final int slotLayers, final long layerBytes, final long leastBytes)
    {
        final int leastLayers = Math.clamp(leastBytes / layerBytes, 1, layers);
        int layer = 0;
        while (layer < layers)
        {
            final int left = layers - layer;
            final int chunk = Math.min(slotLayers, Math.min(left, Math.max(leastLayers, (left + 1) / 2)));
            add(page, 1, layer, chunk);
            layer += chunk;
        }
    }

    private void add(final int page, final int pages, final int layer, final int layers)
    {
        if (chunks.length == count * FIELDS)
        {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        chunks[count * FIELDS] = page;
        chunks[count * FIELDS + 1] = pages;
        chunks[count * FIELDS + 2] = layer;
        chunks[count * FIELDS + 3] = layers;
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

    int firstLayer(final int chunk)
    {
        return chunks[chunk * FIELDS + 2];
    }

    int layers(final int chunk)
    {
        return chunks[chunk * FIELDS + 3];
    }
}
