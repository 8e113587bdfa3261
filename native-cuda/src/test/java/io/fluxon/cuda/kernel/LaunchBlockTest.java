package io.fluxon.cuda.kernel;

import io.fluxon.ipc.plan.PlanBlob;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

import static io.fluxon.cuda.kernel.Side.SOURCE;
import static io.fluxon.cuda.kernel.Side.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

class LaunchBlockTest
{
    private static final int PAGES = 400;
    private static final int LAYERS = 6;

    private final Arena memory = Arena.ofConfined();
    private final CommandWriter writer = new CommandWriter();
    private final CopyCommand command = new CopyCommand().allocate();
    private final LaunchBlock block = new LaunchBlock();
    private final Geometry geometry = Geometry.mha(LAYERS, 12, 20);
    private final MemorySegment values = memory.allocate(PAGES * geometry.valueBytes(), 8);
    private final MemorySegment pools = memory.allocate(values.byteSize(), 8);
    private final MemorySegment plan = memory.allocate(PlanBlob.length(PAGES), 8);
    private final MemorySegment indices = memory.allocate(ValueLayout.JAVA_LONG, PAGES);
    private final MemorySegment table = memory.allocate(ValueLayout.JAVA_LONG, 2 * LAYERS);

    @AfterEach
    void after()
    {
        memory.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 6, 8, true", "7, 2, 3, 4, true", "120, 5, 1, 8, true", "160, 0, 6, 4, true",
        "399, 1, 5, 8, false"})
    void shouldCopyTheSameWithTheTablesItTookWhateverBecomesOfThem(
        final int pages, final int firstLayer, final int layers, final int indexBytes, final boolean isAllTaken)
    {
        begin(indexBytes);
        final CopyCommand slice = new CopyCommand().allocate();
        writer.slice(command, slice, 1, pages, firstLayer, layers);
        new HostKernel().execute(slice);
        final byte[] expected = pools.toArray(ValueLayout.JAVA_BYTE);
        pools.fill((byte)0);

        block.set(slice);
        if (isAllTaken)
        {
            plan.fill((byte)1);
            indices.fill((byte)1);
            table.fill((byte)1);
        }
        new HostKernel().execute(resolved());

        assertThat(pools.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        assertThat(block.address() & 7).isZero();
    }

    @Test
    void shouldLeaveWhatOnlyTheDeviceCanRead()
    {
        begin(Long.BYTES);
        command.flags(CopyCommand.TARGET_ARRAYS_ON_DEVICE);
        final CopyCommand slice = new CopyCommand().allocate();
        writer.slice(command, slice, 0, 2, 2, 2);

        final CopyCommand taken = block.set(slice).command();

        assertThat(taken.indices(TARGET)).isEqualTo(indices.address());
        assertThat(taken.first(TARGET)).isEqualTo(slice.first(TARGET));
        assertThat(taken.layers(TARGET) + taken.firstFragment(1) * 8L)
            .isEqualTo(table.address() + slice.firstFragment(1) * 8L);
        assertThat(taken.plan(SOURCE)).isLessThan(LaunchBlock.LENGTH);
    }

    @Test
    void shouldKeepThatAPlanHasOtherValuesThanTheCommandSays()
    {
        begin(Long.BYTES);
        plan.setAtIndex(ValueLayout.JAVA_LONG, 1, PAGES - 1);

        final CopyCommand taken = block.set(firstPages(9)).command();

        assertThat(HostKernel.getLong(block.address() + taken.plan(SOURCE) + Long.BYTES))
            .isEqualTo(taken.planCount(SOURCE) - 1);
    }

    private CopyCommand firstPages(final int count)
    {
        final CopyCommand slice = new CopyCommand().allocate();
        writer.slice(command, slice, 0, count, 0, LAYERS);
        return slice;
    }

    /** All values to all pages, in random order. */
    private void begin(final int indexBytes)
    {
        final byte[] content = new byte[(int)values.byteSize()];
        new Random(indexBytes).nextBytes(content);
        values.copyFrom(MemorySegment.ofArray(content));
        final PlanBlob blob = new PlanBlob().init(plan.address(), PAGES);
        for (int i = 0; i < PAGES; i++)
        {
            final int page = (i * 7 + 3) % PAGES;
            blob.valuePtr(i, values.address() + (PAGES - 1 - i) * geometry.valueBytes());
            if (Integer.BYTES == indexBytes)
            {
                indices.setAtIndex(ValueLayout.JAVA_INT, i, page);
            }
            else
            {
                indices.setAtIndex(ValueLayout.JAVA_LONG, i, page);
            }
        }
        for (int i = 0; i < 2 * LAYERS; i++)
        {
            table.setAtIndex(ValueLayout.JAVA_LONG, i, pools.address() +
                (long)PAGES * (i < LAYERS ? i * 12 : LAYERS * 12 + (i - LAYERS) * 20));
        }
        writer.begin(command, geometry, PAGES)
            .plan(SOURCE, plan.address(), PAGES, 0)
            .pools(TARGET, table.address())
            .pageIndices(TARGET, indices.address(), indexBytes)
            .end();
    }

    /** The block's command as the host can read it: its offsets as addresses. */
    private CopyCommand resolved()
    {
        final CopyCommand taken = block.command();
        taken.plan(SOURCE, absolute(taken.plan(SOURCE)), taken.planCount(SOURCE));
        return taken.indices(TARGET, absolute(taken.indices(TARGET))).layers(TARGET, absolute(taken.layers(TARGET)));
    }

    private long absolute(final long address)
    {
        return address < LaunchBlock.LENGTH ? block.address() + address : address;
    }
}
