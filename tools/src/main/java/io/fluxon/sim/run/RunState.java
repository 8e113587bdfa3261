package io.fluxon.sim.run;

import io.fluxon.sim.check.Checks;
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
    /** What watches it. */
    final Checks checks;

    private int operations;
    private boolean isStopped;

    RunState(final Swarm swarm, final VirtualCluster cluster, final Checks checks)
    {
        this.swarm = swarm;
        this.cluster = cluster;
        this.checks = checks;
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

    /** A worker has begun an operation. */
    void began()
    {
        operations++;
        isStopped |= operations >= swarm.operations;
    }

    /** Hears what clients do. */
    ClientObserver clients()
    {
        return checks.clients();
    }

    int operations()
    {
        return operations;
    }
}
