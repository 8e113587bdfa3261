package io.fluxon.engine.master;

import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import io.fluxon.testing.MessageMutator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that were mutated, cut, or mixed: nothing crashes, what is not whole changes nothing, nothing leaks.
 */
class FuzzTest
{
    private static final int ROUNDS = 40;
    private static final int ALL_ROUNDS = 400;
    private static final int MUTANTS_OF_ROUND = 25_000;
    private static final long MAX_GROWTH_BYTES = 24L << 20;
    private static final int OPERATIONS = 300;
    private static final int SEEDS = 400;

    private long mutants;
    private long steps;
    private long malformed;
    private long published;
    private long started;
    private long done;
    private long refused;
    private long evicted;
    private long busy;
    private long targeted;

    @Test
    @Tag("BOUND-1")
    @Tag("T1")
    void shouldSurviveMutatedMessages()
    {
        final long firstSeed = Long.getLong("fluxon.test.seed", 20_260_101);
        final int rounds = Boolean.getBoolean("fluxon.test.all") ? ALL_ROUNDS : ROUNDS;
        final long startNs = cpuNs();
        long usedBytes = 0;
        for (int round = 0; round < rounds; round++)
        {
            final long seed = firstSeed + round;
            try
            {
                round(seed);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dfluxon.test.seed=" + seed, ex);
            }
            usedBytes = 1 == round ? usedBytes() : usedBytes;
        }
        System.out.printf("fuzz, owners to master: %,d mutants among %,d messages in %.1f s of processor time; " +
            "%,d malformed, %,d published, %,d gets started, %,d done, %,d evicted, %,d busy, %,d targeted%n", mutants,
            steps, (cpuNs() - startNs) / 1e9, malformed, published, started, done, evicted, busy, targeted);

        assertThat(usedBytes() - usedBytes).as("growth of the heap").isLessThan(MAX_GROWTH_BYTES);
        assertThat(mutants).isEqualTo((long)rounds * MUTANTS_OF_ROUND);
        assertThat(malformed).isGreaterThan(mutants / 20);
        assertThat(refused).isGreaterThan(rounds);
        assertThat(published).isGreaterThan(rounds * 50L);
        assertThat(started).isGreaterThan(rounds * 20L);
        assertThat(done).isPositive();
        assertThat(evicted).isPositive();
        assertThat(busy).isPositive();
        assertThat(targeted).isPositive();
    }

    private static long cpuNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long usedBytes()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void round(final long seed)
    {
        final MessageMutator mutator = new MessageMutator(seed, MasterFixture.EPOCH, 10);
        final SplittableRandom random = mutator.random();
        final MasterFixture fixture = new MasterFixture((context) -> context
            .maxRoutes(500)
            .maxOwners(8)
            .maxReservations(500)
            .maxKeysPerBatch(64)
            .maxInflightGets(500)
            .sliceKeys(1 + random.nextInt(16))
            .operationPoolBytes(32 << 20)
            .outcomePoolBytes(32 << 20));
        final List<UnsafeBuffer> corpus = corpus(fixture, random);
        for (long n = 0; mutator.mutants() < MUTANTS_OF_ROUND; n++)
        {
            final UnsafeBuffer message = corpus.get(random.nextInt(corpus.size()));
            if (0 != random.nextInt(8))
            {
                bringUpToDate(fixture, message, random);
            }
            if (random.nextBoolean())
            {
                fixture.send(random.nextInt(12), message, message.capacity());
            }
            else
            {
                mutator.mutate(message, 0, message.capacity());
                fixture.send(random.nextInt(12), mutator.mutant(), mutator.length());
            }
            if (0 == n % 16)
            {
                fixture.nowNs += TimeUnit.MILLISECONDS.toNanos(20);
                fixture.tick();
            }
            steps++;
        }
        mutants += mutator.mutants();

        fixture.audit();
        malformed += fixture.get(MasterCounter.MESSAGES_MALFORMED);
        published += fixture.get(MasterCounter.KEYS_PUBLISHED);
        started += fixture.get(MasterCounter.GETS_STARTED);
        done += fixture.get(MasterCounter.GETS_DONE);
        refused += fixture.get(MasterCounter.SESSIONS_REFUSED);
        evicted += fixture.get(MasterCounter.REPLICAS_EVICTED);
        busy += fixture.get(MasterCounter.EVICTIONS_BUSY);
        targeted += fixture.get(MasterCounter.REPLICA_PAGES_TARGETED);

        fixture.run(TimeUnit.SECONDS.toNanos(80));
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.REPLICA_TASKS)).isZero();
        assertThat(fixture.get(MasterCounter.ROUTES)).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS)).isZero();
        fixture.audit();
        assertWorks(fixture);
        fixture.close();
        assertThat(fixture.master.state().outcomePool.usedBytes()).isZero();
        assertThat(fixture.master.state().operationPool.usedBytes()).isZero();
    }

    private static void assertWorks(final MasterFixture fixture)
    {
        final TestOwner source = fixture.registered(1_000_001);
        final TestOwner reader = fixture.registered(1_000_002);
        source.publish("key after all that");
        assertThat(reader.getStart("key after all that")).containsExactly(0);
    }

    /** Gives a message a session that is live now, and mostly an operation id that is new. */
    private static void bringUpToDate(
        final MasterFixture fixture, final UnsafeBuffer message, final SplittableRandom random)
    {
        final OwnerRegistry owners = fixture.master.state().owners;
        final OwnerSession owner = owners.get(random.nextInt(owners.size()));
        if (RegisterRequestDecoder.TEMPLATE_ID != Entries.templateId(message) && owner.isLive())
        {
            message.putLong(MessageMutator.GENERATION_OFFSET, owner.generation());
            message.putLong(MessageMutator.SESSION_ID_OFFSET, owner.sessionId());
            message.putLong(
                MessageMutator.CORRELATION_ID_OFFSET, owner.outcomes().watermark() + 1 + random.nextInt(OPERATIONS));
        }
    }

    private static List<UnsafeBuffer> corpus(final MasterFixture fixture, final SplittableRandom random)
    {
        final List<UnsafeBuffer> corpus = new ArrayList<>();
        final TestOwner[] owners =
            { fixture.registered(1), fixture.registered(2), ReplicaOwner.remote(fixture, 3, 1 << 30).owner };
        final Recorder recorder = new Recorder(fixture, corpus);
        final List<TestOwner.Member[]> published = new ArrayList<>();
        for (int n = 0; n < SEEDS; n++)
        {
            final TestOwner owner = owners[random.nextInt(owners.length)];
            owner.nextId = 1 + random.nextInt(100);
            final String[] keys = new String[1 + random.nextInt(5)];
            for (int i = 0; i < keys.length; i++)
            {
                keys[i] = "key-" + random.nextInt(12);
            }
            switch (random.nextInt(18))
            {
                case 0 -> owner.sendHeartbeat();
                case 1 -> owner.sendReserve(random.nextInt(4), keys);
                case 2 -> owner.sendUnreserveAs(owner.nextId, random.nextInt(100));
                case 3, 4 ->
                {
                    published.add(members(owner, keys));
                    owner.sendPublish(
                        new TestOwner.Put().keys(keys).groups(keys.length).options(random.nextInt(4)));
                }
                case 5 -> owner.sendGetStart(keys);
                case 6 -> owner.sendDone(random.nextInt(OPERATIONS), random.nextInt(4), keys[0]);
                case 7 -> owner.sendRevokeAs(owner.nextId, random.nextInt(100), random.nextInt(4) - 1);
                case 8, 9, 13, 14 -> owner.sendEvict(
                    published.isEmpty() ? members(owner, keys) : published.get(random.nextInt(published.size())));
                case 10, 11, 15, 16 -> new ReplicaOwner(owner).sendStart(
                    published.isEmpty() ? members(owner, keys) : published.get(random.nextInt(published.size())));
                case 12 ->
                {
                    final ReplicaOwner target = new ReplicaOwner(owner);
                    target.sendAppend(taskId(random), random.nextInt(OPERATIONS), keys);
                    target.sendGiveUp(taskId(random), random.nextInt(130));
                }
                default -> owner.sendRegister();
            }
            recorder.take();
        }
        return corpus;
    }

    private static long taskId(final SplittableRandom random)
    {
        return (MasterFixture.EPOCH << 20) + 1 + random.nextInt(50);
    }

    /** What the owner publishes next. */
    private static TestOwner.Member[] members(final TestOwner owner, final String[] keys)
    {
        final TestOwner.Member[] members = new TestOwner.Member[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            members[i] = owner.member(keys[i], owner.nextSequence + i);
        }
        return members;
    }

    /** Takes what was sent before the master sees it. */
    private record Recorder(MasterFixture fixture, List<UnsafeBuffer> corpus)
    {
        void take()
        {
            final MessageSource source = fixture.context.source();
            final MessageHandler handler = (connectionId, buffer, offset, length) ->
            {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                corpus.add(new UnsafeBuffer(bytes));
            };
            source.poll(handler, Integer.MAX_VALUE);
        }
    }
}
