package io.fluxon.sim;

import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.FaultTally;
import io.fluxon.sim.run.RunResult;
import java.util.Arrays;
import java.util.Comparator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.collections.LongArrayList;

/**
 * What came of all seeds together. The order in which they are added makes no difference. Thread-safe.
 */
final class SimTotals
{
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final LongArrayList operations = new LongArrayList();
    private final LongArrayList processes = new LongArrayList();
    private final LongArrayList faults = new LongArrayList();
    private final FaultTally tally = new FaultTally();
    private final Map<FaultKind, Long> seedsWithFault = new EnumMap<>(FaultKind.class);
    private final Map<String, Long> branches = new TreeMap<>();
    private final Map<String, Long> seedsWithBranch = new TreeMap<>();
    private final List<FailedSeed> failed = new ArrayList<>();
    private long steps;
    private long virtualNs;
    private long digest;
    private int repeated;

    synchronized void add(final long seed, final RunResult result)
    {
        operations.addLong(result.operations());
        processes.addLong(result.processes());
        faults.addLong(result.faults().total());
        steps += result.steps();
        virtualNs += result.virtualNs();
        digest += mix(seed * GOLDEN_GAMMA ^ result.digest());
        tally.add(result.faults());
        for (final FaultKind kind : FaultKind.values())
        {
            seedsWithFault.merge(kind, result.faults().get(kind) > 0 ? 1L : 0L, Long::sum);
        }
        result.branches().forEach((name, count) ->
        {
            branches.merge(name, count, Long::sum);
            seedsWithBranch.merge(name, count > 0 ? 1L : 0L, Long::sum);
        });
        if (!result.isGood())
        {
            add(new FailedSeed(seed, result.rule(), String.valueOf(result.failure().getMessage())));
        }
    }

    synchronized void add(final FailedSeed failure)
    {
        failed.add(failure);
    }

    synchronized void addRepeated()
    {
        repeated++;
    }

    synchronized int seeds()
    {
        return operations.size();
    }

    synchronized long operations()
    {
        return operations.longStream().sum();
    }

    synchronized long medianOperations()
    {
        return median(operations);
    }

    synchronized long medianProcesses()
    {
        return median(processes);
    }

    synchronized long medianFaults()
    {
        return median(faults);
    }

    synchronized long steps()
    {
        return steps;
    }

    synchronized long virtualNs()
    {
        return virtualNs;
    }

    /** The same for the same seeds, in whatever order and by however many threads they were run. */
    synchronized String digest()
    {
        return String.format("%016x", digest);
    }

    synchronized FaultTally faults()
    {
        return tally;
    }

    synchronized long seedsWith(final FaultKind kind)
    {
        return seedsWithFault.getOrDefault(kind, 0L);
    }

    synchronized Map<String, Long> branches()
    {
        return new TreeMap<>(branches);
    }

    synchronized long seedsWith(final String branch)
    {
        return seedsWithBranch.getOrDefault(branch, 0L);
    }

    /** Number of seeds that were the same run every time. */
    synchronized int repeated()
    {
        return repeated;
    }

    /** Seeds that broke a rule, ascending. */
    synchronized List<FailedSeed> failed()
    {
        return failed.stream().sorted(Comparator.comparing(FailedSeed::seed)).toList();
    }

    private static long median(final LongArrayList values)
    {
        final long[] sorted = values.toLongArray();
        Arrays.sort(sorted);
        return 0 == sorted.length ? 0 : sorted[(sorted.length - 1) / 2];
    }

    private static long mix(final long value)
    {
        final long z = (value ^ value >>> 32) * 0xD6E8FEB86659FD93L;
        return z ^ z >>> 32;
    }
}
