package io.fluxon.ipc.plan;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PlanArenaTest
{
    private static final long ADDRESS = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("PLAN-1")
    @Tag("BOUND-1")
    void shouldGiveAlignedBlobsThatNeverOverlapWithinTheRange(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final int granules = 1 + random.nextInt(2000);
        final PlanArena arena = new PlanArena(ADDRESS, granules * 64L + random.nextInt(64));
        final TreeMap<Long, Long> blobs = new TreeMap<>();
        final List<Long> addresses = new ArrayList<>();
        long used = 0;

        for (int i = 0; i < 20_000; i++)
        {
            if (random.nextInt(100) < 55)
            {
                final long length = 1 + random.nextInt(0 == random.nextInt(10) ? granules * 64 : 1000);
                final long address = arena.allocate(length);
                if (PlanArena.FULL == address)
                {
                    assertThat(largestGap(blobs, granules)).isLessThan(length);
                    continue;
                }
                assertThat(address % Long.BYTES).isZero();
                assertFree(blobs, address, length, granules);
                blobs.put(address, length);
                addresses.add(address);
                used += rounded(length);
            }
            else if (!addresses.isEmpty())
            {
                final long address = addresses.remove(random.nextInt(addresses.size()));
                arena.free(address);
                used -= rounded(blobs.remove(address));
            }
            assertThat(arena.usedBytes()).isEqualTo(used);
            assertThat(arena.blobs()).isEqualTo(blobs.size());
        }

        addresses.forEach(arena::free);
        assertThat(arena.usedBytes()).isZero();
        assertThat(arena.allocate(granules * 64L)).isEqualTo(ADDRESS);
    }

    @Test
    @Tag("BOUND-1")
    void shouldSayThatItIsFullAndServeAgainWhenABlobComesBack()
    {
        final PlanArena arena = new PlanArena(ADDRESS, 4 * PlanBlob.length(62));
        final long[] blobs = new long[4];
        for (int i = 0; i < blobs.length; i++)
        {
            blobs[i] = arena.allocate(PlanBlob.length(62));
        }
        assertThat(arena.allocate(1)).isEqualTo(PlanArena.FULL);
        assertThat(arena.allocate(Long.MAX_VALUE)).isEqualTo(PlanArena.FULL);

        arena.free(blobs[1]);
        assertThat(arena.allocate(PlanBlob.length(62))).isEqualTo(blobs[1]);
    }

    @Test
    void shouldRefuseToFreeWhatIsNoBlob()
    {
        final PlanArena arena = new PlanArena(ADDRESS, 4096);
        final long blob = arena.allocate(300);
        final long other = arena.allocate(300);

        for (final long foreign : new long[]{0, -1, ADDRESS - 64, blob + 1, blob + 64, blob + 640, ADDRESS + 4096})
        {
            assertThatThrownBy(() -> arena.free(foreign)).isInstanceOf(IllegalArgumentException.class);
        }
        arena.free(blob);
        assertThatThrownBy(() -> arena.free(blob)).hasMessageContaining(String.valueOf(blob));
        arena.free(other);
        assertThatThrownBy(() -> arena.free(other)).isInstanceOf(IllegalArgumentException.class);
        assertThat(arena.blobs()).isZero();
        assertThat(arena.usedBytes()).isZero();
    }

    @Test
    void shouldRefuseARangeThatHoldsNoBlob()
    {
        assertThatThrownBy(() -> new PlanArena(0, 4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlanArena(ADDRESS + 1, 4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlanArena(ADDRESS, 63)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlanArena(ADDRESS, 4096).allocate(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static long rounded(final long length)
    {
        return (length + 63) / 64 * 64;
    }

    private static void assertFree(
        final TreeMap<Long, Long> blobs, final long address, final long length, final int granules)
    {
        assertThat(address).isGreaterThanOrEqualTo(ADDRESS);
        assertThat(address + length).isLessThanOrEqualTo(ADDRESS + granules * 64L);
        final var before = blobs.floorEntry(address);
        final var after = blobs.higherKey(address);
        assertThat(null == before || before.getKey() + before.getValue() <= address).isTrue();
        assertThat(null == after || address + length <= after).isTrue();
    }

    private static long largestGap(final TreeMap<Long, Long> blobs, final int granules)
    {
        long largest = 0;
        long end = ADDRESS;
        for (final var blob : blobs.entrySet())
        {
            largest = Math.max(largest, blob.getKey() - end);
            end = blob.getKey() + rounded(blob.getValue());
        }

        return Math.max(largest, ADDRESS + granules * 64L - end);
    }
}
