package io.fluxon.sim.run;

import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.cluster.VirtualCluster;

/**
 * What the parts of one run share.
 */
final class RunState
{
    /** The configuration. */
    final Swarm swarm;
    /** The cluster. */
    final VirtualCluster cluster;

    /** Hears what clients do. */
    final ClientObserver clients;

    private int operations;
    private boolean isStopped;

    RunState(final Swarm swarm, final VirtualCluster cluster, final ClientObserver clients)
    {
        this.clients = clients;
        this.swarm = swarm;
        this.cluster = cluster;
    }

    long nowNs()
    {
        return cluster.clock().nanoTime();
    }

    /** May workers begin new operations? */
    boolean mayBegin()
    {
        return !isStopped;
    }

    void stop()
    {
        isStopped = true;
    }

    /** A worker asked its client to begin an operation, which answered with a code. */
    void began(final int code)
    {
        operations += 0 == code ? 1 : 0;
        isStopped |= operations >= swarm.operations;
    }

    int operations()
    {
        return operations;
    }
}
