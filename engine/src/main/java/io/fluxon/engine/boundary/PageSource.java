package io.fluxon.engine.boundary;

/**
 * Where tables that grow to gigabytes get their memory from, in huge pages, so that a read anywhere in them does not
 * wait for a walk through the page tables as well.
 */
public interface PageSource
{
    /** Bytes of a page, and its alignment. */
    int PAGE_LENGTH = 2 << 20;

    /**
     * Takes a page.
     *
     * @return its address, a multiple of {@link #PAGE_LENGTH}; its content is undefined.
     * @throws OutOfMemoryError when there is none.
     */
    long take();

    /**
     * Gives a page back.
     *
     * @param address that {@link #take} returned.
     */
    void giveBack(long address);
}
