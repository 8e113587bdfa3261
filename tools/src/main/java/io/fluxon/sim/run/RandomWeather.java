package io.fluxon.sim.run;

import io.fluxon.sim.cluster.LinkFaults;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.WorkerFaults;
import java.util.Random;

/**
 * The weather of a random run: losses, duplicates, delays and full queues on every link and at every worker thread. New
 * generations of owners get theirs when they are seen first.
 */
final class RandomWeather
{
    private final VirtualCluster cluster;
    private final Random random;
    private final boolean isFair;
    private int owners;

    RandomWeather(final VirtualCluster cluster, final Random random)
    {
        this.cluster = cluster;
        this.random = random;
        isFair = 0 == random.nextInt(4);
    }

    void step()
    {
        if (isFair || cluster.allOwners().size() == owners)
        {
            return;
        }
        for (; owners < cluster.allOwners().size(); owners++)
        {
            begin(cluster.allOwners().get(owners));
        }
    }

    /** Fair weather from now on. */
    void end()
    {
        for (final VirtualOwner owner : cluster.allOwners())
        {
            clear(owner.workerRequestFaults);
            clear(owner.workerAnswerFaults);
            clear(owner.masterRequestFaults);
            clear(owner.masterAnswerFaults);
            clear(owner.transferFaults);
            clear(owner.checksumFaults);
            owner.processes().fullRate = 0;
        }
    }

    private void begin(final VirtualOwner owner)
    {
        begin(owner.workerRequestFaults);
        begin(owner.workerAnswerFaults);
        begin(owner.masterRequestFaults);
        begin(owner.masterAnswerFaults);
        owner.transferFaults.failureRate = rate();
        owner.transferFaults.tornRate = rate();
        begin(owner.transferFaults);
        begin(owner.checksumFaults);
        owner.processes().fullRate = rate();
    }

    private void begin(final LinkFaults faults)
    {
        faults.lossRate = rate();
        faults.duplicateRate = rate();
        faults.reorderRate = rate();
        faults.backPressureRate = rate();
        faults.adminActionRate = rate();
        faults.maxDelayNs = 20_000L << random.nextInt(10);
    }

    private void begin(final WorkerFaults faults)
    {
        faults.fullRate = rate();
        faults.capacity = random.nextInt(4) > 0 ? Integer.MAX_VALUE : 1;
        faults.maxDelayNs = 1_000_000L << random.nextInt(6);
    }

    private double rate()
    {
        return random.nextBoolean() ? 0 : Math.pow(10, -3 * random.nextDouble()) / 4;
    }

    private static void clear(final LinkFaults faults)
    {
        faults.lossRate = 0;
        faults.duplicateRate = 0;
        faults.reorderRate = 0;
        faults.backPressureRate = 0;
        faults.adminActionRate = 0;
    }

    private static void clear(final WorkerFaults faults)
    {
        faults.failureRate = 0;
        faults.tornRate = 0;
        faults.fullRate = 0;
        faults.capacity = Integer.MAX_VALUE;
    }
}
