package io.fluxon.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.cluster.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RandomClusterTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SEEDS =
        Integer.getInteger("fluxon.seeds", Boolean.getBoolean("fluxon.test.all") ? 2_000 : 60);
    private static final long FIRST_SEED = Long.getLong("fluxon.seed", 1);

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithNothingLeftOverWhateverHappens(final long seed)
    {
        final Random random = new Random(seed);
        try (VirtualCluster cluster = new VirtualCluster(RandomOptions.of(seed, random)))
        {
            final List<RandomWorker> workers = new ArrayList<>();
            final int keys = 12 << random.nextInt(3);
            cluster.workers().forEach((worker) -> workers.add(new RandomWorker(worker, random, keys)));
            final RandomEvents events = new RandomEvents(cluster, workers, random);
            final RandomWeather weather = new RandomWeather(cluster, random);
            for (int i = 0; i < 2_000; i++)
            {
                workers.forEach(RandomWorker::step);
                events.step();
                weather.step();
                cluster.runFor(spanNs(random));
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
            assertThat(quiet).as("seed %s: %s", seed,
                workers.stream().map(RandomWorker::describe).collect(Collectors.joining(", "))).isTrue();
            cluster.runFor(RandomOptions.LONGEST_TTL_NS);
            QuietCheck.check(cluster);
            assertThat(workers.stream().mapToInt(RandomWorker::started).sum()).isGreaterThan(10);
        }
    }

    private static long spanNs(final Random random)
    {
        final int draw = random.nextInt(1_000);
        final long longestNs = draw < 900 ? 100_000 : draw < 990 ? 5_000_000 : 500_000_000;
        return 1 + (long)(random.nextDouble() * longestNs);
    }
}
