package io.fluxon.sim.teeth;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Plants each fault of the catalogue and runs seeds of the simulator until a checker finds it. Then runs seeds with no
 * fault and counts how often the place of each would have been reached: a fault that nothing reaches proves nothing.
 */
public final class Teeth
{
    private static final String HANG = "hang";
    private static final String CLEAN = "clean";
    private static final long JOIN_GRACE_MS = 60_000;
    private static final int MOST_FALSE_ALARMS = 20;

    private final Map<String, Bite> bites = new ConcurrentHashMap<>();
    private final Map<Long, String> unchangedRuns = new ConcurrentHashMap<>();
    private final AtomicInteger falseAlarms = new AtomicInteger();
    private final LongFunction<Map.Entry<String, String>> unchanged = new Trial();
    private final TeethOptions options;
    private final PrintStream out;
    private final List<Fault> faults;

    private Teeth(final TeethOptions options, final PrintStream out)
    {
        this.options = options;
        this.out = out;
        final List<Fault> all = Fault.readAll(options.catalogue());
        for (final String name : options.only())
        {
            if (all.stream().noneMatch((fault) -> name.equals(fault.name())))
            {
                throw new TeethException("there is no fault of the name " + name + " in " + options.catalogue());
            }
        }
        faults = all.stream()
            .filter((fault) -> options.only().isEmpty() || options.only().contains(fault.name())).toList();
    }

    /**
     * Plants the faults.
     *
     * @param options what to plant.
     * @param out     says what comes of each.
     * @return what came of all.
     * @throws TeethException when the catalogue does not fit the sources.
     */
    public static TeethReport run(final TeethOptions options, final PrintStream out)
    {
        return new Teeth(options, out).run();
    }

    private TeethReport run()
    {
        try (Planting planting = new Planting(options.root()))
        {
            final Map<String, byte[]> probed = planting.probe(faults);
            bite(planting);
            final int probeSeeds = count(probed);
            final Map<String, Long> reached = new TreeMap<>();
            faults.forEach((fault) -> reached.put(fault.name(), Probe.count(fault.name())));
            return new TeethReport(
                faults.stream().map((fault) -> bites.get(fault.name())).toList(),
                reached, probeSeeds, new TreeMap<>(unchangedRuns));
        }
    }

    private void bite(final Planting planting)
    {
        final Semaphore free = new Semaphore(options.threads());
        final List<Thread> threads = new ArrayList<>();
        for (final Fault fault : faults)
        {
            final LongFunction<Map.Entry<String, String>> planted = Trial.with(planting.plant(fault));
            free.acquireUninterruptibly();
            threads.add(start(() ->
            {
                bites.put(fault.name(), bite(fault, planted));
                free.release();
            }));
        }
        threads.forEach((thread) -> join(thread, 1_000L * options.faultSeconds() + JOIN_GRACE_MS));
        for (final Fault fault : faults)
        {
            bites.computeIfAbsent(fault.name(), (name) -> report(hung(fault)));
        }
    }

    private Bite hung(final Fault fault)
    {
        final String foundBy = fault.rules().contains(HANG) ? HANG : null;
        return new Bite(fault, 0, foundBy, "", Map.of(HANG, "a seed does not end"), options.faultSeconds());
    }

    private Bite bite(final Fault fault, final LongFunction<Map.Entry<String, String>> planted)
    {
        final long startNs = System.nanoTime();
        final Map<String, String> others = new TreeMap<>();
        int seed = 0;
        while (seed < options.seeds() && seconds(startNs) < options.faultSeconds() &&
            falseAlarms.get() <= MOST_FALSE_ALARMS)
        {
            seed++;
            final Map.Entry<String, String> seen = planted.apply(seed);
            if (null != seen && isClean(seed))
            {
                if (fault.rules().contains(seen.getKey()))
                {
                    return report(new Bite(fault, seed, seen.getKey(), seen.getValue(), others, seconds(startNs)));
                }
                others.putIfAbsent(seen.getKey(), "seed " + seed + ": " + seen.getValue());
            }
        }
        return report(new Bite(fault, seed, null, "", others, seconds(startNs)));
    }

    /** What a seed shows without a fault is no sign of the fault: when many do, there is nothing to learn. */
    private boolean isClean(final long seed)
    {
        return CLEAN.equals(unchangedRuns.computeIfAbsent(seed, (key) ->
        {
            final Map.Entry<String, String> seen = unchanged.apply(key);
            if (null != seen)
            {
                falseAlarms.incrementAndGet();
                out.println("seed " + key + " fails without a fault: " + seen.getKey() + ": " + seen.getValue());
            }
            return null == seen ? CLEAN : seen.getValue();
        }));
    }

    private int count(final Map<String, byte[]> probed)
    {
        Probe.reset();
        final LongFunction<Map.Entry<String, String>> counting = Trial.with(probed);
        final AtomicLong lastSeed = new AtomicLong();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < options.threads(); i++)
        {
            threads.add(start(() ->
            {
                while (lastSeed.get() < options.probeSeeds() || lastSeed.get() < options.seeds() && isOneUnreached())
                {
                    counting.apply(lastSeed.incrementAndGet());
                }
            }));
        }
        threads.forEach((thread) -> join(thread, 0));
        return (int)lastSeed.get();
    }

    private boolean isOneUnreached()
    {
        return faults.stream().anyMatch((fault) -> 0 == Probe.count(fault.name()));
    }

    private synchronized Bite report(final Bite bite)
    {
        out.println(TeethReport.line(bite));
        return bite;
    }

    private static double seconds(final long startNs)
    {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static Thread start(final Runnable work)
    {
        return Thread.ofPlatform().daemon().start(work);
    }

    private static void join(final Thread thread, final long timeoutMs)
    {
        try
        {
            thread.join(timeoutMs);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new TeethException("interrupted");
        }
    }
}
