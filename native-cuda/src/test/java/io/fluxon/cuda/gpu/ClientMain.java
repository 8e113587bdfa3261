package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.client.CopyClient;
import io.fluxon.cuda.client.CopyFuture;
import io.fluxon.cuda.client.CopyOptions;
import io.fluxon.cuda.client.PageList;
import io.fluxon.cuda.client.PagePools;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.driver.DeviceMemory;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.StoreOwner;
import io.fluxon.ipc.client.core.KeyBatch;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * A client's copies on the device, each after an event behind what writes its pages late, begun by a thread that has
 * another library's context.
 */
final class ClientMain
{
    private static final int LAYERS = 4;
    private static final int FRAGMENT = 1024;
    private static final int PAGES = 3;
    private static final int FILLS = 200;
    private static final long ANOTHER = 4096;
    private static final Geometry GEOMETRY = Geometry.mla(LAYERS, FRAGMENT);
    private static final CopySettings SETTINGS = new CopySettings(CopyPlace.DEVICE, 0,
        new CudaCopyConfig(1, 8, 16, 1024, 4096, 2, 1L << 20, 64L << 10, 96L << 10, CudaCopyConfig.DEFAULT.table()),
        new CopyLimits(16, 4, 4, 1 << 20, 1 << 20));

    private final Arena memory = Arena.ofShared();
    private final FluxonClient client;
    private final CopyClient copies;
    private final CudaContext context;
    private final DeviceMemory pool = new DeviceMemory((long)LAYERS * PAGES * FRAGMENT);
    private final CudaStream stream = new CudaStream(0);
    private final CudaEvent event = new CudaEvent(false);
    private final PagePools pools = new PagePools(GEOMETRY, tables(), false);
    private final PageList pages = PageList.of(memory, 2, 0, 1);

    private ClientMain(final FluxonClient client, final CopyClient copies, final CudaContext context)
    {
        this.client = client;
        this.copies = copies;
        this.context = context;
    }

    public static void main(final String[] arguments) throws IOException
    {
        final CudaContext context = new CudaContext(0);
        CudaContext.makeCurrent(ANOTHER);
        try (StoreOwner owner = new StoreOwner(Path.of(arguments[0]));
            FluxonClient client = FluxonClient.connect(
                new ClientContext().ownerDirectory(arguments[0]).clientName("test"));
            CopyClient copies = CopyClient.open(client, SETTINGS, System.out::println))
        {
            checkCurrent();
            context.enter();
            final ClientMain test = new ClientMain(client, copies, context);
            CudaContext.leave();
            test.run(CopyStrategy.STAGED);
            test.run(CopyStrategy.KERNEL);
            test.run(CopyStrategy.DMA);
            test.close();
        }
        checkCurrent();
        context.close();
    }

    private void run(final CopyStrategy strategy)
    {
        final byte written = (byte)(10 + strategy.value());
        fillLate(written);
        await(copies.backup(client.localFastPutStart(keys(strategy), GEOMETRY.valueBytes(), null), pools, pages,
            options(strategy, false)));
        boolean isRight = true;
        for (int i = 0; i < PAGES; i++)
        {
            isRight &= isOnly(MemorySegment.ofArray(client.get(strategy + "." + i)), written);
        }
        System.out.println("backup " + strategy + (isRight ? " right" : " wrong"));
        restore(strategy, written, false);
        restore(strategy, written, true);
    }

    private void restore(final CopyStrategy strategy, final byte written, final boolean isByLayer)
    {
        fillLate((byte)99);
        final CopyFuture restore = copies.restore(
            client.getTransfer(client.getStart(keys(strategy), false, null)), pools, pages,
            options(strategy, isByLayer));
        boolean isRight = restore.awaitLayer(0, 10, SECONDS);
        await(restore);
        final MemorySegment content = memory.allocate(pool.length());
        context.enter();
        stream.synchronize();
        pool.read(0, content);
        CudaContext.leave();
        isRight &= isOnly(content, written);
        System.out.println(
            "restore " + strategy + (isByLayer ? " by layer" : "") + (isRight ? " right" : " wrong"));
    }

    private void fillLate(final byte value)
    {
        context.enter();
        for (int i = 0; i < FILLS; i++)
        {
            stream.fill(pool.address(), i < FILLS - 1 ? 98 : value, pool.length());
        }
        event.record(stream);
        CudaContext.leave();
    }

    private void await(final CopyFuture future)
    {
        checkCurrent();
        if (!future.await(10, SECONDS))
        {
            throw new IllegalStateException("the copy has not ended");
        }
        checkCurrent();
    }

    private CopyOptions options(final CopyStrategy strategy, final boolean isByLayer)
    {
        return new CopyOptions(0, strategy, event.handle(), isByLayer);
    }

    private long tables()
    {
        final MemorySegment table = memory.allocate(ValueLayout.JAVA_LONG, LAYERS);
        for (int i = 0; i < LAYERS; i++)
        {
            table.setAtIndex(ValueLayout.JAVA_LONG, i, pool.address() + (long)i * PAGES * FRAGMENT);
        }
        return table.address();
    }

    private static KeyBatch keys(final CopyStrategy strategy)
    {
        final KeyBatch batch = new KeyBatch(PAGES, 64);
        for (int i = 0; i < PAGES; i++)
        {
            batch.add(strategy + "." + i);
        }
        return batch;
    }

    private static boolean isOnly(final MemorySegment content, final byte value)
    {
        for (long i = 0; i < content.byteSize(); i++)
        {
            if (value != content.get(ValueLayout.JAVA_BYTE, i))
            {
                return false;
            }
        }
        return true;
    }

    private static void checkCurrent()
    {
        if (ANOTHER != CudaContext.current())
        {
            throw new IllegalStateException("the thread's context is another one: " + CudaContext.current());
        }
    }

    private void close()
    {
        context.enter();
        event.close();
        stream.close();
        pool.close();
        CudaContext.leave();
        memory.close();
    }
}
