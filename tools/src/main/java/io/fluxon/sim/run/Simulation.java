package io.fluxon.sim.run;

import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.check.RouteCheck;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.VirtualCluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Stands in until the simulation is there.
 */
public final class Simulation
{
    private static final long SECOND_NS = 1_000_000_000L;

    private Simulation()
    {
    }

    /**
     * Temporary.
     *
     * @param seed of it.
     */
    public static void run(final long seed)
    {
        final Random random = new Random(seed * 7919);
        final ClusterOptions options = RandomOptions.of(seed, random);
        final int reportKeys = 1 + random.nextInt(8);
        final Supplier<OwnerSettings> settings = options.ownerSettings;
        options.ownerSettings = () -> settings.get().reportKeys(reportKeys);
        try (VirtualCluster cluster = new VirtualCluster(options))
        {
            final List<RandomWorker> workers = new ArrayList<>();
            final int keys = 12 << random.nextInt(3);
            cluster.workers().forEach((worker) -> workers.add(new RandomWorker(worker, random, keys)));
            final RandomEvents events = new RandomEvents(cluster, workers, random);
            final RandomWeather weather = new RandomWeather(cluster, random);
            final int oneIn = 100 << random.nextInt(4);
            final boolean restarts = random.nextBoolean();
            for (int i = 0; i < 2_000; i++)
            {
                workers.forEach(RandomWorker::step);
                events.step();
                weather.step();
                if (restarts && 0 == random.nextInt(cluster.master().isDead() ? 100 : oneIn))
                {
                    if (cluster.master().isDead())
                    {
                        cluster.master().restart();
                    }
                    else
                    {
                        cluster.master().kill();
                    }
                }
                cluster.runFor(spanNs(random));
            }
            if (cluster.master().isDead())
            {
                cluster.master().restart();
            }
            events.end();
            weather.end();
            workers.forEach(RandomWorker::stop);
            final boolean quiet = cluster.runUntil(
                () ->
                {
                    events.tend();
                    workers.forEach(RandomWorker::step);
                    return workers.stream().allMatch(RandomWorker::isQuiet);
                },
                60 * SECOND_NS);
            Violation.unless(quiet, "LIFE-1", "not quiet: %s",
                workers.stream().map(RandomWorker::describe).collect(Collectors.joining(", ")));
            cluster.runFor(RandomOptions.LONGEST_TTL_NS);
            QuietCheck.check(cluster);
            RouteCheck.check(cluster);
        }
    }

    private static long spanNs(final Random random)
    {
        final int draw = random.nextInt(1_000);
        final long longestNs = draw < 900 ? 100_000 : draw < 990 ? 5_000_000 : 500_000_000;
        return 1 + (long)(random.nextDouble() * longestNs);
    }
}
