package io.fluxon.sim.run;

import io.fluxon.sim.check.Checks;
import io.fluxon.sim.check.ClientNotes;
import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.cluster.VirtualCluster;

/**
 * What the parts of one run share.
 */
final class RunState
{
    private static final int MOST_IDLE_TURNS = 400;

    /** The configuration. */
    final Swarm swarm;
    /** The cluster. */
    final VirtualCluster cluster;
    /** What watches it. */
    final Checks checks;
    /** The batch that was put last. */
    final Convoy convoy = new Convoy();

    private final ClientObserver clients;
    private int operations;
    private int idleTurns;
    private boolean isStopped;

    RunState(final Swarm swarm, final VirtualCluster cluster, final Checks checks)
    {
        this.swarm = swarm;
        this.cluster = cluster;
        this.checks = checks;
        clients = new ClientNotes(checks.clients(), cluster);
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

    /** A worker had its turn; when all have done nothing for long the work is over. */
    void turn(final boolean isIdle)
    {
        idleTurns = isIdle ? idleTurns + 1 : 0;
        isStopped |= idleTurns >= MOST_IDLE_TURNS;
    }

    /** Hears what clients do. */
    ClientObserver clients()
    {
        return clients;
    }

    int operations()
    {
        return operations;
    }
}
