package io.fluxon.tools.demo;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.tools.page.PageKeys;
import io.fluxon.tools.replay.PlantedFault;

import java.nio.file.Path;

/**
 * What a demonstration is to do.
 *
 * @param trace           file of requests, or null for a generated workload.
 * @param requests        of the trace or workload, 0 for all or the default.
 * @param seed            of the generated workload.
 * @param pageBytes       length of every page.
 * @param groupBlocks     pages of one atomic group.
 * @param isSequential    true if one request follows the other.
 * @param gpuOwners       owners that serve workers.
 * @param cacheOwners     owners that are memory for the others.
 * @param workersPerOwner workers of each gpu owner.
 * @param chaos           what is killed in the middle of the run.
 * @param delayMasterMs   that master messages are delayed, 0 for no comparison.
 * @param isOnHosts       true if the master and every owner, its workers beside it, have a network of their own.
 * @param loss            part of the datagrams between those that are lost.
 * @param place           of the workers' simulated KV caches.
 */
public record DemoSettings(
    Path trace,
    int requests,
    long seed,
    int pageBytes,
    int groupBlocks,
    boolean isSequential,
    int gpuOwners,
    int cacheOwners,
    int workersPerOwner,
    ChaosTarget chaos,
    int delayMasterMs,
    boolean isOnHosts,
    double loss,
    CopyPlace place)
{
    static final int DEFAULT_REQUESTS = 14_000;
    static final String KEY_PREFIX = PageKeys.DEFAULT_PREFIX;

    int workers()
    {
        return gpuOwners * workersPerOwner;
    }

    static DemoSettings ofSelfCheck(final long seed)
    {
        return new DemoSettings(null, 160, seed, 4096, 1, true, 2, 0, 1, ChaosTarget.NONE, 0, false, 0,
            CopyPlace.HOST);
    }

    PlantedFault faultOf(final int worker, final PlantedFault planted)
    {
        return 0 == worker ? planted : PlantedFault.NONE;
    }
}
