package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaLibrary;
import io.fluxon.cuda.driver.CudaStream;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

import static io.fluxon.codecs.data.CopyDirection.BACKUP;
import static io.fluxon.codecs.data.CopyDirection.RESTORE;
import static io.fluxon.codecs.data.CopyStrategy.DMA;
import static io.fluxon.codecs.data.CopyStrategy.KERNEL;
import static io.fluxon.codecs.data.CopyStrategy.STAGED;

/**
 * Measures copies on the device, each as the ratio of its rate to that of one large copy of the same run. Times are
 * medians, from before a copy is offered to the worker until its completion is polled.
 */
public final class GpuBench implements AutoCloseable
{
    private static final CopyLimits LIMITS = new CopyLimits(1024, 64, 512, 4L << 30, 8L << 30);
    private static final List<CopyStrategy> STRATEGIES = List.of(KERNEL, DMA, STAGED);
    private static final List<String> PARTS = List.of("table", "sweep", "product", "smoke");
    private static final int[] PAGES = {1, 10, 64, 256};
    private static final long CELL_NS = 150_000_000L;
    private static final long LARGE_BYTES = 1L << 30;
    private static final int LEAST_RUNS = 5;
    private static final int MOST_RUNS = 200;
    private static final int WARM_UPS = 10;
    private static final int BOTH_RUNS = 15;
    private static final int PRODUCTS = 200;
    private static final int PRODUCT_ROUNDS = 7;

    private interface RateConsumer
    {
        void accept(int pages, double rate);
    }

    private final PrintStream out;
    private final CudaContext context;
    private final List<GpuModel> models;
    private final long cellNs;
    private final GpuBed bed;
    private final double[] limit = new double[2];
    private double bothLimit;
    private double submitMicros;

    private GpuBench(final PrintStream out, final boolean isSmoke)
    {
        this.out = out;
        models = isSmoke ? GpuModel.ALL.subList(GpuModel.ALL.size() - 1, GpuModel.ALL.size()) : GpuModel.ALL;
        cellNs = isSmoke ? 0 : CELL_NS;
        context = new CudaContext(0);
        final long span = models.stream().mapToLong(GpuModel::spanBytes).max().orElseThrow();
        bed = new GpuBed(context, 2 * span, 2 * span, LIMITS);
        GpuBed.fillRandom(bed.values(), 1);
        bed.start(CudaCopyConfig.DEFAULT);
        bed.writePools(0, bed.values());
    }

    /**
     * Runs the measurements.
     *
     * @param arguments {@code table} (the default), {@code sweep}: other settings beside the default's,
     *                  {@code product}: what a matrix product loses to restores, or {@code smoke}: all of it, so little
     *                  that it only shows that it runs.
     */
    public static void main(final String[] arguments)
    {
        if (null != CudaLibrary.problem())
        {
            System.out.println("no device, nothing to measure: " + CudaLibrary.problem());
            return;
        }
        final String part = 0 == arguments.length ? PARTS.getFirst() : arguments[0];
        if (!PARTS.contains(part))
        {
            throw new IllegalArgumentException("part is " + part + ", allowed: " + String.join(", ", PARTS));
        }
        try (GpuBench bench = new GpuBench(System.out, "smoke".equals(part)))
        {
            bench.run(part);
        }
    }

    private void run(final String part)
    {
        final boolean isSmoke = "smoke".equals(part);
        reference();
        warmUp();
        reference();
        if (isSmoke || "table".equals(part))
        {
            table();
            both();
        }
        if (isSmoke || "sweep".equals(part))
        {
            sweep();
        }
        if (isSmoke || "product".equals(part))
        {
            product();
        }
        reference();
    }

    /** One large copy: the limit. */
    private void reference()
    {
        final long bytes = Math.min(LARGE_BYTES, bed.values().byteSize() / 2);
        final double[] rates = new double[3];
        try (CudaStream in = new CudaStream(0); CudaStream back = new CudaStream(0))
        {
            final long host = bed.values().address();
            final long device = bed.poolAddress();
            rates[0] = bytes / median(9, () -> copy(in, device, host, bytes));
            rates[1] = bytes / median(9, () -> copy(back, host + bytes, device + bytes, bytes));
            rates[2] = 2 * bytes / median(9, () ->
            {
                in.copy(device, host, bytes);
                back.copy(host + bytes, device + bytes, bytes);
                in.synchronize();
                back.synchronize();
            });
        }
        limit[RESTORE.value()] = Math.max(limit[RESTORE.value()], rates[0]);
        limit[BACKUP.value()] = Math.max(limit[BACKUP.value()], rates[1]);
        bothLimit = Math.max(bothLimit, rates[2]);
        out.printf("%s: large copy %.2f GB/s to the device, %.2f back, %.2f both at once%n",
            context.name(), rates[0], rates[1], rates[2]);
    }

    private static void copy(final CudaStream stream, final long target, final long source, final long bytes)
    {
        stream.copy(target, source, bytes);
        stream.synchronize();
    }

    /** Median of runs in nanoseconds, so that bytes by it are GB/s. */
    private static double median(final int runs, final Runnable run)
    {
        final double[] times = new double[runs];
        run.run();
        for (int i = 0; i < runs; i++)
        {
            final long start = System.nanoTime();
            run.run();
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return times[runs / 2];
    }

    private void table()
    {
        out.printf("%-24s %6s %8s | %8s %8s %8s | %8s %8s %8s | %s%n", "geometry", "pages", "way",
            "kernel", "dma", "staged", "kernel", "dma", "staged", "GB/s of the best; submit us a page");
        for (final GpuModel model : models)
        {
            final double[] sums = new double[STRATEGIES.size()];
            int from = PAGES.length;
            for (int i = 0; i < PAGES.length; i++)
            {
                Arrays.fill(sums, 0);
                row(model, PAGES[i], RESTORE, sums);
                row(model, PAGES[i], BACKUP, sums);
                from = STAGED != STRATEGIES.get(best(sums)) ? PAGES.length : Math.min(from, i);
            }
            out.println(PAGES.length == from ? model.name() + ": staged nowhere" :
                String.format("%s: staged from %d,%d=STAGED on", model.name(),
                model.geometry().parts().getFirst().fragmentBytes(), PAGES[from] * model.geometry().valueBytes()));
        }
    }

    /** So that what is measured first was compiled like what is measured last. */
    private void warmUp()
    {
        for (final CopyStrategy strategy : STRATEGIES)
        {
            for (int i = 0; i < WARM_UPS; i++)
            {
                cell(models.getLast(), RESTORE, strategy, 1);
                cell(models.getFirst(), BACKUP, strategy, 1);
            }
        }
    }

    private static int best(final double[] values)
    {
        int best = 0;
        for (int i = 1; i < values.length; i++)
        {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    private void row(final GpuModel model, final int pages, final CopyDirection direction, final double[] sums)
    {
        final double[] micros = new double[sums.length];
        final double[] ratios = new double[sums.length];
        final double[] submits = new double[sums.length];
        for (int i = 0; i < sums.length; i++)
        {
            final double nanos = cell(model, direction, STRATEGIES.get(i), pages);
            micros[i] = nanos / 1000;
            ratios[i] = pages * model.geometry().valueBytes() / nanos / limit[direction.value()];
            submits[i] = submitMicros / pages;
            sums[i] += ratios[i];
        }
        final int best = best(ratios);
        out.printf("%-24s %6d %8s | %8.1f %8.1f %8.1f | %8.3f %8.3f %8.3f | %6.2f; %.2f%n", model.name(), pages,
            direction, micros[0], micros[1], micros[2], ratios[0], ratios[1], ratios[2],
            ratios[best] * limit[direction.value()], submits[best]);
    }

    /** Median of a copy in nanoseconds; leaves the median of what its submission took. */
    private double cell(
        final GpuModel model, final CopyDirection direction, final CopyStrategy strategy, final int pages)
    {
        bed.resetArena();
        final GpuLoad load = new GpuLoad(bed, model, direction, 0);
        final double[] times = new double[MOST_RUNS];
        final double[] submits = new double[MOST_RUNS];
        final long end = System.nanoTime() + cellNs;
        int runs = 0;
        for (int i = -2; i < MOST_RUNS && (i < LEAST_RUNS || System.nanoTime() < end); i++)
        {
            load.prepare(pages);
            final long start = System.nanoTime();
            load.offer(strategy, 0, CopyProxy.NONE);
            bed.step();
            final long submitted = System.nanoTime();
            final String failure = bed.await(1);
            if (null != failure)
            {
                throw new IllegalStateException(model.name() + " " + direction + " " + strategy + " " + failure);
            }
            if (i >= 0)
            {
                times[i] = System.nanoTime() - start;
                submits[i] = submitted - start;
                runs++;
            }
        }
        Arrays.sort(times, 0, runs);
        Arrays.sort(submits, 0, runs);
        submitMicros = submits[runs / 2] / 1000;
        return times[runs / 2];
    }

    /** Restores and backups at once, as a ratio to both copy engines at once. */
    private void both()
    {
        for (final GpuModel model : models.subList(0, Math.min(4, models.size())))
        {
            both(model, CopyStrategy.AUTO, (pages, rate) ->
                out.printf("%-24s %6d both ways at once %.2f GB/s, %.3f of both copy engines%n",
                    model.name(), pages, rate, rate / bothLimit));
        }
    }

    private void both(final GpuModel model, final CopyStrategy strategy, final RateConsumer consumer)
    {
        bed.resetArena();
        final GpuLoad in = new GpuLoad(bed, model, RESTORE, 0);
        final GpuLoad back = new GpuLoad(bed, model, BACKUP, 1);
        for (final int pages : new int[]{64, 256})
        {
            final double nanos = median(BOTH_RUNS, () ->
            {
                in.prepare(pages);
                back.prepare(pages);
                in.offer(strategy, 0, CopyProxy.NONE);
                back.offer(strategy, 0, CopyProxy.NONE);
                final String failure = bed.await(2);
                if (null != failure)
                {
                    throw new IllegalStateException(failure);
                }
            });
            consumer.accept(pages, (in.bytes(pages) + back.bytes(pages)) / nanos);
        }
    }

    /** What a large matrix product loses to restores beside it, in turn with the same product alone. */
    private void product()
    {
        final int products = 0 == cellNs ? 1 : PRODUCTS;
        try (GpuProduct product = new GpuProduct())
        {
            product(product, products, KERNEL, CudaCopyConfig.DEFAULT);
            product(product, products, DMA, CudaCopyConfig.DEFAULT);
            product(product, products, STAGED, CudaCopyConfig.DEFAULT);
            for (final int blocks : new int[]{16, 32})
            {
                product(product, products, STAGED, config(8, blocks, 1024, 4096, 80, 8192, 3584));
            }
        }
        catch (final IllegalArgumentException ex)
        {
            out.println("no matrix product to measure beside: " + ex.getMessage());
        }
    }

    private void product(
        final GpuProduct product, final int products, final CopyStrategy strategy, final CudaCopyConfig config)
    {
        bed.start(config);
        bed.resetArena();
        final GpuLoad load = new GpuLoad(bed, models.getFirst(), RESTORE, 0);
        for (final int pages : new int[]{64, 256})
        {
            final double[] alone = new double[PRODUCT_ROUNDS];
            final double[] losses = new double[PRODUCT_ROUNDS];
            final double[] rates = new double[PRODUCT_ROUNDS];
            for (int i = 0; i < PRODUCT_ROUNDS; i++)
            {
                alone[i] = product.alone(products);
                losses[i] = 1 - product.beside(products, bed, load, strategy, pages) / alone[i];
                rates[i] = product.copyRate();
            }
            Arrays.sort(alone);
            Arrays.sort(losses);
            Arrays.sort(rates);
            final int middle = PRODUCT_ROUNDS / 2;
            out.printf("%s, restores of %d pages, %s, %d/%d blocks, beside a product of %.0f TFLOP/s: it loses " +
                "%.1f %% (%.1f to %.1f), they run at %.2f GB/s, %.3f of a large copy%n", models.getFirst().name(),
                pages, strategy, config.kernelBlocks(), config.spreadBlocks(), alone[middle] / 1e12,
                100 * losses[middle], 100 * losses[0], 100 * losses[PRODUCT_ROUNDS - 1], rates[middle],
                rates[middle] / limit[RESTORE.value()]);
        }
    }

    /** Settings of staging and of kernels together, as far as they touch each other. */
    private void sweep()
    {
        out.println("restore and backup of 1, 10, 64 and 256 pages of " + models.getFirst().name() +
            " | 1, 10 and 256 of " + models.get(Math.max(0, models.size() - 2)).name() + " | 256 of " +
            models.getLast().name() + " | both ways at once, 64 and 256 | submit us a page of 1, 10, 64, 256");
        for (final int blocks : new int[]{8, 16, 32})
        {
            sweep(KERNEL, config(blocks, 132, 1024, 4096, 80, 8192, 0));
        }
        for (final int blocks : new int[]{16, 64, 132})
        {
            sweep(STAGED, config(8, blocks, 1024, 4096, 80, 8192, 0));
        }
        sweep(STAGED, config(8, 264, 512, 4096, 80, 8192, 0));
        sweep(STAGED, config(8, 132, 1024, 2048, 80, 8192, 0));
        sweep(STAGED, config(8, 132, 1024, 4096, 40, 8192, 0));
        sweep(STAGED, config(8, 132, 1024, 4096, 80, 2048, 0));
        for (final int direct : new int[]{1024, 2048, 3072, 3584, 4096})
        {
            sweep(STAGED, config(8, 132, 1024, 4096, 80, 8192, direct));
            sweep(STAGED, config(16, 132, 1024, 4096, 80, 8192, direct));
        }
    }

    private static CudaCopyConfig config(
        final int kernelBlocks,
        final int spreadBlocks,
        final int threads,
        final int pieceBytes,
        final int slotMib,
        final int leastKib,
        final int directKib)
    {
        return new CudaCopyConfig(1, kernelBlocks, spreadBlocks, threads, pieceBytes, 2, (long)slotMib << 20,
            (long)leastKib << 10, (long)directKib << 10, CudaCopyConfig.DEFAULT.table());
    }

    private void sweep(final CopyStrategy strategy, final CudaCopyConfig config)
    {
        bed.start(config);
        out.printf("%-6s %2d/%3d blocks of %4d, pieces %d K, slots %2d M, least %4d K, direct %4d K |", strategy,
            config.kernelBlocks(), config.spreadBlocks(), config.threads(), config.pieceBytes() >> 10,
            config.slotBytes() >> 20, config.leastChunk() >> 10, config.directBytes() >> 10);
        final StringJoiner submits = new StringJoiner(" ", " | ", "");
        sweep(models.getFirst(), strategy, submits, PAGES);
        sweep(models.get(Math.max(0, models.size() - 2)), strategy, null, 1, 10, 256);
        sweep(models.getLast(), strategy, null, 256);
        both(models.getFirst(), strategy, (pages, rate) -> out.printf(" %.3f", rate / bothLimit));
        out.println(submits);
    }

    private void sweep(
        final GpuModel model, final CopyStrategy strategy, final StringJoiner submits, final int... counts)
    {
        for (final int pages : counts)
        {
            for (final CopyDirection direction : List.of(RESTORE, BACKUP))
            {
                final double nanos = cell(model, direction, strategy, pages);
                out.printf(" %.3f", pages * model.geometry().valueBytes() / nanos / limit[direction.value()]);
            }
            if (null != submits)
            {
                submits.add(String.format("%.2f", submitMicros / pages));
            }
        }
        out.print(" |");
    }

    @Override
    public void close()
    {
        bed.close();
        context.close();
    }
}
