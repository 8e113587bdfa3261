package io.fluxon.sim.run;

import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.LinkFaults;
import io.fluxon.sim.cluster.MessageTap;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to the processes and links of a cluster in a run: ends, stops, restarts, partitions, clogged links, lost
 * transports, jumps of the clock. Every stop and partition has an end.
 */
final class Mishaps
{
    /** Number of kinds. */
    static final int KINDS = 10;

    private static final int MISHAP_CHOICES = 16;
    private static final long SHORTEST_NS = 100_000;
    private static final long LONGEST_NS = 5_000_000_000L;
    private static final long LEAST_BLOCKED_NS = 500_000_000L;
    private static final int MAX_RESTARTS = 6;

    private final List<Due> due = new ArrayList<>();
    private final VirtualCluster cluster;
    private final Choices.Stream choices;
    private final int kinds;
    private final long meanNs;
    private final int[] restarts;
    private long nextNs;

    /** Something that is to be undone at a time. */
    private record Due(long atNs, VirtualProcess process, Runnable action)
    {
    }

    Mishaps(final VirtualCluster cluster, final int kinds, final long meanNs)
    {
        this.cluster = cluster;
        this.kinds = kinds;
        this.meanNs = meanNs;
        choices = cluster.choices().stream("mishaps");
        restarts = new int[cluster.owners().size()];
        nextNs = cluster.clock().nanoTime() + choices.between(0, meanNs);
    }

    /** Lets something happen when its time has come, and what is due end. */
    void tend()
    {
        final long nowNs = cluster.clock().nanoTime();
        undo(nowNs);
        if (nowNs >= nextNs)
        {
            choices.align(MISHAP_CHOICES);
            nextNs = nowNs + 2 * meanNs - choices.between(0, 2 * meanNs - 1);
            final int enabled = choices.below(1 + Integer.bitCount(kinds));
            if (enabled > 0)
            {
                happen(kind(enabled));
            }
        }
    }

    /** When something happens or ends next, in nanoseconds. */
    long nextNs()
    {
        long earliestNs = nextNs;
        for (int i = 0; i < due.size(); i++)
        {
            earliestNs = Math.min(earliestNs, due.get(i).atNs);
        }
        return earliestNs;
    }

    /** Ends everything of some processes that has not ended yet; partitions end for all. */
    void heal(final List<VirtualProcess> core)
    {
        for (int i = 0; i < due.size(); i++)
        {
            final Due item = due.get(i);
            if (null == item.process || core.contains(item.process))
            {
                due.remove(i--);
                item.action.run();
            }
        }
    }

    /** The n-th of the kinds that happen, from 1. */
    private int kind(final int n)
    {
        int rest = kinds;
        for (int i = 1; i < n; i++)
        {
            rest &= rest - 1;
        }
        return Integer.numberOfTrailingZeros(rest);
    }

    private void happen(final int kind)
    {
        final VirtualOwner owner = cluster.owner(choices.below(cluster.owners().size()));
        final VirtualWorker worker = cluster.worker(choices.below(cluster.workers().size()));
        switch (kind)
        {
            case 0 -> kill(worker);
            case 1 -> restart(owner);
            case 2 -> pause(worker, FaultKind.WORKER_PAUSED);
            case 3 -> pause(owner, FaultKind.OWNER_PAUSED);
            case 4 -> pause(cluster.master(), FaultKind.MASTER_PAUSED);
            case 5 -> restartMaster();
            case 6 -> cut(owner, worker);
            case 7 -> clog(owner);
            case 8 -> loseTransport(worker);
            default -> jump();
        }
    }

    private void kill(final VirtualWorker worker)
    {
        if (!worker.isDead())
        {
            cluster.faults().count(FaultKind.WORKER_KILLED, worker);
            worker.kill();
        }
    }

    private void restart(final VirtualOwner owner)
    {
        final int index = cluster.owners().indexOf(owner);
        if (owner.isDead() || restarts[index]++ >= MAX_RESTARTS)
        {
            return;
        }
        cluster.faults().count(FaultKind.OWNER_KILLED, owner);
        owner.kill();
        if (choices.chance(0.5))
        {
            cluster.workers().stream().filter((worker) -> owner == worker.owner()).forEach(this::kill);
        }
        later(owner, () -> cluster.restartOwner(index));
    }

    private void restartMaster()
    {
        if (!cluster.master().isDead())
        {
            cluster.faults().count(FaultKind.MASTER_KILLED, cluster.master());
            cluster.master().kill();
            later(cluster.master(), () -> cluster.master().restart());
        }
    }

    private void pause(final VirtualProcess process, final FaultKind kind)
    {
        if (!process.isPaused() && !process.isDead())
        {
            cluster.faults().count(kind, process);
            process.paused(true);
            later(process, () -> process.paused(false));
        }
    }

    /** Nothing passes one way for a while: it is lost, or the sender is told that nobody is there. */
    private void cut(final VirtualOwner owner, final VirtualWorker worker)
    {
        if (choices.chance(0.3))
        {
            cluster.faults().count(FaultKind.PARTITION, "a link of " + owner);
            final LinkFaults faults = link(owner);
            faults.disconnected = true;
            later(null, () -> faults.disconnected = false);
            return;
        }
        final int way = choices.below(4);
        cluster.faults().count(FaultKind.PARTITION, switch (way)
        {
            case 0 -> owner + " > master";
            case 1 -> "master > " + owner;
            case 2 -> worker + " > " + worker.owner();
            default -> worker.owner() + " > " + worker;
        });
        final MessageTap tap = switch (way)
        {
            case 0 -> owner.toMaster;
            case 1 -> owner.fromMaster;
            case 2 -> worker.toOwner;
            default -> worker.fromOwner;
        };
        tap.cut(true);
        later(null, () -> tap.cut(false));
    }

    private void clog(final VirtualOwner owner)
    {
        cluster.faults().count(FaultKind.LINK_CLOGGED, "a link of " + owner);
        final LinkFaults link = link(owner);
        final long nowNs = cluster.clock().nanoTime();
        final long spanNs = choices.magnitude(SHORTEST_NS, LONGEST_NS);
        if (choices.chance(0.5))
        {
            link.blockedUntilNs = nowNs + Math.max(LEAST_BLOCKED_NS, spanNs);
        }
        else
        {
            link.cloggedUntilNs = nowNs + spanNs;
        }
    }

    private LinkFaults link(final VirtualOwner owner)
    {
        return switch (choices.below(4))
        {
            case 0 -> owner.masterRequestFaults;
            case 1 -> owner.masterAnswerFaults;
            case 2 -> owner.workerRequestFaults;
            default -> owner.workerAnswerFaults;
        };
    }

    private void loseTransport(final VirtualWorker worker)
    {
        if (!worker.isDead() && !worker.isPaused() && !worker.owner().isDead())
        {
            cluster.faults().count(FaultKind.TRANSPORT_LOST, worker);
            worker.reconnect();
        }
    }

    private void jump()
    {
        cluster.faults().count(FaultKind.CLOCK_JUMP, "all");
        cluster.clock().advance(choices.magnitude(SHORTEST_NS, 10 * LONGEST_NS));
    }

    private void later(final VirtualProcess process, final Runnable action)
    {
        final long atNs = cluster.clock().nanoTime() + choices.magnitude(SHORTEST_NS, LONGEST_NS);
        due.add(new Due(atNs, process, action));
    }

    private void undo(final long nowNs)
    {
        for (int i = 0; i < due.size(); i++)
        {
            if (due.get(i).atNs <= nowNs)
            {
                due.remove(i--).action.run();
            }
        }
    }
}
