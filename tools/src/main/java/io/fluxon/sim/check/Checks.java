package io.fluxon.sim.check;

import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.List;

/**
 * All checkers of a run. They see every message and every step of its cluster by themselves; the workload tells them
 * what its clients do, and the run when all must be quiet.
 */
public final class Checks
{
    private final List<OwnerWatch> owners = new ArrayList<>();
    private final VirtualCluster cluster;
    private final List<Checker> checkers = new ArrayList<>();
    private final Ledger ledger;
    private final int fullEvery;
    private MasterAgent masterAgent;
    private MasterView master;
    private long steps;

    /**
     * Has a cluster watched from now on, which is best before its first step.
     *
     * @param cluster   to watch.
     * @param fullEvery steps between two full checks.
     */
    public Checks(final VirtualCluster cluster, final int fullEvery)
    {
        this.cluster = cluster;
        this.fullEvery = fullEvery;
        ledger = new Ledger(cluster, checkers);
        checkers.addAll(Checkers.create(this));
        cluster.network().observe(new Wire(cluster, checkers));
        cluster.observe(this::afterStep);
        meet();
    }

    /**
     * The cluster.
     *
     * @return the cluster that is watched.
     */
    public VirtualCluster cluster()
    {
        return cluster;
    }

    /**
     * The master that runs now.
     *
     * @return a view of it.
     */
    public MasterView master()
    {
        final MasterAgent agent = cluster.master().agent();
        if (agent != masterAgent)
        {
            masterAgent = agent;
            master = new MasterView(agent);
        }
        return master;
    }

    /**
     * What the workload tells of its clients.
     *
     * @return takes it.
     */
    public ClientObserver clients()
    {
        return ledger;
    }

    /** Do owner and master have the same session, so that each committed value has its route? */
    boolean isKnownToMaster(final OwnerWatch owner)
    {
        final int ownerId = owner.owner().ownerId();
        return !owner.owner().isDead() && !cluster.master().isDead() && owner.view().isRegistered() &&
            master().isReconciled(ownerId) &&
            master().generation(ownerId) == owner.owner().generation() &&
            master().session(ownerId) == owner.view().masterSession() &&
            cluster.master().epoch() == owner.view().masterEpoch();
    }

    /** Does the master have a route to exactly this use of a slot? */
    boolean hasRoute(final OwnerWatch owner, final int slotId)
    {
        final SlotTable table = owner.table();
        return master().hasReplica(owner.owner().ownerId(), owner.key(slotId), table.grantId(slotId),
            table.slotIndex(slotId), table.useCounter(slotId));
    }

    /**
     * Was a value evicted, and has no copy left? A miss of it is no fault then (contract S3).
     *
     * @param key as ISO-8859-1 text.
     * @return true when an owner has evicted its copy and no route is left.
     */
    public boolean isEvicted(final String key)
    {
        for (int i = 0; i < checkers.size(); i++)
        {
            if (checkers.get(i) instanceof Evictions evictions)
            {
                return evictions.wasEvicted(key) && !master().hasRoute(key);
            }
        }
        return false;
    }

    Ledger ledger()
    {
        return ledger;
    }

    /**
     * The checkers.
     *
     * @return all of them, in the order in which they are asked.
     */
    public List<Checker> checkers()
    {
        return checkers;
    }

    /**
     * All generations of all owners.
     *
     * @return dead ones too, in the order of their start.
     */
    public List<OwnerWatch> owners()
    {
        meet();
        return owners;
    }

    /**
     * Finds the watch of an owner.
     *
     * @param owner one generation.
     * @return its watch.
     */
    public OwnerWatch of(final VirtualOwner owner)
    {
        meet();
        for (int i = owners.size() - 1; i >= 0; i--)
        {
            if (owner == owners.get(i).owner())
            {
                return owners.get(i);
            }
        }
        throw new IllegalArgumentException(owner + " is not of this cluster");
    }

    /**
     * Finds the watch of a generation of an owner.
     *
     * @param ownerId    of the owner.
     * @param generation of it.
     * @return its watch, or null when there never was such a generation.
     */
    public OwnerWatch of(final int ownerId, final long generation)
    {
        for (final OwnerWatch owner : owners())
        {
            if (owner.owner().ownerId() == ownerId && owner.owner().generation() == generation)
            {
                return owner;
            }
        }
        return null;
    }

    /**
     * A process has done a duty cycle.
     *
     * @param process that has worked.
     */
    public void afterStep(final VirtualProcess process)
    {
        if (process instanceof VirtualOwner owner)
        {
            afterOwner(of(owner));
        }
        else if (process instanceof VirtualWorker worker)
        {
            for (int i = 0; i < checkers.size(); i++)
            {
                checkers.get(i).afterWorker(worker);
            }
        }
        else
        {
            for (int i = 0; i < checkers.size(); i++)
            {
                checkers.get(i).afterMaster();
            }
        }

        if (0 == ++steps % fullEvery)
        {
            full();
        }
    }

    /** The full check, also called by itself every so many steps. */
    public void full()
    {
        meet();
        for (int i = 0; i < checkers.size(); i++)
        {
            final Checker checker = checkers.get(i);
            for (int j = 0; j < owners.size(); j++)
            {
                if (!owners.get(j).owner().isDead())
                {
                    checker.full(owners.get(j));
                }
            }
            checker.full();
        }
    }

    /** The checks of a cluster whose faults have ended and in which nothing can be outstanding any more. */
    public void atQuiet()
    {
        full();
        checkers.forEach(Checker::atQuiet);
    }

    private void afterOwner(final OwnerWatch owner)
    {
        owner.look();
        for (int i = 0; i < checkers.size(); i++)
        {
            checkers.get(i).afterOwner(owner);
        }
    }

    private void meet()
    {
        while (owners.size() < cluster.allOwners().size())
        {
            final OwnerWatch owner = new OwnerWatch(cluster.allOwners().get(owners.size()));
            owners.add(owner);
            checkers.forEach((checker) -> checker.onOwner(owner));
        }
    }
}
