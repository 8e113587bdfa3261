package io.fluxon.sim.run;

import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.LinkFaults;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.sim.cluster.WorkerFaults;
import java.util.ArrayList;
import java.util.List;

/**
 * The weather of a run: what links and worker threads do to what they carry, each with rates of its own. Processes get
 * theirs when they are seen first.
 */
final class Weather
{
    private static final int ENDPOINT_FACTOR = 4;

    private final List<VirtualWorker> workers = new ArrayList<>();
    private final VirtualCluster cluster;
    private final double maxRate;
    private int owners;
    private boolean isOver;

    Weather(final VirtualCluster cluster, final double maxRate)
    {
        this.cluster = cluster;
        this.maxRate = maxRate;
        begin(cluster.master(), stream(cluster.master()));
    }

    /** Gives weather to processes that are new. */
    void tend()
    {
        for (; owners < cluster.allOwners().size(); owners++)
        {
            final VirtualOwner owner = cluster.allOwners().get(owners);
            if (!isOver)
            {
                begin(owner);
            }
        }
        for (final VirtualWorker worker : cluster.workers())
        {
            if (!isOver && !workers.contains(worker))
            {
                workers.add(worker);
                begin(worker, stream(worker));
                begin(worker.copyFaults, stream(worker));
            }
        }
    }

    /** Fair weather from now on. */
    void end()
    {
        isOver = true;
        cluster.master().stallRate = 0;
        for (final VirtualOwner owner : cluster.allOwners())
        {
            owner.stallRate = 0;
            clear(owner.workerRequestFaults);
            clear(owner.workerAnswerFaults);
            clear(owner.masterRequestFaults);
            clear(owner.masterAnswerFaults);
            clear(owner.transferFaults);
            clear(owner.checksumFaults);
            owner.processes().fullRate = 0;
            owner.processes().unseenRate = 0;
        }
        for (final VirtualWorker worker : workers)
        {
            worker.stallRate = 0;
            clear(worker.copyFaults);
        }
    }

    private Choices.Stream stream(final VirtualProcess process)
    {
        return cluster.choices().stream("weather " + process.name());
    }

    private void begin(final VirtualOwner owner)
    {
        final Choices.Stream choices = stream(owner);
        begin(owner, choices);
        begin(owner.workerRequestFaults, choices);
        begin(owner.workerAnswerFaults, choices);
        begin(owner.masterRequestFaults, choices);
        begin(owner.masterAnswerFaults, choices);
        begin(owner.transferFaults, choices);
        beginEndpoints(owner.transferFaults, cluster.choices().stream("weather " + owner.name() + " endpoints"));
        begin(owner.checksumFaults, choices);
        owner.processes().fullRate = choices.rate(maxRate);
        owner.processes().unseenRate = choices.rate(maxRate);
    }

    private void begin(final VirtualProcess process, final Choices.Stream choices)
    {
        process.stallRate = choices.rate(maxRate / 10);
        process.maxStallNs = choices.magnitude(1_000, 50_000_000);
    }

    private void begin(final LinkFaults faults, final Choices.Stream choices)
    {
        faults.lossRate = choices.rate(maxRate);
        faults.duplicateRate = choices.rate(maxRate);
        faults.reorderRate = choices.rate(maxRate);
        faults.backPressureRate = choices.rate(maxRate);
        faults.adminActionRate = choices.rate(maxRate);
        faults.longDelayRate = choices.rate(maxRate);
        faults.longDelayNs = choices.magnitude(100_000, 2_000_000_000);
        faults.maxDelayNs = faults.minDelayNs + choices.magnitude(1_000, 5_000_000);
    }

    private void begin(final WorkerFaults faults, final Choices.Stream choices)
    {
        faults.failureRate = choices.rate(maxRate);
        faults.tornRate = choices.rate(maxRate);
        faults.answerLostRate = choices.rate(maxRate);
        faults.fullRate = choices.rate(maxRate);
        faults.longDelayRate = choices.rate(maxRate);
        faults.longDelayNs = choices.magnitude(1_000_000, 2_000_000_000);
        faults.maxDelayNs = faults.minDelayNs + choices.magnitude(10_000, 20_000_000);
        faults.capacity = choices.chance(0.25) ? 1 + choices.below(4) : Integer.MAX_VALUE;
    }

    /** Few transfers in a run meet a fault at the rates of messages. */
    private void beginEndpoints(final WorkerFaults faults, final Choices.Stream choices)
    {
        faults.resetRate = choices.rate(ENDPOINT_FACTOR * maxRate);
        faults.completionLostRate = choices.rate(ENDPOINT_FACTOR * maxRate);
    }

    private static void clear(final LinkFaults faults)
    {
        faults.lossRate = 0;
        faults.duplicateRate = 0;
        faults.reorderRate = 0;
        faults.backPressureRate = 0;
        faults.adminActionRate = 0;
        faults.longDelayRate = 0;
    }

    private static void clear(final WorkerFaults faults)
    {
        faults.failureRate = 0;
        faults.tornRate = 0;
        faults.answerLostRate = 0;
        faults.resetRate = 0;
        faults.completionLostRate = 0;
        faults.fullRate = 0;
        faults.longDelayRate = 0;
        faults.capacity = Integer.MAX_VALUE;
    }
}
