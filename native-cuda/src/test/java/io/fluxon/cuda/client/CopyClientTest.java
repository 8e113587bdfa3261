package io.fluxon.cuda.client;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.CopySegment;
import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.CopyWorker;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.StoreOwner;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.plan.PlanBlob;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@Timeout(60)
class CopyClientTest
{
    private static final int LAYERS = 4;
    private static final int FRAGMENT = 512;
    private static final int PAGES = 16;
    private static final Geometry GEOMETRY = Geometry.mha(LAYERS, FRAGMENT, FRAGMENT);
    private static final CopyLimits LIMITS = new CopyLimits(4, 4, 2, 1 << 20, 1 << 20);

    @TempDir
    private Path directory;
    private final Arena memory = Arena.ofShared();
    private final MemorySegment pool = memory.allocate(2L * LAYERS * PAGES * FRAGMENT, 64);
    private final PagePools pools = new PagePools(GEOMETRY, tables(), false);
    private final HeldDevice device = new HeldDevice();
    private StoreOwner owner;
    private FluxonClient client;

    @BeforeEach
    void before() throws IOException
    {
        owner = new StoreOwner(directory);
        client = FluxonClient.connect(new ClientContext().ownerDirectory(directory.toString()).clientName("test"));
        new Random(5).ints(pool.byteSize() / Integer.BYTES).collect(() -> pool.asByteBuffer(),
            (buffer, number) -> buffer.putInt(number), (a, b) -> {});
    }

    @AfterEach
    void after()
    {
        device.isHeld = false;
        client.close();
        assertThat(device.depth()).isZero();
        owner.close();
        memory.close();
    }

    @Test
    @Tag("V1")
    @Tag("PUT-2")
    void shouldCommitWhatWasCopiedAndReleaseWhatCameBackBitForBit()
    {
        owner.dropsCommitResults = true;
        try (CopyClient copies = onTwin())
        {
            final BackupFuture backup =
                copies.backup(put("a", "b", "c"), pools, pages(5, 0, 9), CopyOptions.DEFAULT);
            assertThat(backup.awaitLocalReady(5, SECONDS)).isTrue();
            assertThat(backup.isLocalReady()).isTrue();
            assertThat(backup.isDone()).isFalse();
            assertThat(backup.await(30, MILLISECONDS)).isFalse();
            assertFails(backup::results, ErrorCode.INVALID_ARGUMENT, "not done");

            final GetHandle read = read("a", "b", "c");
            final CopyFuture restore = copies.restore(read, pools, pages(1, 15, 2), CopyOptions.DEFAULT);
            assertThat(restore.await(5, SECONDS)).isTrue();

            assertSamePages(new int[]{5, 0, 9}, new int[]{1, 15, 2});
            assertThat(read.state()).isEqualTo(GetHandle.State.RELEASED);
            awaitTrue(() -> 3 == owner.released.get());
            owner.dropsCommitResults = false;
            assertThat(backup.await(10, SECONDS)).isTrue();
            assertThat(backup.results()).containsExactly(0, 0, 0);
            assertThat(copies.inFlight()).isZero();
        }
    }

    @Test
    void shouldMoveFuturesWhenNobodyWaits()
    {
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final BackupFuture backup = copies.backup(put("a"), pools, pages(3), CopyOptions.DEFAULT);
            assertThat(backup.isCopied()).isFalse();
            assertThat(owner.committed).hasValue(0);
            device.isHeld = false;

            awaitTrue(() -> 1 == owner.committed.get());
            awaitTrue(backup::isDone);
        }
    }

    @Test
    @Tag("API-9")
    void shouldAbortThePutWhenItsCopyFails()
    {
        try (CopyClient copies = held())
        {
            device.failure = "cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)";
            final PutPlan plan = put("a", "b");
            final BackupFuture backup = copies.backup(plan, pools, pages(1, 2), CopyOptions.DEFAULT);

            assertFails(() -> backup.awaitCopied(5, SECONDS), ErrorCode.TRANSPORT, "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
            assertFails(() -> backup.awaitLocalReady(5, SECONDS), ErrorCode.TRANSPORT, "(700)");
            assertFails(backup::results, ErrorCode.TRANSPORT, "(700)");
            assertThat(backup.isDone()).isTrue();
            awaitTrue(() -> 1 == owner.aborted.get());
            assertThat(owner.committed).hasValue(0);
            assertThat(plan.planAddress()).isZero();
            assertThat(copies.inFlight()).isZero();
        }
    }

    @Test
    @Tag("GET-6")
    void shouldReleaseTheReadWhenItsCopyFails()
    {
        store("a", "b");
        try (CopyClient copies = held())
        {
            device.refusal = "a page index is negative";
            final CopyFuture restore = copies.restore(read("a", "b"), pools, pages(1, 2), CopyOptions.DEFAULT);

            assertFails(() -> restore.await(5, SECONDS), ErrorCode.INVALID_ARGUMENT, "a page index is negative");
            assertThat(restore.isDone()).isTrue();
            assertThat(restore.isCopied()).isFalse();
            awaitTrue(() -> 2 == owner.released.get());
        }
    }

    @Test
    void shouldAwaitOneLayerAfterTheOther()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);
            assertThat(restore.awaitLayer(0, 20, MILLISECONDS)).isFalse();
            device.layersDone = 2;
            assertThat(restore.awaitLayer(1, 5, SECONDS)).isTrue();
            assertThat(restore.awaitLayer(0, 0, SECONDS)).isTrue();
            assertThat(restore.awaitLayer(2, 20, MILLISECONDS)).isFalse();
            assertThat(restore.layerEvent(3)).isEqualTo(67);
            assertThat(restore.isCopied()).isFalse();
            assertThat(owner.released).hasValue(0);

            device.isHeld = false;
            assertThat(restore.awaitLayer(3, 5, SECONDS)).isTrue();
            assertFails(() -> restore.awaitLayer(LAYERS, 1, SECONDS), ErrorCode.INVALID_ARGUMENT, "allowed: 0 to 3");
        }
    }

    @Test
    @Tag("GET-6")
    void shouldNotSayThatALayerIsThereWhenItsCopyIsRefused()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            device.refusal = "a value of the plan has no address";
            device.layersDone = LAYERS;
            final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);
            assertThat(restore.awaitLayer(0, 20, MILLISECONDS)).isFalse();
            device.isHeld = false;
            assertFails(() -> restore.awaitLayer(0, 5, SECONDS), ErrorCode.INVALID_ARGUMENT, "has no address");
        }
    }

    @Test
    @Tag("GET-6")
    void shouldNotSayThatALayerIsThereWhenTheCopyFailedLater()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            device.layersDone = 2;
            final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);
            assertThat(restore.awaitLayer(1, 5, SECONDS)).isTrue();
            device.refusal = "a page index is negative";
            device.isHeld = false;
            assertFails(() -> restore.await(5, SECONDS), ErrorCode.INVALID_ARGUMENT, "negative");
            assertFails(() -> restore.awaitLayer(1, 5, SECONDS), ErrorCode.INVALID_ARGUMENT, "negative");
        }
    }

    @Test
    @Tag("GET-6")
    @Tag("API-9")
    void shouldNotSayThatALayerIsThereWhenTheSessionHasEnded()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);
            owner.closeSessions();
            awaitTrue(() -> null != catchThrowable(client::waitLocalSegmentsReady));
            device.layersDone = LAYERS;
            assertThat(restore.awaitLayer(0, 20, MILLISECONDS)).isFalse();
            device.isHeld = false;
            assertFails(() -> restore.awaitLayer(0, 5, SECONDS), ErrorCode.TRANSPORT, "");
        }
    }

    @Test
    @Tag("API-9")
    void shouldSettleAllCopiesAndCloseWhenALayerEventSeesAFaultOfTheDeviceFirst()
    {
        store("a");
        final CopyClient copies = held();
        device.isHeld = true;
        final BackupFuture backup = copies.backup(put("b"), pools, pages(1), CopyOptions.DEFAULT);
        final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);
        device.layerFailure = "cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)";

        assertFails(() -> restore.await(5, SECONDS), ErrorCode.TRANSPORT, "the copy failed: cuEventQuery");
        assertFails(() -> backup.await(5, SECONDS), ErrorCode.TRANSPORT, "the copy failed: cuEventQuery");
        awaitTrue(() -> 1 == owner.aborted.get() && 1 == owner.released.get());
        copies.close();
        assertThat(device.isClosed).isTrue();
    }

    @Test
    @Tag("API-9")
    void shouldSettleAllCopiesWhenTheWorkerItselfFails()
    {
        store("a");
        final CopyClient copies = held();
        device.isHeld = true;
        final BackupFuture backup = copies.backup(put("b"), pools, pages(1), CopyOptions.DEFAULT);
        final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.DEFAULT);
        device.isBroken = true;
        device.isHeld = false;

        assertFails(() -> restore.await(5, SECONDS), ErrorCode.TRANSPORT, "the copy failed: ");
        assertFails(() -> backup.await(5, SECONDS), ErrorCode.TRANSPORT, "status 99 is none");
        awaitTrue(() -> 1 == owner.aborted.get() && 1 == owner.released.get());
        assertThat(device.isClosed).isTrue();
        final GetHandle another = read("a");
        assertFails(() -> copies.restore(another, pools, pages(1), CopyOptions.DEFAULT),
            ErrorCode.UNKNOWN, "the copy worker has failed");
        copies.close();
    }

    @Test
    @Tag("REG-1")
    void shouldCloseAgainWhatTheDeviceDidNotTakeBack()
    {
        final CopyClient copies = held();
        device.closeFailure = new IllegalStateException("cuStreamDestroy failed");

        assertThat(catchThrowable(copies::close)).hasMessage("cuStreamDestroy failed");
        assertThat(device.isClosed).isFalse();
        copies.close();
        assertThat(device.isClosed).isTrue();
        copies.close();
    }

    @Test
    void shouldHaveCountedTheCopyWhenItsFutureIsDone()
    {
        store("a");
        try (CopyClient copies = onTwin())
        {
            final PageList pages = pages(7);
            for (int i = 0; i < 1000; i++)
            {
                final GetHandle read = read("a");
                final CopyFuture restore = copies.restore(read, pools, pages, CopyOptions.DEFAULT);
                while (!restore.isDone())
                {
                    Thread.onSpinWait();
                }
                assertThat(copies.inFlight()).as("after copy %d", i).isZero();
            }
        }
    }

    @Test
    void shouldHaveAllLayersWithTheCopyOnTheTwin()
    {
        store("a");
        try (CopyClient copies = onTwin())
        {
            final CopyFuture restore = copies.restore(read("a"), pools, pages(7), CopyOptions.BY_LAYER);

            assertThat(restore.awaitLayer(LAYERS - 1, 5, SECONDS)).isTrue();
            assertThat(restore.layerEvent(0)).isZero();
        }
    }

    @Test
    @Tag("API-1")
    @Tag("API-4")
    void shouldLeaveThePlanAsItWasWhenACopyIsRefused()
    {
        store("a", "b");
        try (CopyClient copies = held())
        {
            final GetHandle read = read("a", "b");
            assertFails(() -> copies.restore(read, pools, pages(1), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "pages are 1, allowed: 2");
            assertFails(() -> copies.restorePart(read, 1, pools, pages(1, 2), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "values 1 to 3, allowed: 0 to 2");
            final PagePools larger = new PagePools(Geometry.mha(LAYERS, FRAGMENT, FRAGMENT + 8), tables(), false);
            assertFails(() -> copies.restore(read, larger, pages(1, 2), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "value 0 has 4096 bytes, allowed: 4128");
            assertFails(() -> copies.backup(new PutPlan(1), pools, pages(1), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "none that is valid now");

            device.isHeld = true;
            final CopyFuture restore = copies.restore(read, pools, pages(1, 2), CopyOptions.DEFAULT);
            assertFails(() -> copies.restore(read, pools, pages(1, 2), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "being copied already");
            assertFails(() -> copies.restorePart(read, 0, pools, pages(1), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "being copied already");
            device.isHeld = false;
            assertThat(restore.await(5, SECONDS)).isTrue();
            assertFails(() -> copies.restore(read, pools, pages(1, 2), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "none that is valid now");
        }
    }

    @Test
    @Tag("API-1")
    void shouldRefuseToEndAPlanThatIsBeingCopied()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final GetHandle read = read("a");
            final PutPlan put = put("b");
            final String readName = "the plan at address " + read.planAddress() + " is being copied";
            final String putName = "the plan at address " + put.planAddress() + " is being copied";
            final CopyFuture restore = copies.restorePart(read, 0, pools, pages(7), CopyOptions.DEFAULT);
            final CopyFuture again = copies.restorePart(read, 0, pools, pages(8), CopyOptions.DEFAULT);
            final BackupFuture backup = copies.backup(put, pools, pages(7), CopyOptions.DEFAULT);
            assertFails(() -> client.releaseViews(read), ErrorCode.INVALID_ARGUMENT, readName);
            assertFails(() -> client.localFastPutCommit(put), ErrorCode.INVALID_ARGUMENT, putName);
            assertFails(() -> client.putAbort(put), ErrorCode.INVALID_ARGUMENT, putName);
            assertFails(() -> client.startPutAbort(put), ErrorCode.INVALID_ARGUMENT, putName);
            device.isHeld = false;
            assertThat(restore.await(5, SECONDS) && again.await(5, SECONDS)).isTrue();
            client.releaseViews(read);
            assertThat(backup.await(5, SECONDS)).isTrue();
        }
    }

    @Test
    @Tag("API-1")
    void shouldRefuseACopyOfAPlanThatAnotherCopierOfTheClientHas()
    {
        store("a");
        try (CopyClient copies = held(); CopyClient others = onTwin())
        {
            device.isHeld = true;
            final GetHandle read = read("a");
            final CopyFuture restore = copies.restore(read, pools, pages(7), CopyOptions.DEFAULT);
            assertFails(() -> others.restore(read, pools, pages(8), CopyOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT, "being copied already");
            device.isHeld = false;
            assertThat(restore.await(5, SECONDS)).isTrue();
        }
    }

    @Test
    @Tag("REG-1")
    void shouldNotUnmapTheSegmentWhileItIsBeingRegistered() throws Exception
    {
        final CountDownLatch registering = new CountDownLatch(1);
        final CountDownLatch registered = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(2))
        {
            final CopySegment segment = CopySegment.of(client.waitLocalSegmentsReady().getFirst());
            final Future<CopyClient> opening = threads.submit(() -> opened(() ->
            {
                registering.countDown();
                awaitUninterruptibly(registered);
                return CopyWorker.open(segment, LIMITS, device);
            }, 10_000));
            assertThat(registering.await(5, SECONDS)).isTrue();
            final Future<?> closing = threads.submit(client::close);
            LockSupport.parkNanos(MILLISECONDS.toNanos(50));
            assertThat(closing.isDone()).isFalse();
            registered.countDown();
            opening.get(5, SECONDS);
            closing.get(5, SECONDS);
        }
        assertThat(device.isClosed).isTrue();
        assertFails(this::held, ErrorCode.SHUTDOWN, "the client is being closed");
    }

    @Test
    void shouldLeaveThePlanToTheCallerWhenPartsOfItAreCopied()
    {
        try (CopyClient copies = onTwin())
        {
            final PutPlan plan = put("a", "b");
            assertThat(copies.backupPart(plan, 1, pools, pages(4), CopyOptions.DEFAULT).await(5, SECONDS)).isTrue();
            assertThat(copies.backupPart(plan, 0, pools, pages(3), CopyOptions.DEFAULT).await(5, SECONDS)).isTrue();
            assertThat(client.localFastPutCommit(plan).await(5, SECONDS)).isTrue();

            final GetHandle read = read("a", "b");
            assertThat(copies.restorePart(read, 0, pools, pages(11), CopyOptions.DEFAULT).await(5, SECONDS)).isTrue();
            assertThat(copies.restorePart(read, 1, pools, pages(10), CopyOptions.DEFAULT).await(5, SECONDS)).isTrue();
            assertThat(read.state()).isEqualTo(GetHandle.State.READABLE);
            client.releaseViews(read);
            assertSamePages(new int[]{3, 4}, new int[]{11, 10});
        }
    }

    @Test
    @Tag("BOUND-1")
    void shouldSayThatThereAreTooManyCopiesAndTakeMoreWhenSomeHaveEnded()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final List<CopyFuture> futures = new ArrayList<>();
            for (int i = 0; i < LIMITS.tasks(); i++)
            {
                futures.add(copies.restore(read("a"), pools, pages(i), CopyOptions.DEFAULT));
            }
            final GetHandle oneMore = read("a");
            assertFails(() -> copies.restore(oneMore, pools, pages(9), CopyOptions.DEFAULT),
                ErrorCode.BACK_PRESSURED, "4 copies are in flight");
            device.isHeld = false;
            for (final CopyFuture future : futures)
            {
                assertThat(future.await(5, SECONDS)).isTrue();
            }
            assertThat(copies.restore(oneMore, pools, pages(9), CopyOptions.DEFAULT).await(5, SECONDS)).isTrue();
        }
    }

    @Test
    @Tag("REG-1")
    void shouldEndWhatIsInFlightBeforeTheClientUnmapsTheSegment() throws Exception
    {
        store("a");
        final CopyClient copies = held();
        device.isHeld = true;
        final BackupFuture backup = copies.backup(put("b"), pools, pages(1), CopyOptions.DEFAULT);
        final CopyFuture restore = copies.restore(read("a"), pools, pages(2), CopyOptions.DEFAULT);
        try (ExecutorService threads = Executors.newSingleThreadExecutor())
        {
            final Future<?> close = threads.submit(client::close);
            assertThat(backup.awaitCopied(50, MILLISECONDS)).isFalse();
            assertThat(device.isClosed).isFalse();
            assertThat(close.isDone()).isFalse();
            final GetHandle another = read("a");
            assertFails(() -> copies.restore(another, pools, pages(3), CopyOptions.DEFAULT),
                ErrorCode.SHUTDOWN, "closed");
            device.isHeld = false;
            close.get(20, SECONDS);
        }

        assertThat(device.isClosed).isTrue();
        assertFails(() -> backup.await(1, SECONDS), ErrorCode.SHUTDOWN, "closed while this one was in flight");
        assertFails(() -> restore.await(1, SECONDS), ErrorCode.SHUTDOWN, "closed while this one was in flight");
        awaitTrue(() -> 1 == owner.aborted.get());
        assertThat(owner.committed).hasValue(1);
    }

    @Test
    @Tag("SLOT-7")
    void shouldKeepTheSegmentMappedWhileACopyMayTouchIt()
    {
        store("a");
        device.isHeld = true;
        final CopyClient copies = held(100);
        final GetHandle read = read("a");
        final long address = read.planAddress();
        final CopyFuture restore = copies.restore(read, pools, pages(2), CopyOptions.DEFAULT);

        assertFails(client::close, ErrorCode.TRANSPORT, "1 copies did not end within 100 ms");
        assertThat(device.isClosed).isFalse();
        assertThat(new PlanBlob().wrap(address, 24).count()).isEqualTo(1);
        device.isHeld = false;
        client.close();
        assertThat(device.isClosed).isTrue();
        assertFails(() -> restore.await(1, SECONDS), ErrorCode.SHUTDOWN, "closed while");
    }

    @Test
    @Tag("API-9")
    void shouldFailTheCopyWhenTheSessionEndsInTheMiddle()
    {
        store("a");
        try (CopyClient copies = held())
        {
            device.isHeld = true;
            final BackupFuture backup = copies.backup(put("b"), pools, pages(1), CopyOptions.DEFAULT);
            final CopyFuture restore = copies.restore(read("a"), pools, pages(2), CopyOptions.DEFAULT);
            final CopyFuture part = copies.restorePart(read("a"), 0, pools, pages(3), CopyOptions.DEFAULT);
            owner.closeSessions();
            awaitTrue(() -> null != catchThrowable(client::waitLocalSegmentsReady));
            device.isHeld = false;

            assertFails(() -> backup.await(5, SECONDS), ErrorCode.TRANSPORT, "");
            assertFails(() -> restore.await(5, SECONDS), ErrorCode.TRANSPORT, "");
            assertFails(() -> part.await(5, SECONDS), ErrorCode.TRANSPORT, "");
            assertThat(copies.inFlight()).isZero();
        }
    }

    @Test
    void shouldServeManyThreads() throws Exception
    {
        try (CopyClient copies = onTwin(); ExecutorService threads = Executors.newFixedThreadPool(4))
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++)
            {
                final int page = i;
                futures.add(threads.submit(() -> backUpAndRestore(copies, page)));
            }
            for (final Future<?> future : futures)
            {
                future.get(30, SECONDS);
            }
            assertThat(copies.inFlight()).isZero();
        }
    }

    private void backUpAndRestore(final CopyClient copies, final int page)
    {
        for (int i = 0; i < 20; i++)
        {
            final String key = page + "." + i;
            assertThat(copies.backup(put(key), pools, pages(page), CopyOptions.DEFAULT).awaitLocalReady(5, SECONDS))
                .isTrue();
            assertThat(copies.restore(read(key), pools, pages(page + 8), CopyOptions.DEFAULT).await(5, SECONDS))
                .isTrue();
            assertSamePages(new int[]{page}, new int[]{page + 8});
        }
    }

    private CopyClient onTwin()
    {
        return CopyClient.open(
            client, new CopySettings(CopyPlace.HOST, 0, CudaCopyConfig.DEFAULT, LIMITS), (line) -> {});
    }

    private CopyClient held()
    {
        return held(10_000);
    }

    private CopyClient held(final long closeTimeoutMs)
    {
        return opened(() -> CopyWorker.open(
            CopySegment.of(client.waitLocalSegmentsReady().getFirst()), LIMITS, device), closeTimeoutMs);
    }

    private CopyClient opened(final Supplier<CopyWorker> opening, final long closeTimeoutMs)
    {
        return new CopyClient(client, opening, LIMITS.tasks(), MILLISECONDS.toNanos(closeTimeoutMs));
    }

    private PutPlan put(final String... keys)
    {
        return client.localFastPutStart(batch(keys), GEOMETRY.valueBytes(), null);
    }

    private GetHandle read(final String... keys)
    {
        return client.getTransfer(client.getStart(batch(keys), false, null));
    }

    private void store(final String... keys)
    {
        final PutPlan plan = put(keys);
        assertThat(client.localFastPutCommit(plan).await(5, SECONDS)).isTrue();
    }

    private static KeyBatch batch(final String... keys)
    {
        final KeyBatch batch = new KeyBatch(keys.length, 64);
        for (final String key : keys)
        {
            batch.add(key);
        }
        return batch;
    }

    private PageList pages(final long... indices)
    {
        return PageList.of(memory, indices);
    }

    private long tables()
    {
        final MemorySegment table = memory.allocate(ValueLayout.JAVA_LONG, 2L * LAYERS);
        for (int i = 0; i < 2 * LAYERS; i++)
        {
            table.setAtIndex(ValueLayout.JAVA_LONG, i, pool.address() + (long)i * PAGES * FRAGMENT);
        }
        return table.address();
    }

    private void assertSamePages(final int[] expected, final int[] actual)
    {
        for (int fragment = 0; fragment < 2 * LAYERS; fragment++)
        {
            for (int i = 0; i < expected.length; i++)
            {
                assertThat(fragment(fragment, actual[i]).mismatch(fragment(fragment, expected[i]))).isEqualTo(-1);
            }
        }
    }

    private MemorySegment fragment(final int fragment, final int page)
    {
        return pool.asSlice(((long)fragment * PAGES + page) * FRAGMENT, FRAGMENT);
    }

    private static void awaitUninterruptibly(final CountDownLatch latch)
    {
        try
        {
            assertThat(latch.await(5, SECONDS)).isTrue();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitTrue(final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - startNs < SECONDS.toNanos(10))
        {
            LockSupport.parkNanos(100_000);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static void assertFails(final ThrowingCallable call, final int code, final String text)
    {
        final Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(FluxonException.class).hasMessageContaining(text);
        assertThat(((FluxonException)thrown).errorCode()).isEqualTo(code);
    }
}
