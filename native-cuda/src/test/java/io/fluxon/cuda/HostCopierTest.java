package io.fluxon.cuda;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.ipc.plan.PlanBlob;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HostCopierTest
{
    private static final byte GUARD = (byte)0xFF;
    private static final int ARENA_BYTES = 256;
    private static final int VALUE_BYTES = 4096;

    private final Random random = new Random(42);
    private final PlanBlob blob = new PlanBlob();
    private final Arena memory = Arena.ofConfined();
    private MemorySegment planArena;
    private MemorySegment values;
    private HostCopier copier;

    @BeforeEach
    void before()
    {
        planArena = memory.allocate(ARENA_BYTES, Long.BYTES);
        values = memory.allocate(8 * VALUE_BYTES, 4096);
        values.fill(GUARD);
        copier = new HostCopier(planArena.address(), ARENA_BYTES);
    }

    @AfterEach
    void after()
    {
        memory.close();
    }

    @Test
    @Tag("PLAN-1")
    void shouldRoundTripMhaPages()
    {
        final int pageBytes = 16;
        final MemorySegment[] k = pools(2, 3 * pageBytes);
        final MemorySegment[] v = pools(2, 3 * pageBytes);
        final long plan = plan(2);

        copier.copyMha(CopyDirection.BACKUP, plan, new long[]{2, 0}, addresses(k), addresses(v), 16, 16);

        assertThat(bytes(values, 0, 64)).isEqualTo(
            concat(page(k[0], 2, 16), page(k[1], 2, 16), page(v[0], 2, 16), page(v[1], 2, 16)));
        assertThat(bytes(values, VALUE_BYTES, 64)).isEqualTo(
            concat(page(k[0], 0, 16), page(k[1], 0, 16), page(v[0], 0, 16), page(v[1], 0, 16)));
        assertThat(bytes(values, 64, VALUE_BYTES - 64)).containsOnly(GUARD);

        final MemorySegment[] k2 = guarded(2, 3 * pageBytes);
        final MemorySegment[] v2 = guarded(2, 3 * pageBytes);
        copier.copyMha(CopyDirection.RESTORE, plan, new long[]{2, 0}, addresses(k2), addresses(v2), 16, 16);

        for (int layer = 0; layer < 2; layer++)
        {
            assertRestored(k[layer], k2[layer], pageBytes, new int[]{2, 0}, new int[]{1});
            assertRestored(v[layer], v2[layer], pageBytes, new int[]{2, 0}, new int[]{1});
        }
    }

    @Test
    void shouldRoundTripMhaPagesWhenKeysAndValuesDifferInLength()
    {
        final MemorySegment[] k = pools(3, 4 * 12);
        final MemorySegment[] v = pools(3, 4 * 20);
        final long plan = plan(3);

        copier.copyMha(CopyDirection.BACKUP, plan, new long[]{3, 1, 0}, addresses(k), addresses(v), 12, 20);

        assertThat(bytes(values, VALUE_BYTES, 3 * 32)).isEqualTo(concat(page(k[0], 1, 12), page(k[1], 1, 12),
            page(k[2], 1, 12), page(v[0], 1, 20), page(v[1], 1, 20), page(v[2], 1, 20)));
    }

    @Test
    @Tag("PLAN-1")
    void shouldRoundTripMlaPages()
    {
        final MemorySegment[] pools = pools(3, 3 * 24);
        final long plan = plan(2);

        copier.copyMla(CopyDirection.BACKUP, plan, new long[]{1, 0}, addresses(pools), 24);

        assertThat(bytes(values, 0, 72)).isEqualTo(
            concat(page(pools[0], 1, 24), page(pools[1], 1, 24), page(pools[2], 1, 24)));

        final MemorySegment[] restored = guarded(3, 3 * 24);
        copier.copyMla(CopyDirection.RESTORE, plan, new long[]{1, 0}, addresses(restored), 24);

        for (int layer = 0; layer < 3; layer++)
        {
            assertRestored(pools[layer], restored[layer], 24, new int[]{1, 0}, new int[]{2});
        }
    }

    @Test
    void shouldRestoreToOtherPagesThanWereWritten()
    {
        final MemorySegment[] pools = pools(2, 4 * 24);
        final long plan = plan(2);
        copier.copyMla(CopyDirection.BACKUP, plan, new long[]{0, 2}, addresses(pools), 24);

        final MemorySegment[] restored = guarded(2, 4 * 24);
        copier.copyMla(CopyDirection.RESTORE, plan, new long[]{3, 1}, addresses(restored), 24);

        assertThat(page(restored[1], 3, 24)).isEqualTo(page(pools[1], 0, 24));
        assertThat(page(restored[1], 1, 24)).isEqualTo(page(pools[1], 2, 24));
        assertThat(page(restored[0], 0, 24)).containsOnly(GUARD);
        assertThat(page(restored[0], 2, 24)).containsOnly(GUARD);
    }

    @Test
    @Tag("PLAN-1")
    void shouldRoundTripMambaState()
    {
        final MemorySegment[] conv = pools(2, 3 * 8);
        final MemorySegment[] temporal = pools(2, 3 * 12);
        final long[] layers = {conv[0].address(), conv[1].address(), temporal[0].address(), temporal[1].address()};
        final long plan = plan(1);

        copier.copyMamba(CopyDirection.BACKUP, plan, 1, layers, new long[]{8, 12}, 2);

        assertThat(bytes(values, 0, 40)).isEqualTo(concat(
            page(conv[0], 1, 8), page(conv[1], 1, 8), page(temporal[0], 1, 12), page(temporal[1], 1, 12)));

        final MemorySegment[] conv2 = guarded(2, 3 * 8);
        final MemorySegment[] temporal2 = guarded(2, 3 * 12);
        copier.copyMamba(CopyDirection.RESTORE, plan, 1, new long[]{conv2[0].address(), conv2[1].address(),
            temporal2[0].address(), temporal2[1].address()}, new long[]{8, 12}, 2);

        for (int layer = 0; layer < 2; layer++)
        {
            assertRestored(conv[layer], conv2[layer], 8, new int[]{1}, new int[]{0, 2});
            assertRestored(temporal[layer], temporal2[layer], 12, new int[]{1}, new int[]{0, 2});
        }
    }

    @Test
    void shouldCopyRawLengthsThatAreNoMultipleOfAWord()
    {
        final MemorySegment[] buffers = pools(2, 64);
        final long plan = plan(2);

        copier.copyRaw(CopyDirection.BACKUP, plan, addresses(buffers), new long[]{31, 17});

        assertThat(bytes(values, 0, 31)).isEqualTo(bytes(buffers[0], 0, 31));
        assertThat(bytes(values, VALUE_BYTES, 17)).isEqualTo(bytes(buffers[1], 0, 17));
        assertThat(bytes(values, 31, 100)).containsOnly(GUARD);
        assertThat(bytes(values, VALUE_BYTES + 17, 100)).containsOnly(GUARD);

        final MemorySegment[] restored = guarded(2, 64);
        copier.copyRaw(CopyDirection.RESTORE, plan, addresses(restored), new long[]{31, 17});

        assertThat(bytes(restored[0], 0, 31)).isEqualTo(bytes(buffers[0], 0, 31));
        assertThat(bytes(restored[0], 31, 33)).containsOnly(GUARD);
        assertThat(bytes(restored[1], 0, 17)).isEqualTo(bytes(buffers[1], 0, 17));
        assertThat(bytes(restored[1], 17, 47)).containsOnly(GUARD);
    }

    @Test
    void shouldCopyABatchBetweenAnyAddresses()
    {
        final MemorySegment[] from = pools(2, 64);
        final MemorySegment[] to = guarded(2, 64);

        copier.copyBatch(new long[]{to[0].address() + 1, to[1].address()},
            new long[]{from[0].address() + 3, from[1].address()}, new long[]{31, 17});

        assertThat(bytes(to[0], 1, 31)).isEqualTo(bytes(from[0], 3, 31));
        assertThat(bytes(to[0], 0, 1)).containsOnly(GUARD);
        assertThat(bytes(to[1], 0, 17)).isEqualTo(bytes(from[1], 0, 17));
    }

    @Test
    void shouldCopyNothingWhenThereAreNoPages()
    {
        final MemorySegment[] pools = pools(1, 16);
        final long plan = plan(0);

        copier.copyMla(CopyDirection.BACKUP, plan, new long[0], addresses(pools), 16);
        copier.copyMha(CopyDirection.BACKUP, plan, new long[0], addresses(pools), addresses(pools), 16, 16);
        copier.copyRaw(CopyDirection.BACKUP, plan, new long[0], new long[0]);

        assertThat(bytes(values, 0, 8 * VALUE_BYTES)).containsOnly(GUARD);
    }

    @Test
    @Tag("PLAN-1")
    void shouldRefuseWhatIsNoPlanBeforeAnythingIsWritten()
    {
        final MemorySegment[] pools = pools(1, 64);
        final long plan = plan(1);
        final long[] layers = addresses(pools);

        planArena.set(ValueLayout.JAVA_LONG, 0, PlanBlob.MAGIC + 1);
        assertRefused(() -> copier.copyMla(CopyDirection.BACKUP, plan, new long[]{0}, layers, 16));

        plan(1);
        planArena.set(ValueLayout.JAVA_LONG, PlanBlob.COUNT_OFFSET, ARENA_BYTES / Long.BYTES);
        assertRefused(() -> copier.copyMla(CopyDirection.BACKUP, plan, new long[]{0}, layers, 16));
        planArena.set(ValueLayout.JAVA_LONG, PlanBlob.COUNT_OFFSET, -1);
        assertRefused(() -> copier.copyMla(CopyDirection.BACKUP, plan, new long[]{0}, layers, 16));

        plan(2);
        planArena.set(ValueLayout.JAVA_LONG, PlanBlob.VALUES_OFFSET + Long.BYTES, 0);
        assertRefused(() -> copier.copyMla(CopyDirection.BACKUP, plan, new long[]{0, 1}, layers, 16));
        assertRefused(() -> copier.copyMla(CopyDirection.BACKUP, 0, new long[]{0}, layers, 16));
        assertRefused(() -> copier.copyMla(
            CopyDirection.BACKUP, planArena.address() + ARENA_BYTES, new long[]{0}, layers, 16));
    }

    @Test
    void shouldRefuseBadArgumentsBeforeAnythingIsWritten()
    {
        final long[] layers = addresses(pools(2, 64));
        final long plan = plan(2);
        final CopyDirection write = CopyDirection.BACKUP;
        final long[] pages = {0, 1};

        assertRefused(() -> copier.copyMla(write, plan, new long[]{0}, layers, 16));
        assertRefused(() -> copier.copyMla(write, plan, new long[]{0, -1}, layers, 16));
        assertRefused(() -> copier.copyMla(write, plan, new long[]{0, Long.MAX_VALUE / 16}, layers, 16));
        assertRefused(() -> copier.copyMla(write, plan, pages, new long[]{layers[0], 0}, 16));
        assertRefused(() -> copier.copyMla(write, plan, pages, new long[0], 16));
        assertRefused(() -> copier.copyMla(write, plan, pages, layers, 0));
        assertRefused(() -> copier.copyMha(write, plan, pages, layers, new long[]{layers[0]}, 16, 16));
        assertRefused(() -> copier.copyMha(write, plan, pages, layers, new long[]{layers[0], 0}, 16, 16));
        assertRefused(() -> copier.copyRaw(write, plan, layers, new long[]{16}));
        assertRefused(() -> copier.copyRaw(write, plan, layers, new long[]{16, 0}));
        assertRefused(() -> copier.copyBatch(layers, new long[]{layers[0]}, new long[]{16, 16}));
        final long one = plan(1);
        assertRefused(() -> copier.copyMamba(write, one, -1, layers, new long[]{8}, 2));
        assertRefused(() -> copier.copyMamba(write, one, 0, layers, new long[]{8, 8}, 2));
        assertRefused(() -> copier.copyMamba(write, one, Long.MAX_VALUE / 4, layers, new long[]{8}, 2));
    }

    private void assertRefused(final Runnable copy)
    {
        assertThatThrownBy(copy::run).isInstanceOf(IllegalArgumentException.class);
        assertThat(bytes(values, 0, 8 * VALUE_BYTES)).containsOnly(GUARD);
    }

    private static void assertRestored(
        final MemorySegment expected,
        final MemorySegment actual,
        final int pageBytes,
        final int[] restoredPages,
        final int[] guardPages)
    {
        for (final int page : restoredPages)
        {
            assertThat(page(actual, page, pageBytes)).isEqualTo(page(expected, page, pageBytes));
        }
        for (final int page : guardPages)
        {
            assertThat(page(actual, page, pageBytes)).containsOnly(GUARD);
        }
    }

    private long plan(final int count)
    {
        blob.init(planArena.address(), count);
        for (int i = 0; i < count; i++)
        {
            blob.valuePtr(i, values.address() + (long)i * VALUE_BYTES);
        }
        return planArena.address();
    }

    private MemorySegment[] pools(final int count, final int length)
    {
        final MemorySegment[] pools = guarded(count, length);
        for (final MemorySegment pool : pools)
        {
            final byte[] content = new byte[length];
            random.nextBytes(content);
            MemorySegment.copy(content, 0, pool, ValueLayout.JAVA_BYTE, 0, length);
        }
        return pools;
    }

    private MemorySegment[] guarded(final int count, final int length)
    {
        final MemorySegment[] pools = new MemorySegment[count];
        for (int i = 0; i < count; i++)
        {
            pools[i] = memory.allocate(length, Long.BYTES).fill(GUARD);
        }
        return pools;
    }

    private static long[] addresses(final MemorySegment[] pools)
    {
        final long[] addresses = new long[pools.length];
        for (int i = 0; i < pools.length; i++)
        {
            addresses[i] = pools[i].address();
        }
        return addresses;
    }

    private static byte[] page(final MemorySegment pool, final int index, final int pageBytes)
    {
        return bytes(pool, (long)index * pageBytes, pageBytes);
    }

    private static byte[] bytes(final MemorySegment segment, final long offset, final long length)
    {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] concat(final byte[]... parts)
    {
        int length = 0;
        for (final byte[] part : parts)
        {
            length += part.length;
        }
        final byte[] all = new byte[length];
        int offset = 0;
        for (final byte[] part : parts)
        {
            System.arraycopy(part, 0, all, offset, part.length);
            offset += part.length;
        }
        return all;
    }
}
