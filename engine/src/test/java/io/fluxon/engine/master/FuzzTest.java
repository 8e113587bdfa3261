package io.fluxon.engine.master;

import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that were mutated, cut, or mixed: nothing crashes, what is not whole changes nothing, nothing leaks.
 */
class FuzzTest
{
    private static final int ROUNDS = 25;
    private static final int ALL_ROUNDS = 500;
    private static final int MESSAGES_PER_ROUND = 4000;
    private static final int OPERATIONS = 300;
    private static final int SEEDS = 400;
    private static final int GENERATION_OFFSET = 8;
    private static final int SESSION_ID_OFFSET = 16;
    private static final int CORRELATION_ID_OFFSET = 24;
    private static final int PREAMBLE_LENGTH = 32;

    private long malformed;
    private long published;
    private long started;
    private long done;
    private long refused;

    @Test
    @Tag("BOUND-1")
    @Tag("T1")
    void shouldSurviveMutatedMessages()
    {
        final long firstSeed = Long.getLong("fluxon.test.seed", 20_260_101);
        final int rounds = Boolean.getBoolean("fluxon.test.all") ? ALL_ROUNDS : ROUNDS;
        for (int round = 0; round < rounds; round++)
        {
            final long seed = firstSeed + round;
            try
            {
                round(new Random(seed));
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("seed " + seed, ex);
            }
        }

        assertThat(malformed).isGreaterThan(rounds * MESSAGES_PER_ROUND / 20);
        assertThat(refused).isGreaterThan(rounds);
        assertThat(published).isGreaterThan(rounds * 50L);
        assertThat(started).isGreaterThan(rounds * 20L);
        assertThat(done).isPositive();
    }

    private void round(final Random random)
    {
        final MasterFixture fixture = new MasterFixture((context) -> context
            .maxRoutes(500)
            .maxOwners(8)
            .maxReservations(500)
            .maxKeysPerBatch(64)
            .maxInflightGets(500)
            .sliceKeys(1 + random.nextInt(16))
            .operationPoolBytes(32 << 20)
            .outcomePoolBytes(32 << 20));
        final List<byte[]> corpus = corpus(fixture, random);
        for (int n = 0; n < MESSAGES_PER_ROUND; n++)
        {
            final byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
            if (0 != random.nextInt(8))
            {
                bringUpToDate(fixture, new UnsafeBuffer(bytes), random);
            }
            final byte[] mutated = random.nextBoolean() ? bytes : mutate(bytes, random, corpus);
            fixture.send(random.nextInt(12), new UnsafeBuffer(mutated), mutated.length);
            if (0 == n % 16)
            {
                fixture.nowNs += TimeUnit.MILLISECONDS.toNanos(20);
                fixture.tick();
            }
        }

        fixture.audit();
        malformed += fixture.get(MasterCounter.MESSAGES_MALFORMED);
        published += fixture.get(MasterCounter.KEYS_PUBLISHED);
        started += fixture.get(MasterCounter.GETS_STARTED);
        done += fixture.get(MasterCounter.GETS_DONE);
        refused += fixture.get(MasterCounter.SESSIONS_REFUSED);

        fixture.run(TimeUnit.SECONDS.toNanos(80));
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.ROUTES)).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS)).isZero();
        fixture.audit();
        fixture.close();
        assertThat(fixture.master.state().outcomePool.usedBytes()).isZero();
        assertThat(fixture.master.state().operationPool.usedBytes()).isZero();
    }

    /** Gives a message a session that is live now, and mostly an operation id that is new. */
    private static void bringUpToDate(final MasterFixture fixture, final UnsafeBuffer message, final Random random)
    {
        final OwnerRegistry owners = fixture.master.state().owners;
        final OwnerSession owner = owners.get(random.nextInt(owners.size()));
        if (RegisterRequestDecoder.TEMPLATE_ID != Entries.templateId(message) && owner.isLive())
        {
            message.putLong(GENERATION_OFFSET, owner.generation());
            message.putLong(SESSION_ID_OFFSET, owner.sessionId());
            message.putLong(CORRELATION_ID_OFFSET, owner.outcomes().watermark() + 1 + random.nextInt(OPERATIONS));
        }
    }

    private static byte[] mutate(final byte[] original, final Random random, final List<byte[]> corpus)
    {
        byte[] bytes = original.clone();
        switch (random.nextInt(8))
        {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(64));
            case 2 -> bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            case 3 ->
            {
                for (int i = 0; i < 4; i++)
                {
                    bytes[random.nextInt(bytes.length)] ^= (byte)(1 << random.nextInt(8));
                }
            }
            case 4 ->
            {
                if (bytes.length > PREAMBLE_LENGTH)
                {
                    bytes[PREAMBLE_LENGTH + random.nextInt(bytes.length - PREAMBLE_LENGTH)] =
                        (byte)(random.nextBoolean() ? 0xFF : 0);
                }
            }
            case 5 ->
            {
                final byte[] other = corpus.get(random.nextInt(corpus.size()));
                final int length = random.nextInt(Math.min(other.length, bytes.length));
                System.arraycopy(other, 0, bytes, 0, length);
            }
            case 6 ->
            {
                if (bytes.length >= PREAMBLE_LENGTH)
                {
                    new UnsafeBuffer(bytes, 0, bytes.length).putByte(24, (byte)random.nextInt());
                }
            }
            default ->
            {
            }
        }
        return bytes;
    }

    private static List<byte[]> corpus(final MasterFixture fixture, final Random random)
    {
        final List<byte[]> corpus = new ArrayList<>();
        final TestOwner[] owners = { fixture.registered(1), fixture.registered(2), fixture.registered(3) };
        final Recorder recorder = new Recorder(fixture, corpus);
        for (int n = 0; n < SEEDS; n++)
        {
            final TestOwner owner = owners[random.nextInt(owners.length)];
            owner.nextId = 1 + random.nextInt(100);
            final String[] keys = new String[1 + random.nextInt(5)];
            for (int i = 0; i < keys.length; i++)
            {
                keys[i] = "key-" + random.nextInt(12);
            }
            switch (random.nextInt(9))
            {
                case 0 -> owner.sendHeartbeat();
                case 1 -> owner.sendReserve(random.nextInt(4), keys);
                case 2 -> owner.sendUnreserveAs(owner.nextId, random.nextInt(100));
                case 3, 4 -> owner.sendPublish(
                    new TestOwner.Put().keys(keys).groups(keys.length).options(random.nextInt(4)));
                case 5 -> owner.sendGetStart(keys);
                case 6 -> owner.sendDone(random.nextInt(OPERATIONS), random.nextInt(4), keys[0]);
                case 7 -> owner.sendRevokeAs(owner.nextId, random.nextInt(100), random.nextInt(4) - 1);
                default -> owner.sendRegister();
            }
            recorder.take();
        }
        return corpus;
    }

    /** Takes what was sent before the master sees it. */
    private record Recorder(MasterFixture fixture, List<byte[]> corpus)
    {
        void take()
        {
            final MessageSource source = fixture.context.source();
            final MessageHandler handler = (connectionId, buffer, offset, length) ->
            {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                corpus.add(bytes);
            };
            source.poll(handler, Integer.MAX_VALUE);
        }
    }
}
