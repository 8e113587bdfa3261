package io.fluxon.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.check.Checks;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RandomChecksTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int FULL_EVERY = 64;
    private static final int SEEDS = Integer.getInteger("fluxon.seeds", 40);
    private static final long FIRST_SEED = Long.getLong("fluxon.seed", 1);

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBreakNoRuleWhateverHappens(final long seed)
    {
        final Random random = new Random(seed * 31);
        final ClusterOptions options = RandomOptions.of(seed, random);
        options.settles = false;
        try (VirtualCluster cluster = new VirtualCluster(options))
        {
            final Checks checks = new Checks(cluster, FULL_EVERY);
            cluster.settle();
            final List<RandomWorker> workers = new ArrayList<>();
            final int keys = 12 << random.nextInt(3);
            cluster.workers().forEach((worker) -> workers.add(new RandomWorker(worker, random, keys)));
            final RandomEvents events = new RandomEvents(cluster, workers, random);
            final RandomWeather weather = new RandomWeather(cluster, random);
            final int oneIn = random.nextBoolean() ? Integer.MAX_VALUE : 100 << random.nextInt(4);
            for (int i = 0; i < 2_000; i++)
            {
                workers.forEach(RandomWorker::step);
                events.step();
                weather.step();
                if (0 == random.nextInt(cluster.master().isDead() ? 100 : oneIn))
                {
                    restart(cluster);
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
            assertThat(quiet).isTrue();
            cluster.runFor(RandomOptions.LONGEST_TTL_NS);
            QuietCheck.check(cluster);
            checks.atQuiet();
        }
    }

    private static void restart(final VirtualCluster cluster)
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

    private static long spanNs(final Random random)
    {
        final int draw = random.nextInt(1_000);
        final long longestNs = draw < 900 ? 100_000 : draw < 990 ? 5_000_000 : 500_000_000;
        return 1 + (long)(random.nextDouble() * longestNs);
    }
}
