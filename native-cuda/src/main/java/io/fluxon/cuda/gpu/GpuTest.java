package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.CudaFailure;
import io.fluxon.cuda.driver.CudaLibrary;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.driver.PinnedRegion;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.HostPoolLayout;
import io.fluxon.cuda.kernel.Side;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Copies on the device against the twin, bit for bit. Exit status 0 when all is right, 1 when not. Without a device the
 * twin is compared with itself, which says only that the program runs, and it says so.
 */
public final class GpuTest implements AutoCloseable
{
    private static final long POOL_BYTES = 256L << 20;
    private static final CopyLimits LIMITS = new CopyLimits(16_384, 64, 512, 256L << 20, 512L << 20);
    private static final CudaCopyConfig CONFIG =
        new CudaCopyConfig(2, 16, 32, 1024, 4096, 3, 4L << 20, 64L << 10, 96L << 10,
            CudaCopyConfig.DEFAULT.table());
    private static final List<CopyStrategy> STRATEGIES =
        List.of(CopyStrategy.KERNEL, CopyStrategy.DMA, CopyStrategy.STAGED);

    private static final int[] ITEM_BYTES = {144, 256, 512, 576, 656, 1024, 1152, 2048};
    private static final int[] PAGES = {1, 3, 63, 64, 65, 129};

    private final PrintStream out;
    private final CudaContext context = null == CudaLibrary.problem() ? new CudaContext(0) : null;
    private final GpuBed bed = new GpuBed(context, POOL_BYTES, POOL_BYTES, LIMITS).start(CONFIG);
    private final Arena memory = Arena.ofShared();
    private final CommandWriter writer = new CommandWriter();
    private final CopyCommand command = new CopyCommand().allocate();
    private int passed;
    private int failed;

    private GpuTest(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Runs the tests.
     *
     * @param arguments {@code quick}: fewer pages and lengths.
     */
    public static void main(final String[] arguments)
    {
        final boolean isRight;
        try (GpuTest test = new GpuTest(System.out))
        {
            isRight = test.run(arguments.length > 0 && "quick".equals(arguments[0]));
        }
        System.exit(isRight ? 0 : 1);
    }

    private boolean run(final boolean isQuick)
    {
        out.println(null == context ? "no device, the twin against itself: " + CudaLibrary.problem() :
            "device " + context.name());
        seedCases();
        grids(isQuick ? new int[]{144, 1152} : ITEM_BYTES, isQuick ? new int[]{1, 65} : PAGES);
        models();
        hostPools();
        raw();
        layers();
        merged(isQuick ? 1000 : 10_000);
        refusals();
        if (null != context)
        {
            registration();
            events();
        }
        out.println(passed + " passed, " + failed + " failed");
        return 0 == failed;
    }

    private void seedCases()
    {
        everyWay("MHA 3 pages of 16 bytes, 2 layers", Geometry.mha(2, 16, 16), 2, null);
        everyWay("MHA K 12 and V 20 bytes", Geometry.mha(3, 12, 20), 3, null);
        everyWay("MLA 24 bytes, 3 layers", Geometry.mla(3, 24), 2, null);
        everyWay("MLA 1 byte", Geometry.mla(5, 1), 7, null);
        everyWay("Mamba items of 8 and 12 bytes", Geometry.mamba(2, 8, 12), 1, null);
        everyWay("no pages", Geometry.mha(2, 16, 16), 0, null);
    }

    private void grids(final int[] itemLengths, final int[] pageCounts)
    {
        for (final int itemBytes : itemLengths)
        {
            for (final int tokens : new int[]{1, 16, 64})
            {
                for (final int pages : pageCounts)
                {
                    if (2L * 4 * tokens * itemBytes * (pages + 4) < POOL_BYTES / 2)
                    {
                        everyWay("MHA item " + itemBytes + " x " + tokens + ", " + pages + " pages",
                            Geometry.mha(4, (long)tokens * itemBytes, (long)tokens * itemBytes), pages, null);
                    }
                }
            }
        }
    }

    private void models()
    {
        everyWay("Qwen3-8B TP2 page 64, 10 pages", Geometry.mha(36, 65536, 65536), 10, null);
        everyWay("Qwen3-8B TP2 page 1, 256 pages", Geometry.mha(36, 1024, 1024), 256, null);
        everyWay("Llama-70B TP8 page 64, 10 pages", Geometry.mha(80, 16384, 16384), 10, null);
        everyWay("DeepSeek-V3 page 64, 10 pages", Geometry.mla(61, 73728), 10, null);
        everyWay("DeepSeek-V3 fp8 page 1, 65 pages", Geometry.mla(61, 576), 65, null);
    }

    private void hostPools()
    {
        for (final HostPoolLayout layout : HostPoolLayout.values())
        {
            for (final int tokens : new int[]{1, 16, 64})
            {
                everyWay(layout + " of " + tokens + " tokens", new Geometry(List.of(
                    new Geometry.Part(3, tokens, 8, 64), new Geometry.Part(3, tokens, 8, 64))), 5, layout);
            }
            everyWay(layout + " asymmetric", new Geometry(List.of(
                new Geometry.Part(3, 16, 4, 192), new Geometry.Part(3, 16, 4, 128))), 9, layout);
            everyWay(layout + " MLA", new Geometry(List.of(new Geometry.Part(5, 16, 1, 1152))), 33, layout);
        }
    }

    private void everyWay(
        final String name, final Geometry geometry, final int pages, final HostPoolLayout layout)
    {
        try (GpuCase gpuCase = new GpuCase(bed, geometry, pages, layout, name.hashCode()))
        {
            for (final CopyStrategy strategy : STRATEGIES)
            {
                final boolean isStageable = null == layout || HostPoolLayout.PAGE_FIRST_DIRECT == layout;
                if (CopyStrategy.STAGED != strategy || isStageable || null == context)
                {
                    check(name + ", " + strategy, () -> gpuCase.run(strategy, false, false));
                    check(name + ", " + strategy + ", int32", () -> gpuCase.run(strategy, true, false));
                }
                final boolean canStage = isStageable || CopyStrategy.STAGED != strategy;
                if (CopyStrategy.DMA != strategy && canStage && null != context)
                {
                    check(name + ", " + strategy + ", tables on the device", () -> gpuCase.run(strategy, true, true));
                }
            }
        }
    }

    private void raw()
    {
        for (final CopyStrategy strategy : List.of(CopyStrategy.KERNEL, CopyStrategy.DMA))
        {
            check("raw of 31 and 17 bytes, " + strategy, () -> raw(strategy, CopyDirection.RESTORE, 31, 17));
            check("raw backup, " + strategy, () -> raw(strategy, CopyDirection.BACKUP, 1, 4099, 64, 70000));
        }
    }

    private String raw(final CopyStrategy strategy, final CopyDirection direction, final long... lengths)
    {
        bed.resetArena();
        final boolean isRestore = CopyDirection.RESTORE == direction;
        final MemorySegment pool = memory.allocate(1 << 20).fill((byte)1);
        final MemorySegment values = bed.values().asSlice(0, 1 << 20);
        GpuBed.fillRandom(isRestore ? values : pool, 5);
        bed.writePools(0, pool);
        final byte[] expected = (isRestore ? pool : values.fill((byte)2)).toArray(ValueLayout.JAVA_BYTE);
        final long[] host = new long[lengths.length];
        final long[] device = new long[lengths.length];
        for (int i = 0; i < lengths.length; i++)
        {
            final int hostOffset = i * 100_003 + 3;
            final int deviceOffset = i * 90_001 + 1;
            host[i] = values.address() + hostOffset;
            device[i] = bed.poolAddress() + deviceOffset;
            MemorySegment.copy(isRestore ? values : pool, ValueLayout.JAVA_BYTE, isRestore ? hostOffset : deviceOffset,
                expected, isRestore ? deviceOffset : hostOffset, (int)lengths[i]);
        }
        writer.raw(command, lengths.length, bed.longs(isRestore ? host : device).address(),
            bed.longs(isRestore ? device : host).address(), bed.longs(lengths).address(),
            Arrays.stream(lengths).max().orElse(0));
        bed.offer(command, direction, strategy, 0, CopyProxy.NONE, CopyProxy.NONE);
        final String failure = bed.await(1);
        bed.readPools(0, pool);
        return null != failure ? failure : Arrays.equals(expected,
            (isRestore ? pool : values).toArray(ValueLayout.JAVA_BYTE)) ? null : "differs";
    }

    /** One layer after the other by itself, in any order, and all of them with events. */
    private void layers()
    {
        for (final CopyStrategy strategy : STRATEGIES)
        {
            check("layers alone in any order, " + strategy, () -> layersAlone(strategy));
            if (null != context)
            {
                check("an event behind every layer, " + strategy, () -> layerEvents(strategy));
            }
        }
    }

    private String layersAlone(final CopyStrategy strategy)
    {
        final int[] order = {4, 0, 3, 1, 2};
        final MemorySegment pool = beginLayers(5, 7, 4096);
        final CopyCommand slice = new CopyCommand().allocate();
        for (final int layer : order)
        {
            writer.slice(command, slice, 0, 7, layer, 1);
            bed.offer(slice, CopyDirection.RESTORE, strategy, 0, CopyProxy.NONE, CopyProxy.NONE);
            final String failure = bed.await(1);
            bed.readPools(0, pool);
            if (null != failure || !isLayer(pool, layer, 7, 4096))
            {
                return null != failure ? failure : "layer " + layer + " differs";
            }
        }
        return null;
    }

    private String layerEvents(final CopyStrategy strategy)
    {
        final int layers = 36;
        final int pages = 20;
        final int fragment = 65536;
        final MemorySegment pool = beginLayers(layers, pages, fragment);
        final CudaEvent[] events = new CudaEvent[layers];
        final MemorySegment handles = memory.allocate(layers * 8L, 8);
        for (int i = 0; i < layers; i++)
        {
            events[i] = new CudaEvent(false);
            handles.setAtIndex(ValueLayout.JAVA_LONG, i, events[i].handle());
        }
        bed.offer(command, CopyDirection.RESTORE, strategy, 0, CopyProxy.NONE, handles.address());
        bed.awaitRecorded(1);
        String wrong = null;
        for (int i = 0; i < layers && null == wrong; i++)
        {
            events[i].synchronize();
            final MemorySegment layer = pool.asSlice((long)i * pages * fragment, (long)pages * fragment);
            bed.readPools((long)i * pages * fragment, layer);
            wrong = isLayer(pool, i, pages, fragment) ? null : "layer " + i + " differs behind its event";
        }
        final String failure = bed.await(1);
        for (final CudaEvent event : events)
        {
            event.close();
        }
        return null != failure ? failure : wrong;
    }

    private MemorySegment beginLayers(final int layers, final int pages, final int fragment)
    {
        bed.resetArena();
        final long valueBytes = (long)layers * fragment;
        GpuBed.fillRandom(bed.values().asSlice(0, pages * valueBytes), layers);
        final MemorySegment pool = memory.allocate(pages * valueBytes).fill((byte)9);
        bed.writePools(0, pool);
        final long[] values = new long[pages];
        final long[] table = new long[layers];
        Arrays.setAll(values, (i) -> bed.values().address() + i * valueBytes);
        Arrays.setAll(table, (i) -> bed.poolAddress() + (long)i * pages * fragment);
        writer.begin(command, Geometry.mla(layers, fragment), pages)
            .plan(Side.SOURCE, bed.plan(values), pages, 0)
            .pools(Side.TARGET, bed.longs(table).address())
            .end();
        return pool;
    }

    private boolean isLayer(final MemorySegment pool, final int layer, final int pages, final int fragment)
    {
        final long valueBytes = (long)command.layerCount() * fragment;
        for (int page = 0; page < pages; page++)
        {
            if (-1 != MemorySegment.mismatch(
                pool, ((long)layer * pages + page) * fragment, ((long)layer * pages + page + 1) * fragment,
                bed.values(), page * valueBytes + (long)layer * fragment,
                page * valueBytes + (layer + 1L) * fragment))
            {
                return false;
            }
        }
        return true;
    }

    /** Two streams, both directions, many descriptors in flight: each page there and back to another place. */
    private void merged(final int count)
    {
        for (final CopyStrategy strategy : STRATEGIES)
        {
            check(count + " descriptors on two streams, " + strategy, () -> manyDescriptors(strategy, count));
        }
    }

    private String manyDescriptors(final CopyStrategy strategy, final int count)
    {
        bed.resetArena();
        final int fragment = 1024;
        final long valueBytes = 4 * fragment;
        final MemorySegment source = bed.values().asSlice(0, count * valueBytes);
        final MemorySegment back = bed.values().asSlice(count * valueBytes, count * valueBytes).fill((byte)3);
        GpuBed.fillRandom(source, 11);
        final long[] values = new long[2 * count];
        Arrays.setAll(values, (i) -> bed.values().address() + i * valueBytes);
        final long plan = bed.plan(values);
        final long[] table = new long[4];
        Arrays.setAll(table, (i) -> bed.poolAddress() + (long)i * count * fragment);
        final long layers = bed.longs(table).address();
        for (final CopyDirection direction : List.of(CopyDirection.RESTORE, CopyDirection.BACKUP))
        {
            final boolean isRestore = CopyDirection.RESTORE == direction;
            for (int i = 0; i < count; i++)
            {
                final Side host = isRestore ? Side.SOURCE : Side.TARGET;
                writer.begin(command, Geometry.mha(2, fragment, fragment), 1)
                    .plan(host, plan, values.length, isRestore ? i : count + i)
                    .pools(host.other(), layers)
                    .end();
                command.first(host.other(), i);
                bed.offer(command, direction, strategy, i & 1, CopyProxy.NONE, CopyProxy.NONE);
            }
            final String failure = bed.await(count);
            if (null != failure)
            {
                return direction + " " + failure;
            }
        }
        return -1 == source.mismatch(back) ? null : "differs at " + source.mismatch(back);
    }

    private void refusals()
    {
        check("a null value is refused, nothing written", () -> refused("value 1 of the plan has no address", () ->
            MemorySegment.ofAddress(command.plan(Side.SOURCE)).reinterpret(64).set(ValueLayout.JAVA_LONG, 24, 0)));
        check("a wrong magic is refused, nothing written", () -> refused("no plan at address", () ->
            MemorySegment.ofAddress(command.plan(Side.SOURCE)).reinterpret(64).set(ValueLayout.JAVA_LONG, 0, 1)));
        if (null == context)
        {
            return;
        }
        check("unregistered memory is refused, nothing written", () -> refused("are not registered with CUDA", () ->
            MemorySegment.ofAddress(command.plan(Side.SOURCE)).reinterpret(64)
                .set(ValueLayout.JAVA_LONG, 24, memory.allocate(1 << 20).address())));
        check("a null in a table of the device is refused, nothing written", () ->
            refused("an entry of layers is null", () ->
            {
                final MemorySegment table = MemorySegment.ofAddress(command.layers(Side.TARGET)).reinterpret(5 * 8);
                table.setAtIndex(ValueLayout.JAVA_LONG, 3, 0);
                command.flags(CopyCommand.TARGET_ARRAYS_ON_DEVICE);
            }));
        check("a negative index of the device is refused, nothing written", () ->
            refused("a page index is negative", () ->
                command.indices(Side.TARGET, bed.longs(0, 1, 2, -1, 4, 5, 6).address())
                    .flags(CopyCommand.TARGET_ARRAYS_ON_DEVICE)));
    }

    private String refused(final String reason, final Runnable spoil)
    {
        final MemorySegment pool = beginLayers(5, 7, 4096);
        spoil.run();
        bed.offer(command, CopyDirection.RESTORE, CopyStrategy.KERNEL, 0, CopyProxy.NONE, CopyProxy.NONE);
        final String failure = bed.await(1);
        final MemorySegment after = memory.allocate(pool.byteSize());
        bed.readPools(0, after);
        return null == failure || !failure.startsWith("REFUSED") || !failure.contains(reason) ?
            "said: " + failure : -1 == after.mismatch(pool) ? null : "wrote all the same";
    }

    private void registration()
    {
        check("a second registration fails and says why", () ->
        {
            try (PinnedRegion again = new PinnedRegion(bed.values().address(), 8192, 4096))
            {
                return "registered " + again.length() + " bytes again";
            }
            catch (final CudaFailure ex)
            {
                return ex.getMessage().contains("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED") ? null : ex.getMessage();
            }
        });
        check("a registration that fails half way keeps nothing", () ->
        {
            final MemorySegment region = memory.allocate(3 * 4096, 4096);
            try (PinnedRegion last = new PinnedRegion(region.address() + 8192, 4096, 4096))
            {
                try
                {
                    new PinnedRegion(region.address(), 3 * 4096, 4096).close();
                    return "registered " + last.length() + " bytes again";
                }
                catch (final CudaFailure ex)
                {
                    new PinnedRegion(region.address(), 2 * 4096, 4096).close();
                    return null;
                }
            }
        });
    }

    private void events()
    {
        for (final CopyStrategy strategy : STRATEGIES)
        {
            check("a restore waits for the event it is to come after, " + strategy, () -> restoreAfter(strategy));
            check("a backup waits for the event it is to come after, " + strategy, () -> backupAfter(strategy));
        }
    }

    private String restoreAfter(final CopyStrategy strategy)
    {
        final MemorySegment pool = beginLayers(5, 7, 4096);
        final String failure = copyLate(CopyDirection.RESTORE, strategy);
        bed.readPools(0, pool);
        boolean isRight = true;
        for (int layer = 0; layer < 5; layer++)
        {
            isRight &= isLayer(pool, layer, 7, 4096);
        }
        return null != failure ? failure : isRight ? null : "was overwritten by what came before";
    }

    private String backupAfter(final CopyStrategy strategy)
    {
        beginLayers(5, 7, 4096);
        final long[] values = new long[7];
        final long[] table = new long[5];
        Arrays.setAll(values, (i) -> bed.values().address() + i * 5L * 4096);
        Arrays.setAll(table, (i) -> bed.poolAddress() + i * 7L * 4096);
        writer.begin(command, Geometry.mla(5, 4096), 7)
            .plan(Side.TARGET, bed.plan(values), 7, 0)
            .pools(Side.SOURCE, bed.longs(table).address())
            .end();
        final String failure = copyLate(CopyDirection.BACKUP, strategy);
        final MemorySegment written = bed.values().asSlice(0, 7 * 5 * 4096);
        final boolean isRight = -1 == written.mismatch(memory.allocate(written.byteSize()).fill((byte)4));
        return null != failure ? failure : isRight ? null : "was read before it was written";
    }

    /** Copies after an event behind a stream that fills the pools for as long as a copy takes, and longer. */
    private String copyLate(final CopyDirection direction, final CopyStrategy strategy)
    {
        try (CudaStream stream = new CudaStream(0); CudaEvent event = new CudaEvent(false))
        {
            for (int i = 0; i < 200; i++)
            {
                stream.fill(bed.poolAddress(), (byte)(i < 199 ? 5 : 4), 8L << 20);
            }
            event.record(stream);
            bed.offer(command, direction, strategy, 0, event.handle(), CopyProxy.NONE);
            final String failure = bed.await(1);
            stream.synchronize();
            return failure;
        }
    }

    private void check(final String name, final Supplier<String> test)
    {
        String wrong;
        try
        {
            wrong = test.get();
        }
        catch (final RuntimeException ex)
        {
            wrong = ex.toString();
        }
        if (null == wrong)
        {
            passed++;
            return;
        }
        failed++;
        out.println("FAILED " + name + ": " + wrong);
    }

    @Override
    public void close()
    {
        bed.close();
        memory.close();
        if (null != context)
        {
            context.close();
        }
    }
}
