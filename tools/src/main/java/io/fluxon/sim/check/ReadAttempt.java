package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;

/**
 * One get of a worker as the model of values knows it.
 */
public final class ReadAttempt
{
    final VirtualWorker worker;
    final VirtualOwner owner;
    final GetHandle get;
    final boolean isBestEffort;
    final int[] groups;
    final String[] names;
    final long askedNs;
    int transferable;
    int[] slots = new int[0];
    long[] uses = new long[0];
    boolean isReadable;

    ReadAttempt(
        final VirtualWorker worker,
        final GetHandle get,
        final boolean isBestEffort,
        final int[] groups,
        final String[] names,
        final long askedNs)
    {
        this.worker = worker;
        this.owner = worker.owner();
        this.get = get;
        this.isBestEffort = isBestEffort;
        this.groups = null == groups ? new int[]{names.length} : groups;
        this.names = names;
        this.askedNs = askedNs;
    }

    @Override
    public String toString()
    {
        return "get of " + worker + " of " + String.join(",", names) + " asked at " + askedNs;
    }
}
