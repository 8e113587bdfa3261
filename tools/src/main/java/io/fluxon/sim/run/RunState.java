package io.fluxon.sim.run;

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

    private static final int MOST_IDLE_TURNS = 400;

    private int operations;
    private int idleTurns;
    private boolean isStopped;

    RunState(final Swarm swarm, final VirtualCluster cluster)
    {
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

    /** A worker had its turn; when all have done nothing for long the work is over. */
    void turn(final boolean isIdle)
    {
        idleTurns = isIdle ? idleTurns + 1 : 0;
        isStopped |= idleTurns >= MOST_IDLE_TURNS;
    }

    int operations()
    {
        return operations;
    }
}
