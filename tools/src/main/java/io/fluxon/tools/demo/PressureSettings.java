package io.fluxon.tools.demo;

import io.fluxon.engine.master.FetchedCopies;
import io.fluxon.tools.page.PageKeys;

/**
 * A run on a store that is full all the time.
 *
 * @param seed            of the generated workload.
 * @param pageBytes       length of every page.
 * @param groupBlocks     pages of one atomic group.
 * @param gpuOwners       owners that serve workers.
 * @param cacheOwners     owners that are memory for the others.
 * @param workersPerOwner workers of each gpu owner.
 * @param gpuBytes        of the grants of each gpu owner, a multiple of the quantum.
 * @param cacheBytes      of the grants of each remote_cache owner, a multiple of the quantum.
 * @param quantumBytes    of a grant.
 * @param fillSeconds     longest time until the store is full.
 * @param seconds         how long requests are handed out when it is.
 * @param fetchedCopies   what becomes of the copies of remote_cache owners that gpu owners have brought to themselves.
 * @param isDemoting      true if gpu owners have what they evict copied to remote_cache owners first.
 */
public record PressureSettings(
    long seed,
    int pageBytes,
    int groupBlocks,
    int gpuOwners,
    int cacheOwners,
    int workersPerOwner,
    long gpuBytes,
    long cacheBytes,
    long quantumBytes,
    int fillSeconds,
    int seconds,
    FetchedCopies fetchedCopies,
    boolean isDemoting)
{
    /** Pages of the working set, by the pages that all owners together have room for. */
    public static final double WORKING_SET = 1.5;

    static final String KEY_PREFIX = PageKeys.DEFAULT_PREFIX;

    PressureSettings withoutDemotion()
    {
        return new PressureSettings(seed, pageBytes, groupBlocks, gpuOwners, cacheOwners, workersPerOwner, gpuBytes,
            cacheBytes, quantumBytes, fillSeconds, seconds, fetchedCopies, false);
    }

    int workers()
    {
        return gpuOwners * workersPerOwner;
    }
}
