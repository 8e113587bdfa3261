package io.fluxon.engine.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.engine.owner.OwnerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import java.util.stream.LongStream;

class RandomClusterTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SEEDS = Integer.getInteger("fluxon.seeds", 40);
    private static final long FIRST_SEED = Long.getLong("fluxon.seed", 1);

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithNothingLeftOverWhateverTheWeather(final long seed)
    {
        final Random random = new Random(seed);
        try (VirtualCluster cluster = new VirtualCluster(options(seed, random)))
        {
            final List<RandomWorker> workers = new ArrayList<>();
            cluster.workers().forEach((worker) -> workers.add(new RandomWorker(worker, random, 24)));
            if (random.nextInt(4) > 0)
            {
                weather(cluster, random);
            }
            final boolean kills = random.nextInt(3) == 0;
            for (int i = 0; i < 2_000; i++)
            {
                workers.forEach(RandomWorker::step);
                cluster.runFor(1 + random.nextInt(100_000));
                if (kills && 700 == i)
                {
                    cluster.worker(0).kill();
                }
            }
            clear(cluster);
            workers.forEach(RandomWorker::stop);
            final boolean quiet = cluster.runUntil(
                () ->
                {
                    workers.forEach(RandomWorker::step);
                    return workers.stream().allMatch(RandomWorker::isQuiet);
                },
                60 * SECOND_NS);
            assertThat(quiet || kills).as("seed %s: %s", seed,
                workers.stream().map(RandomWorker::describe).collect(Collectors.joining(", "))).isTrue();
            cluster.runFor(130 * SECOND_NS);
            QuietCheck.check(cluster);
            assertThat(workers.stream().mapToInt(RandomWorker::started).sum()).isGreaterThan(10);
        }
    }

    private static ClusterOptions options(final long seed, final Random random)
    {
        final ClusterOptions options = new ClusterOptions();
        options.seed = seed;
        options.owners = 1 + random.nextInt(3);
        options.workers = options.owners * (1 + random.nextInt(2));
        options.grantsPerOwner = 2 + random.nextInt(8);
        options.maxMessageLength = random.nextBoolean() ? 64 * 1024 : 512;
        options.reserveHardTimeoutNs = 2 * SECOND_NS;
        final int slice = 1 + random.nextInt(8);
        options.ownerSettings = () -> new OwnerSettings().planSliceKeys(slice);
        return options;
    }

    private static void weather(final VirtualCluster cluster, final Random random)
    {
        weather(cluster.master().requestFaults, random);
        weather(cluster.master().answerFaults, random);
        for (final VirtualOwner owner : cluster.owners())
        {
            weather(owner.workerRequestFaults, random);
            weather(owner.workerAnswerFaults, random);
            owner.workerRequestFaults.lossRate = 0;
            owner.workerAnswerFaults.lossRate = 0;
            owner.transferFaults.failureRate = rate(random);
            owner.transferFaults.tornRate = rate(random);
            owner.transferFaults.fullRate = rate(random);
            owner.checksumFaults.fullRate = rate(random);
            owner.transferFaults.maxDelayNs = 1_000_000L << random.nextInt(6);
        }
    }

    private static void weather(final LinkFaults faults, final Random random)
    {
        faults.lossRate = rate(random);
        faults.duplicateRate = rate(random);
        faults.reorderRate = rate(random);
        faults.backPressureRate = rate(random);
        faults.adminActionRate = rate(random);
        faults.maxDelayNs = 20_000L << random.nextInt(10);
    }

    private static double rate(final Random random)
    {
        return random.nextBoolean() ? 0 : Math.pow(10, -3 * random.nextDouble()) / 4;
    }

    private static void clear(final VirtualCluster cluster)
    {
        clear(cluster.master().requestFaults);
        clear(cluster.master().answerFaults);
        for (final VirtualOwner owner : cluster.owners())
        {
            clear(owner.workerRequestFaults);
            clear(owner.workerAnswerFaults);
            owner.transferFaults.failureRate = 0;
            owner.transferFaults.tornRate = 0;
            owner.transferFaults.fullRate = 0;
            owner.checksumFaults.fullRate = 0;
        }
    }

    private static void clear(final LinkFaults faults)
    {
        faults.lossRate = 0;
        faults.duplicateRate = 0;
        faults.reorderRate = 0;
        faults.backPressureRate = 0;
        faults.adminActionRate = 0;
    }
}
