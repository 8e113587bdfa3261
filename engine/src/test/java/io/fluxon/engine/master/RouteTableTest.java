package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.HugeMemory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

class RouteTableTest
{
    private static final int KEYS = 100_000;
    private static final int MAX_BYTES_PER_KEY = 350;

    private final UnsafeBuffer backingBuffer = new UnsafeBuffer(new byte[BackingEncoder.ENCODED_LENGTH]);
    private final BackingDecoder backing = new BackingDecoder().wrap(backingBuffer, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[512]);

    private int key(final int number, final int length)
    {
        final String digits = String.format(Locale.ROOT, "%0" + length + "d", number);
        key.putBytes(0, digits.getBytes(StandardCharsets.US_ASCII));
        return length;
    }

    private void fill(final RouteTable routes, final int tenure, final int keys, final int length)
    {
        for (int i = 0; i < keys; i++)
        {
            final int route = routes.create(key, 0, key(i, length), 1, 2, i, 4096);
            routes.group(route, i, 1, 0, 0, 0);
            routes.addReplica(route, tenure, backing, i);
        }
    }

    @Test
    void shouldNeedNoMoreThan350BytesAKey()
    {
        final Tenures tenures = new Tenures(4);
        final int tenure = tenures.begin(1, 1);
        final RouteTable routes = new RouteTable(KEYS, 2 * KEYS, new Xx128KeyDigest(), tenures, HugeMemory.INSTANCE);
        fill(routes, tenure, KEYS, 100);

        final long recordBytes = routes.recordBytes() / KEYS;
        final long indexBytes = routes.indexBytes() / KEYS;
        assertThat(recordBytes).isLessThanOrEqualTo(270);
        assertThat(recordBytes + indexBytes).as("%s + %s", recordBytes, indexBytes)
            .isLessThanOrEqualTo(MAX_BYTES_PER_KEY);

        for (int i = 0; i < KEYS; i++)
        {
            final int route = routes.find(key, 0, key(i, 100));
            assertThat(routes.putSequence(route)).isEqualTo(i);
        }
        routes.close();
    }

    @Test
    void shouldGiveTheSameMemoryOutAgainWhenAnOwnerIsLost()
    {
        final Tenures tenures = new Tenures(4);
        final RouteTable routes = new RouteTable(KEYS, 2 * KEYS, new Xx128KeyDigest(), tenures, HugeMemory.INSTANCE);
        long memoryBytes = 0;
        for (int round = 0; round < 3; round++)
        {
            final int tenure = tenures.begin(1, 1 + round);
            fill(routes, tenure, 20_000, 100);
            tenures.end(tenure);
            assertThat(routes.findLive(key, 0, 100)).isEqualTo(LineSlab.NONE);
            int drained;
            int total = 0;
            do
            {
                drained = routes.drain(tenure, 256);
                assertThat(drained).isLessThanOrEqualTo(256);
                total += drained;
            }
            while (drained > 0);
            assertThat(total).isEqualTo(20_000);
            tenures.release(tenure);
            assertThat(routes.routeCount()).isZero();
            memoryBytes = 0 == round ? routes.recordBytes() : memoryBytes;
            assertThat(routes.recordBytes()).isEqualTo(memoryBytes);
        }
        routes.close();
    }

    @Test
    @Tag("ID-1")
    void shouldTellKeysApartWhenAllTheirDigestsAreEqual()
    {
        final Tenures tenures = new Tenures(4);
        final int tenure = tenures.begin(1, 1);
        final RouteTable routes = new RouteTable(1000, 2000, new Colliding(), tenures, HugeMemory.INSTANCE);
        fill(routes, tenure, 300, 20);
        for (int i = 0; i < 300; i++)
        {
            assertThat(routes.putSequence(routes.find(key, 0, key(i, 20)))).isEqualTo(i);
        }
        assertThat(routes.find(key, 0, key(300, 20))).isEqualTo(LineSlab.NONE);
        assertThat(routes.find(key, 0, key(1, 21))).isEqualTo(LineSlab.NONE);

        for (int i = 0; i < 300; i += 2)
        {
            routes.removeReplica(routes.firstReplica(routes.find(key, 0, key(i, 20))));
        }
        for (int i = 0; i < 300; i++)
        {
            final boolean isThere = LineSlab.NONE != routes.find(key, 0, key(i, 20));
            assertThat(isThere).isEqualTo(1 == i % 2);
        }
        routes.close();
    }

    @Test
    @Tag("ID-1")
    void shouldNeverAnswerForAnotherKeyWhenDigestsCollide()
    {
        final MasterFixture fixture = new MasterFixture((context) -> context.keyDigest(new Colliding()));
        final TestOwner owner = fixture.registered(1);
        final TestOwner reader = fixture.registered(2);
        owner.publish("a", "b");
        assertThat(reader.exists("a", "b", "c")).containsExactly(true, true, false);
        assertThat(owner.reserve(TestOwner.INFLIGHT, "x")).containsExactly(0);
        assertThat(reader.reserve(TestOwner.INFLIGHT, "x", "y")).containsExactly(122, 0);
        final UnsafeBuffer answer = reader.answer(reader.sendGetStart("b", "a"));
        assertThat(TestOwner.startItem(answer, 0).checksum()).isEqualTo(TestOwner.checksum("b"));
        assertThat(TestOwner.startItem(answer, 1).checksum()).isEqualTo(TestOwner.checksum("a"));
        fixture.audit();
        fixture.close();
    }

    /** A digest that tells no two keys apart. */
    private static final class Colliding implements KeyDigest
    {
        @Override
        public void compute(final DirectBuffer key, final int offset, final int length)
        {
        }

        @Override
        public long low()
        {
            return 42;
        }

        @Override
        public long high()
        {
            return 43;
        }
    }
}
