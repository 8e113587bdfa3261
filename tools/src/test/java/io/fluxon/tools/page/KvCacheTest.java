package io.fluxon.tools.page;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.client.PageList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

class KvCacheTest
{
    private static final int CAPACITY = 14;

    @ParameterizedTest
    @ValueSource(ints = { 1, 12, 64, 100, 4096 })
    void shouldFindEveryByteThatIsWrongInWhateverPoolItLies(final int pageBytes)
    {
        try (KvCache cache = new KvCache(KvCache.geometryOf(pageBytes), CAPACITY, CopyPlace.HOST))
        {
            assertThat(KvCache.geometryOf(pageBytes).valueBytes()).isEqualTo(pageBytes);
            final PageList pages = cache.take(3);
            for (int i = 0; i < 3; i++)
            {
                cache.fill(i, hash(i));
            }
            for (int i = 0; i < 3; i++)
            {
                assertThat(cache.firstDifference(i, hash(i))).isEqualTo(-1);
                assertThat(cache.firstDifference(i, hash(i + 1))).isZero();
            }
            for (int at = 0; at < pageBytes; at++)
            {
                flip(cache, pages, at);
                assertThat(cache.firstDifference(1, hash(1))).isEqualTo(at & ~7);
                assertThat(cache.firstDifference(0, hash(0))).isEqualTo(-1);
                flip(cache, pages, at);
            }
        }
    }

    @Test
    void shouldGiveOtherPagesEachTimeAndEveryPageBeforeOneComesAgain()
    {
        try (KvCache cache = new KvCache(KvCache.geometryOf(64), CAPACITY, CopyPlace.HOST))
        {
            final Set<Long> pages = new HashSet<>();
            for (int i = 0; i < 2; i++)
            {
                final MemorySegment indices = MemorySegment.ofAddress(cache.take(CAPACITY / 2).address())
                    .reinterpret(CAPACITY / 2 * Long.BYTES);
                for (int j = 0; j < CAPACITY / 2; j++)
                {
                    pages.add(indices.getAtIndex(JAVA_LONG, j));
                }
            }

            assertThat(pages).hasSize(CAPACITY).allMatch((page) -> page >= 0 && page < CAPACITY);
        }
    }

    /** Flips a bit of the second page where the pools say that it lies. */
    private static void flip(final KvCache cache, final PageList pages, final int at)
    {
        final MemorySegment all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
        final long fragmentBytes = cache.pools().geometry().parts().getFirst().fragmentBytes();
        final long pool = all.get(JAVA_LONG, cache.pools().layers() + at / fragmentBytes * Long.BYTES);
        final long page = all.get(JAVA_LONG, pages.address() + Long.BYTES);
        final long address = pool + page * fragmentBytes + at % fragmentBytes;
        all.set(JAVA_BYTE, address, (byte) (all.get(JAVA_BYTE, address) ^ 1));
    }

    private static long hash(final int page)
    {
        return new PageKeys("cache").block(page).contentHash();
    }
}
