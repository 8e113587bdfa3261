package io.fluxon.engine.index;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static io.fluxon.engine.index.KeyIndex.FULL;
import static io.fluxon.engine.index.KeyIndex.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyIndexTest
{
    private static final int REFS = 400;

    private final HeapChainStore store = new HeapChainStore(REFS);
    private KeyDigest digest = new CollidingKeyDigest(1);

    @Test
    @Tag("ID-1")
    void shouldTellKeysWithEqualDigestsApart()
    {
        try (KeyIndex index = new KeyIndex("test", 100, store))
        {
            for (int ref = 0; ref < 10; ref++)
            {
                assertThat(get(index, "key" + ref)).isEqualTo(NONE);
                assertThat(put(index, "key" + ref, ref)).isEqualTo(NONE);
            }

            for (int ref = 0; ref < 10; ref++)
            {
                assertThat(get(index, "key" + ref)).isEqualTo(ref);
            }
            assertThat(get(index, "key")).isEqualTo(NONE);
            assertThat(get(index, "key10")).isEqualTo(NONE);
            assertThat(index.size()).isEqualTo(10);
        }
    }

    @Test
    @Tag("ID-1")
    void shouldKeepTheOthersWhenOneOfEqualDigestGoes()
    {
        for (final int removed : new int[]{0, 1, 2, 3})
        {
            try (KeyIndex index = new KeyIndex("test", 100, store))
            {
                for (int ref = 0; ref < 4; ref++)
                {
                    put(index, "key" + ref, ref);
                }
                assertThat(remove(index, removed)).isTrue();
                assertThat(remove(index, removed)).isFalse();

                for (int ref = 0; ref < 4; ref++)
                {
                    assertThat(get(index, "key" + ref)).isEqualTo(ref == removed ? NONE : ref);
                }
                assertThat(index.size()).isEqualTo(3);
            }
        }
    }

    @Test
    void shouldLeaveTheRecordThatIsThere()
    {
        try (KeyIndex index = new KeyIndex("test", 100, store))
        {
            put(index, "key", 1);

            assertThat(put(index, "key", 2)).isEqualTo(1);
            assertThat(get(index, "key")).isEqualTo(1);
            assertThat(remove(index, 2)).isFalse();
            assertThat(index.size()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 8", "1, 1", "2, 64", "1000000, 50", "1000000, 1"})
    @Tag("BOUND-1")
    void shouldTakeExactlyAsManyRecordsAsItMay(final int digestValues, final int capacity)
    {
        digest = new CollidingKeyDigest(digestValues);
        try (KeyIndex index = new KeyIndex("test", capacity, store))
        {
            for (int ref = 0; ref < capacity; ref++)
            {
                assertThat(put(index, "key" + ref, ref)).isEqualTo(NONE);
            }

            assertThat(put(index, "late", capacity)).isEqualTo(FULL);
            assertThat(get(index, "late")).isEqualTo(NONE);
            assertThat(put(index, "key0", capacity)).isEqualTo(0);
            remove(index, 0);
            assertThat(put(index, "late", capacity)).isEqualTo(NONE);
            assertThat(index.size()).isEqualTo(index.capacity()).isEqualTo(capacity);
        }
    }

    @Test
    @Tag("BOUND-1")
    void shouldReachItsCapacityAgainAndAgainWithManyKeys()
    {
        final int capacity = 200_000;
        final HeapChainStore records = new HeapChainStore(2 * capacity);
        digest = new Xx128KeyDigest();
        final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
        try (KeyIndex index = new KeyIndex("test", capacity, records))
        {
            for (int i = 0; i < 3 * capacity; i++)
            {
                final int ref = i % (2 * capacity);
                if (i >= capacity)
                {
                    final int old = (i - capacity) % (2 * capacity);
                    key.wrap(records.key(old));
                    digest.compute(key, 0, 8);
                    assertThat(index.remove(digest.low(), digest.high(), old)).isTrue();
                }
                final byte[] bytes = new byte[8];
                key.wrap(bytes);
                key.putLong(0, i);
                records.key(ref, bytes);
                digest.compute(key, 0, 8);
                if (NONE != index.putIfAbsent(digest.low(), digest.high(), key, 0, 8, ref))
                {
                    throw new AssertionError("record " + i + " was not taken, size " + index.size());
                }
            }
            assertThat(index.size()).isEqualTo(capacity);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 3", "3, 50", "4, 1000000"})
    @Tag("ID-1")
    void shouldAgreeWithASimpleModelAfterEveryStep(final long seed, final int digestValues)
    {
        final Random random = new Random(seed);
        final Map<String, Integer> model = new HashMap<>();
        final List<Integer> freeRefs = new ArrayList<>();
        for (int ref = 0; ref < REFS; ref++)
        {
            freeRefs.add(ref);
        }
        digest = new CollidingKeyDigest(digestValues);
        try (KeyIndex index = new KeyIndex("test", 150, store))
        {
            for (int step = 0; step < 8000; step++)
            {
                final String name = "key" + random.nextInt(200);
                final Integer present = model.get(name);
                assertThat(get(index, name)).isEqualTo(null == present ? NONE : (long) present);
                final int ref = freeRefs.remove(random.nextInt(freeRefs.size()));
                final int choice = random.nextInt(4);
                if (choice < 2)
                {
                    final long answer = put(index, name, ref);
                    final long full = 150 == model.size() ? FULL : NONE;
                    assertThat(answer).isEqualTo(null == present ? full : (long) present);
                    if (NONE == answer)
                    {
                        model.put(name, ref);
                        continue;
                    }
                }
                else if (null != present)
                {
                    assertThat(remove(index, present)).isTrue();
                    model.remove(name);
                    freeRefs.add(present);
                }
                freeRefs.add(ref);
                assertThat(index.size()).isEqualTo(model.size());
            }
            checkAll(index, model);
        }
    }

    @Test
    void shouldFreeItsMemoryOnceAndRefuseALaterUse()
    {
        final KeyIndex index = new KeyIndex("test", 100, store);
        put(index, "key", 1);

        index.close();
        index.close();
        assertThatThrownBy(() -> get(index, "key")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void shouldRefuseAnInvalidCapacity()
    {
        assertThatThrownBy(() -> new KeyIndex("test", 0, store))
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("capacity: 0");
    }

    private void checkAll(final KeyIndex index, final Map<String, Integer> model)
    {
        final Set<Long> visited = new HashSet<>();
        index.forEach((ref) -> assertThat(visited.add(ref)).isTrue());
        final Set<Long> expected = new HashSet<>();
        model.values().forEach((ref) -> expected.add((long) ref));
        assertThat(visited).isEqualTo(expected);
    }

    private long get(final KeyIndex index, final String name)
    {
        final byte[] key = name.getBytes(StandardCharsets.UTF_8);
        compute(key);

        return index.get(digest.low(), digest.high(), new UnsafeBuffer(key), 0, key.length);
    }

    private long put(final KeyIndex index, final String name, final int ref)
    {
        final byte[] key = name.getBytes(StandardCharsets.UTF_8);
        compute(key);
        store.key(ref, key);

        return index.putIfAbsent(digest.low(), digest.high(), new UnsafeBuffer(key), 0, key.length, ref);
    }

    private boolean remove(final KeyIndex index, final int ref)
    {
        compute(store.key(ref));

        return index.remove(digest.low(), digest.high(), ref);
    }

    private void compute(final byte[] key)
    {
        digest.compute(new UnsafeBuffer(key), 0, key.length);
    }
}
