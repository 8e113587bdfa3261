package io.fluxon.sim.run;

import io.fluxon.sim.cluster.MessageTap;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What happens to the processes and links of a cluster in a random run: ends, stops, restarts, partitions, jumps of the
 * clock. Every stop and partition has an end.
 */
final class RandomEvents
{
    private static final long SHORTEST_NS = 1_000_000;
    private static final int OCTAVES = 12;

    private final List<Due> due = new ArrayList<>();
    private final VirtualCluster cluster;
    private final List<RandomWorker> workers;
    private final Random random;
    private final int kinds;
    private final int oneIn;
    private final int[] restarts;

    /** Something that is to be undone at a time. */
    private record Due(long atNs, Runnable action)
    {
    }

    RandomEvents(final VirtualCluster cluster, final List<RandomWorker> workers, final Random random)
    {
        this.cluster = cluster;
        this.workers = workers;
        this.random = random;
        kinds = random.nextInt(4) > 0 ? random.nextInt(1 << 7) : 0;
        oneIn = 50 << random.nextInt(5);
        restarts = new int[cluster.owners().size()];
    }

    /** Lets something happen now and then, and what is due end. */
    void step()
    {
        undo(cluster.clock().nanoTime());
        if (0 != kinds && 0 == random.nextInt(oneIn))
        {
            happen();
        }
        tend();
    }

    /** Ends everything that has not ended yet. */
    void end()
    {
        undo(Long.MAX_VALUE);
    }

    /** Puts new processes in the place of workers whose session or process has ended. */
    void tend()
    {
        for (int i = 0; i < workers.size(); i++)
        {
            final RandomWorker worker = workers.get(i);
            final VirtualOwner owner = cluster.owner(i % cluster.owners().size());
            if (worker.isOver() && !owner.isDead() && !worker.worker().isPaused())
            {
                if (!worker.worker().isDead())
                {
                    worker.scribble();
                }
                worker.replace(cluster.restartWorker(i, owner));
            }
        }
    }

    private void happen()
    {
        final VirtualOwner owner = cluster.owner(random.nextInt(cluster.owners().size()));
        final VirtualWorker worker = cluster.worker(random.nextInt(cluster.workers().size()));
        switch (random.nextInt(7))
        {
            case 0 -> when(0, worker::kill);
            case 1 -> when(1, () -> restart(owner));
            case 2 -> when(2, () -> pause(worker));
            case 3 -> when(3, () -> pause(owner));
            case 4 -> when(4, this::pauseMaster);
            case 5 -> when(5, () -> cut(random.nextBoolean() ? owner.toMaster : owner.fromMaster));
            default -> when(6, () -> cluster.clock().advance(spanNs() << 6));
        }
    }

    private void when(final int kind, final Runnable event)
    {
        if (0 != (kinds & 1 << kind))
        {
            event.run();
        }
    }

    private void restart(final VirtualOwner owner)
    {
        final int index = cluster.owners().indexOf(owner);
        if (owner.isDead() || restarts[index]++ > 5)
        {
            return;
        }
        owner.kill();
        if (random.nextBoolean())
        {
            for (int i = index; i < workers.size(); i += cluster.owners().size())
            {
                cluster.worker(i).kill();
            }
        }
        later(() -> cluster.restartOwner(index));
    }

    private void pause(final VirtualWorker worker)
    {
        worker.paused(true);
        later(() -> worker.paused(false));
    }

    private void pause(final VirtualOwner owner)
    {
        owner.paused(true);
        later(() -> owner.paused(false));
    }

    private void pauseMaster()
    {
        cluster.master().paused(true);
        later(() -> cluster.master().paused(false));
    }

    private void cut(final MessageTap tap)
    {
        tap.cut(true);
        later(() -> tap.cut(false));
    }

    private void later(final Runnable action)
    {
        due.add(new Due(cluster.clock().nanoTime() + spanNs(), action));
    }

    private long spanNs()
    {
        return (SHORTEST_NS << random.nextInt(OCTAVES)) + random.nextInt((int)SHORTEST_NS);
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
