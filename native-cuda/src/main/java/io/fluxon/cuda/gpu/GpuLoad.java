package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.Side;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Copies of one model in one direction, through the worker, from other pages each time: values and pages lie in random
 * order.
 */
final class GpuLoad
{
    private final GpuBed bed;
    private final CopyDirection direction;
    private final Geometry geometry;
    private final long plan;
    private final long table;
    private final long indices;
    private final CommandWriter writer = new CommandWriter();
    private final CopyCommand command = new CopyCommand().allocate();
    private int next;

    /** A load with values and pools of its own: half 0 or 1 of the bed's memory. */
    GpuLoad(final GpuBed bed, final GpuModel model, final CopyDirection direction, final int half)
    {
        this.bed = bed;
        this.direction = direction;
        geometry = model.geometry();
        final SplittableRandom random = new SplittableRandom(half);
        final long[] values = GpuCase.permutation(random, GpuModel.PAGES, GpuModel.PAGES);
        final long base = bed.values().address() + half * model.spanBytes();
        Arrays.setAll(values, (i) -> base + values[i] * model.slotBytes());
        plan = bed.plan(values);
        indices = bed.longs(GpuCase.permutation(random, GpuModel.PAGES, GpuModel.PAGES)).address();
        final long[] addresses = new long[geometry.fragmentCount()];
        long address = bed.poolAddress() + half * model.spanBytes();
        int entry = 0;
        for (final Geometry.Part part : geometry.parts())
        {
            for (int layer = 0; layer < part.layers(); layer++)
            {
                addresses[entry++] = address;
                address += GpuModel.PAGES * part.fragmentBytes();
            }
        }
        table = bed.longs(addresses).address();
    }

    long bytes(final int pages)
    {
        return pages * geometry.valueBytes();
    }

    /** Writes the command of the next pages. */
    void prepare(final int pages)
    {
        final Side host = CopyDirection.RESTORE == direction ? Side.SOURCE : Side.TARGET;
        if (next + pages > GpuModel.PAGES)
        {
            next = 0;
        }
        writer.begin(command, geometry, pages)
            .plan(host, plan, GpuModel.PAGES, next)
            .pools(host.other(), table)
            .pageIndices(host.other(), indices, Long.BYTES)
            .end();
        command.first(host.other(), next);
        next += pages;
    }

    void offer(final CopyStrategy strategy, final int stream, final long layerEvents)
    {
        bed.offer(command, direction, strategy, stream, CopyProxy.NONE, layerEvents);
    }
}
