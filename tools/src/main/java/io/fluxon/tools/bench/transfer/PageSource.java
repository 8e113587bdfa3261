package io.fluxon.tools.bench.transfer;

import io.fluxon.tools.page.PageContent;

/**
 * Fills the pages that one of several sources has: of every so many one.
 */
final class PageSource
{
    private static final int FIRST_OWNER_ID = 2;

    private PageSource()
    {
    }

    static int ownerId(final int source)
    {
        return FIRST_OWNER_ID + source;
    }

    /** Pages of a source. */
    static int pagesOf(final int source, final int sources, final int pages)
    {
        return (pages - source + sources - 1) / sources;
    }

    static void fill(final TransferEnd end, final int source, final int sources, final int pages)
    {
        for (int i = 0, size = pagesOf(source, sources, pages); i < size; i++)
        {
            PageContent.fill(source + (long) i * sources, end.memory(), end.pageOffset(i), end.pageBytes());
        }
    }
}
