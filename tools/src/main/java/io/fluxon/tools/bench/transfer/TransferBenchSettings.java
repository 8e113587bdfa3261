package io.fluxon.tools.bench.transfer;

import io.fluxon.engine.config.IdleStrategyName;

/**
 * What is measured.
 *
 * @param rounds     each with one figure for each row.
 * @param pages      of one fetch, spread over the peers.
 * @param pageBytes  length of a page.
 * @param peers      that the pages come from.
 * @param idle       what the threads do when there is nothing to do.
 * @param isLoopback true if no network namespaces are to be made.
 */
public record TransferBenchSettings(
    int rounds,
    int pages,
    int pageBytes,
    int peers,
    IdleStrategyName idle,
    boolean isLoopback)
{
    /** Most pages of one fetch: all of them are under way at once. */
    public static final int MAX_PAGES = 4096;

    long fetchBytes()
    {
        return (long) pages * pageBytes;
    }
}
