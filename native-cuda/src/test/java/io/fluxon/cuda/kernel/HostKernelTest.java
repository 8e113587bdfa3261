package io.fluxon.cuda.kernel;

import io.fluxon.ipc.plan.PlanBlob;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static io.fluxon.cuda.kernel.Side.SOURCE;
import static io.fluxon.cuda.kernel.Side.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HostKernelTest
{
    private static final byte GUARD = (byte)0xEE;
    private static final int ARENA_BYTES = 64 * 1024;

    private final Random random = new Random(7);
    private final Arena memory = Arena.ofConfined();
    private final MemorySegment arena = memory.allocate(ARENA_BYTES, Long.BYTES);
    private final CommandCheck check = new CommandCheck(arena.address(), ARENA_BYTES);
    private final CommandWriter writer = new CommandWriter();
    private final HostKernel kernel = new HostKernel();
    private final CopyCommand command = command();

    @AfterEach
    void after()
    {
        memory.close();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1", "1, 16, 512", "16, 16, 512", "128, 16, 256", "65, 1, 512", "64, 64, 512", "129, 16, 1152",
        "65, 16, 144", "3, 7, 9", "2, 64, 656"})
    void shouldRoundTripPagesInAnyOrderThroughValues(final int pages, final int tokens, final int itemBytes)
    {
        final Geometry geometry = new Geometry(List.of(
            new Geometry.Part(4, tokens, 1, itemBytes), new Geometry.Part(4, tokens, 1, itemBytes)));
        final int poolPages = pages + 8;
        final MemorySegment pools = random(8L * poolPages * tokens * itemBytes);
        final MemorySegment restored = guarded(pools.byteSize());
        final MemorySegment values = guarded(pages * geometry.valueBytes());
        final int[] from = permutation(poolPages, pages);
        final int[] to = permutation(poolPages, pages);

        writer.begin(command, geometry, pages)
            .pools(SOURCE, table(pools, 8))
            .pageIndices(SOURCE, longs(from), Long.BYTES)
            .plan(TARGET, plan(values, pages, geometry.valueBytes()), pages, 0)
            .end();
        run();
        writer.begin(command, geometry, pages)
            .plan(SOURCE, plan(values, pages, geometry.valueBytes()), pages, 0)
            .pools(TARGET, table(restored, 8))
            .pageIndices(TARGET, ints(to), Integer.BYTES)
            .end();
        run();

        final byte[] expected = filled(restored.byteSize());
        final int fragment = tokens * itemBytes;
        for (int layer = 0; layer < 8; layer++)
        {
            for (int i = 0; i < pages; i++)
            {
                final long pool = (long)layer * poolPages * fragment;
                MemorySegment.copy(pools, ValueLayout.JAVA_BYTE, pool + (long)from[i] * fragment,
                    expected, (int)(pool + (long)to[i] * fragment), fragment);
                assertThat(bytes(values, i * geometry.valueBytes() + (long)layer * fragment, fragment))
                    .isEqualTo(bytes(pools, pool + (long)from[i] * fragment, fragment));
            }
        }
        assertThat(bytes(restored)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(HostPoolLayout.class)
    void shouldPlaceEveryByteOfAHostPoolWhereSgLangLooksForIt(final HostPoolLayout layout)
    {
        final Geometry geometry = new Geometry(List.of(
            new Geometry.Part(3, 4, 2, 6), new Geometry.Part(3, 4, 2, 5)));
        final int poolPages = 5;
        final MemorySegment devicePools = random(poolPages * geometry.valueBytes());
        final MemorySegment k = guarded(poolPages * 3 * 4 * 2 * 6);
        final MemorySegment v = guarded(poolPages * 3 * 4 * 2 * 5);
        final int[] device = {4, 0, 2};
        final int[] host = {1, 3, 0};

        writer.begin(command, geometry, 3)
            .pools(SOURCE, asymmetricTable(devicePools, geometry, poolPages))
            .pageIndices(SOURCE, longs(device), Long.BYTES)
            .hostPool(TARGET, layout, poolPages, k.address(), v.address())
            .pageIndices(TARGET, ints(host), Integer.BYTES)
            .end();
        run();

        final byte[] expectedK = filled(k.byteSize());
        final byte[] expectedV = filled(v.byteSize());
        for (int page = 0; page < 3; page++)
        {
            place(layout, geometry.parts().getFirst(), poolPages, devicePools, 0, device[page], host[page], expectedK);
            place(layout, geometry.parts().getLast(), poolPages, devicePools, k.byteSize(), device[page], host[page],
                expectedV);
        }
        assertThat(bytes(k)).isEqualTo(expectedK);
        assertThat(bytes(v)).isEqualTo(expectedV);
    }

    @ParameterizedTest
    @EnumSource(HostPoolLayout.class)
    void shouldRestoreFromAHostPoolToThePagesItCameFrom(final HostPoolLayout layout)
    {
        final Geometry geometry = new Geometry(List.of(new Geometry.Part(4, 16, 8, 32)));
        final MemorySegment pools = random(6 * geometry.valueBytes());
        final MemorySegment restored = guarded(pools.byteSize());
        final MemorySegment host = guarded(6 * geometry.valueBytes());
        final int[] pages = {5, 1, 3};
        writer.begin(command, geometry, 3)
            .pools(SOURCE, table(pools, 4))
            .pageIndices(SOURCE, longs(pages), Long.BYTES)
            .hostPool(TARGET, layout, 6, host.address())
            .end();
        run();

        writer.begin(command, geometry, 3)
            .hostPool(SOURCE, layout, 6, host.address())
            .pools(TARGET, table(restored, 4))
            .pageIndices(TARGET, longs(pages), Long.BYTES)
            .end();
        run();

        assertPages(pools, restored, 4, 6, pages);
    }

    @ParameterizedTest
    @EnumSource(HostPoolLayout.class)
    void shouldTakeTokensOneByOneFromAHostPool(final HostPoolLayout layout)
    {
        final Geometry geometry = new Geometry(List.of(new Geometry.Part(2, 4, 2, 8)));
        final MemorySegment pools = random(3 * geometry.valueBytes());
        final MemorySegment restored = guarded(pools.byteSize());
        final MemorySegment host = guarded(3 * geometry.valueBytes());
        final int[] tokens = {7, 0, 11, 2};
        final int[] hostTokens = {3, 10, 4, 1};
        writer.begin(command, geometry, 4)
            .pools(SOURCE, table(pools, 2))
            .tokenIndices(SOURCE, longs(tokens), Long.BYTES, 4)
            .hostPool(TARGET, layout, 3, host.address())
            .tokenIndices(TARGET, ints(hostTokens), Integer.BYTES, 4)
            .end();
        run();

        writer.begin(command, geometry, 4)
            .hostPool(SOURCE, layout, 3, host.address())
            .tokenIndices(SOURCE, longs(hostTokens), Long.BYTES, 4)
            .pools(TARGET, table(restored, 2))
            .tokenIndices(TARGET, longs(tokens), Long.BYTES, 4)
            .end();
        run();

        assertPages(pools, restored, 2, 12, tokens);
    }

    @Test
    void shouldRestoreLayersAloneAndInAnyOrder()
    {
        final Geometry geometry = Geometry.mha(3, 12, 20);
        final MemorySegment values = random(2 * geometry.valueBytes());
        final MemorySegment pools = guarded(4 * geometry.valueBytes());
        final MemorySegment whole = guarded(4 * geometry.valueBytes());
        writer.begin(command, geometry, 2)
            .plan(SOURCE, plan(values, 2, geometry.valueBytes()), 2, 0)
            .pools(TARGET, asymmetricTable(pools, geometry, 4))
            .pageIndices(TARGET, longs(3, 1), Long.BYTES)
            .end();
        final CopyCommand layer = command();

        for (final int i : new int[]{2, 0})
        {
            writer.slice(command, layer, 0, 2, i, 1);
            check.check(layer);
            kernel.execute(layer);
        }
        assertThat(bytes(pools, 4 * 12, 4 * 12)).containsOnly(GUARD);
        assertThat(bytes(pools, 3 * 4 * 12 + 4 * 20, 4 * 20)).containsOnly(GUARD);
        writer.slice(command, layer, 0, 2, 1, 1);
        kernel.execute(layer);

        command.layers(TARGET, asymmetricTable(whole, geometry, 4));
        run();
        assertThat(bytes(pools)).isEqualTo(bytes(whole));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldCopyTheSameInSlicesThroughAStagingArea(final int layers)
    {
        final Geometry geometry = new Geometry(List.of(
            new Geometry.Part(5, 2, 3, 4), new Geometry.Part(3, 1, 1, 16)));
        final MemorySegment values = random(3 * geometry.valueBytes());
        final MemorySegment whole = guarded(4 * geometry.valueBytes());
        final MemorySegment sliced = guarded(4 * geometry.valueBytes());
        final MemorySegment staging = guarded(3 * geometry.valueBytes());
        writer.begin(command, geometry, 3)
            .plan(SOURCE, plan(values, 3, geometry.valueBytes()), 3, 0)
            .pools(TARGET, asymmetricTable(whole, geometry, 4))
            .pageIndices(TARGET, longs(3, 1, 0), Long.BYTES)
            .end();
        run();
        assertThat(command.isDense(SOURCE)).isTrue();
        assertThat(command.isDense(TARGET)).isFalse();

        command.layers(TARGET, asymmetricTable(sliced, geometry, 4));
        final CopyCommand slice = command();
        for (int page = 0; page < 3; page += 2)
        {
            for (int layer = 0; layer < 5; layer += layers)
            {
                final int pages = Math.min(2, 3 - page);
                writer.slice(command, slice, page, pages, layer, Math.min(layers, 5 - layer));
                check.check(slice);
                stage(slice, pages, staging.fill(GUARD));
                kernel.execute(slice);
            }
        }

        assertThat(bytes(sliced)).isEqualTo(bytes(whole));
    }

    @Test
    void shouldMakeOneRowOfWhatLiesTogetherOnBothSides()
    {
        final Geometry geometry = new Geometry(List.of(new Geometry.Part(2, 16, 8, 32)));
        final MemorySegment host = random(geometry.valueBytes());
        writer.begin(command, geometry, 1)
            .hostPool(SOURCE, HostPoolLayout.PAGE_FIRST_DIRECT, 1, host.address())
            .values(TARGET, guarded(geometry.valueBytes()).address())
            .end();
        assertThat(command.pageRows()).isEqualTo(2);

        writer.begin(command, geometry, 1)
            .hostPool(SOURCE, HostPoolLayout.PAGE_FIRST, 1, host.address())
            .values(TARGET, guarded(geometry.valueBytes()).address())
            .end();
        assertThat(command.pageRows()).isEqualTo(2 * 16);

        writer.begin(command, geometry, 1)
            .hostPool(SOURCE, HostPoolLayout.PAGE_HEAD, 1, host.address())
            .values(TARGET, guarded(geometry.valueBytes()).address())
            .end();
        assertThat(command.pageRows()).isEqualTo(2 * 16 * 8);
        assertThat(command.pageBytes()).isEqualTo(geometry.valueBytes());
    }

    @Test
    @Tag("PLAN-1")
    void shouldNameWhatIsWrongBeforeAnythingIsWritten()
    {
        final Geometry geometry = Geometry.mla(2, 16);
        final MemorySegment values = random(2 * geometry.valueBytes());
        final MemorySegment pools = guarded(8 * geometry.valueBytes());
        final long plan = plan(values, 2, geometry.valueBytes());
        final MemorySegment table = memory.allocate(2 * Long.BYTES, Long.BYTES);
        table.setAtIndex(ValueLayout.JAVA_LONG, 0, pools.address());
        writer.begin(command, geometry, 2).plan(SOURCE, plan, 2, 0).pools(TARGET, table.address());

        assertRefused("layers[1] is null", pools);
        table.setAtIndex(ValueLayout.JAVA_LONG, 1, pools.address());
        command.indices(TARGET, longs(0, -1));
        assertRefused("index 1 is -1", pools);
        command.indices(TARGET, ints(new int[]{-2, 0})).indexForm(TARGET, Integer.BYTES, 1);
        assertRefused("index 0 is -2", pools);
        command.indexForm(TARGET, 2, 1);
        assertRefused("indices of 2 bytes", pools);
        command.indices(TARGET, 0).indexForm(TARGET, Long.BYTES, 1).first(SOURCE, 1);
        assertRefused("values 1 to 3 of a plan of 2", pools);
        command.first(SOURCE, 0).plan(SOURCE, plan, 3);
        assertRefused("the plan has 2 values, the call names 3", pools);
        arena.set(ValueLayout.JAVA_LONG, PlanBlob.COUNT_OFFSET, ARENA_BYTES);
        assertRefused("no plan", pools);
        arena.set(ValueLayout.JAVA_LONG, PlanBlob.MAGIC_OFFSET, 1);
        assertRefused("no plan", pools);
        command.plan(SOURCE, arena.address() + ARENA_BYTES, 2);
        assertRefused("outside the plan arena", pools);
    }

    @Test
    void shouldRefuseACommandOfWrongLength()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CopyCommand.MAX_LENGTH]);
        assertThatThrownBy(() -> command.copyFrom(buffer, 0, 10)).hasMessageContaining("length of a command is 10");
        buffer.putInt(Integer.BYTES, 2);
        assertThatThrownBy(() -> command.copyFrom(buffer, 0, CopyCommand.SECTIONS_OFFSET))
            .hasMessageContaining("sectionCount is 2");
        buffer.putInt(Integer.BYTES, CopyCommand.MAX_SECTIONS + 1);
        assertThatThrownBy(() -> command.copyFrom(buffer, 0, CopyCommand.MAX_LENGTH))
            .hasMessageContaining("sectionCount is 9");
    }

    private void stage(final CopyCommand slice, final int pages, final MemorySegment staging)
    {
        long position = 0;
        for (int page = 0; page < pages; page++)
        {
            for (int section = 0; section < slice.sectionCount(); section++)
            {
                final MemorySegment run = MemorySegment.ofAddress(slice.address(SOURCE, page, section))
                    .reinterpret(slice.sectionBytes(section));
                MemorySegment.copy(run, 0, staging, position, run.byteSize());
                position += run.byteSize();
            }
        }
        writer.dense(slice, SOURCE, staging.address());
    }

    private void assertRefused(final String reason, final MemorySegment untouched)
    {
        assertThatThrownBy(() -> check.check(command))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(reason);
        assertThat(bytes(untouched)).containsOnly(GUARD);
    }

    private void assertPages(
        final MemorySegment from, final MemorySegment to, final int pools, final int poolPages, final int[] pages)
    {
        final byte[] expected = filled(to.byteSize());
        final int fragment = (int)(from.byteSize() / pools / poolPages);
        for (int pool = 0; pool < pools; pool++)
        {
            for (final int page : pages)
            {
                final int offset = (pool * poolPages + page) * fragment;
                MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, expected, offset, fragment);
            }
        }
        assertThat(bytes(to)).isEqualTo(expected);
    }

    private static void place(
        final HostPoolLayout layout,
        final Geometry.Part part,
        final int poolPages,
        final MemorySegment devicePools,
        final long partOffset,
        final int devicePage,
        final int hostPage,
        final byte[] expected)
    {
        final int size = (int)part.headBytes();
        for (int layer = 0; layer < part.layers(); layer++)
        {
            for (int token = 0; token < part.tokens(); token++)
            {
                for (int head = 0; head < part.heads(); head++)
                {
                    final int from = ((layer * poolPages + devicePage) * part.tokens() + token) * part.heads() + head;
                    final int to = position(layout, part, poolPages, hostPage, layer, token, head);
                    MemorySegment.copy(devicePools, ValueLayout.JAVA_BYTE, partOffset + (long)from * size,
                        expected, to * size, size);
                }
            }
        }
    }

    private static int position(
        final HostPoolLayout layout,
        final Geometry.Part part,
        final int poolPages,
        final int page,
        final int layer,
        final int token,
        final int head)
    {
        final int layers = part.layers();
        final int tokens = part.tokens();
        final int heads = part.heads();
        return switch (layout)
        {
            case LAYER_FIRST -> ((layer * poolPages + page) * tokens + token) * heads + head;
            case PAGE_FIRST -> ((page * tokens + token) * layers + layer) * heads + head;
            case PAGE_FIRST_DIRECT -> ((page * layers + layer) * tokens + token) * heads + head;
            case PAGE_HEAD -> ((page * heads + head) * tokens + token) * layers + layer;
        };
    }

    private void run()
    {
        check.check(command);
        kernel.execute(command);
    }

    private CopyCommand command()
    {
        return new CopyCommand().allocate();
    }

    private long plan(final MemorySegment values, final int count, final long valueBytes)
    {
        final PlanBlob blob = new PlanBlob().init(arena.address(), count);
        for (int i = 0; i < count; i++)
        {
            blob.valuePtr(i, values.address() + i * valueBytes);
        }
        return arena.address();
    }

    private long table(final MemorySegment pools, final int count)
    {
        final MemorySegment table = memory.allocate((long)count * Long.BYTES, Long.BYTES);
        for (int i = 0; i < count; i++)
        {
            table.setAtIndex(ValueLayout.JAVA_LONG, i, pools.address() + i * (pools.byteSize() / count));
        }
        return table.address();
    }

    private long asymmetricTable(final MemorySegment pools, final Geometry geometry, final int poolPages)
    {
        final MemorySegment table = memory.allocate((long)geometry.fragmentCount() * Long.BYTES, Long.BYTES);
        long address = pools.address();
        int entry = 0;
        for (final Geometry.Part part : geometry.parts())
        {
            for (int layer = 0; layer < part.layers(); layer++)
            {
                table.setAtIndex(ValueLayout.JAVA_LONG, entry++, address);
                address += poolPages * part.fragmentBytes();
            }
        }
        return table.address();
    }

    private int[] permutation(final int bound, final int count)
    {
        final List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < bound; i++)
        {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        return numbers.stream().limit(count).mapToInt(Integer::intValue).toArray();
    }

    private long longs(final int... numbers)
    {
        final MemorySegment array = memory.allocate(numbers.length * (long)Long.BYTES, Long.BYTES);
        for (int i = 0; i < numbers.length; i++)
        {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, numbers[i]);
        }
        return array.address();
    }

    private long ints(final int[] numbers)
    {
        return memory.allocateFrom(ValueLayout.JAVA_INT, numbers).address();
    }

    private MemorySegment random(final long length)
    {
        final byte[] content = new byte[(int)length];
        random.nextBytes(content);
        return memory.allocateFrom(ValueLayout.JAVA_BYTE, content);
    }

    private MemorySegment guarded(final long length)
    {
        return memory.allocate(length, Long.BYTES).fill(GUARD);
    }

    private static byte[] filled(final long length)
    {
        final byte[] bytes = new byte[(int)length];
        Arrays.fill(bytes, GUARD);
        return bytes;
    }

    private static byte[] bytes(final MemorySegment segment)
    {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] bytes(final MemorySegment segment, final long offset, final long length)
    {
        return bytes(segment.asSlice(offset, length));
    }
}
