package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;

import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@Timeout(60)
class FluxonClientTest
{
    private static final int ROUNDS_OF_CLOSING = Boolean.getBoolean("fluxon.test.all") ? 1_000 : 40;
    private static final byte[] LARGE = new byte[4096];

    @TempDir
    private Path directory;
    private StoreOwner owner;

    @BeforeEach
    void before() throws IOException
    {
        owner = new StoreOwner(directory);
    }

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    void shouldWriteAndReadValues()
    {
        try (FluxonClient client = connect())
        {
            assertThat(client.get("a")).isNull();
            assertThat(client.put("a", bytes("first"))).isZero();
            assertThat(client.put("b", bytes("second value"))).isZero();

            assertThat(client.get("a")).isEqualTo(bytes("first"));
            assertThat(client.get("b")).isEqualTo(bytes("second value"));
            final ExistsResult exists = client.exists(new KeyBatch(3, 64).add("a").add("c").add("b"));
            assertThat(exists.leadingCount()).isEqualTo(1);
            assertThat(exists.flags()).containsExactly(true, false, true);
        }
    }

    @Test
    @Tag("REG-1")
    void shouldNameTheOneSegmentThatAWorkerRegisters()
    {
        try (FluxonClient client = connect())
        {
            final List<LocalSegment> segments = client.waitLocalSegmentsReady();

            assertThat(segments).hasSize(1);
            final LocalSegment segment = segments.get(0);
            assertThat(segment.segmentLabel()).isEqualTo("external_owner:0");
            assertThat(segment.generation()).isEqualTo(StoreOwner.GENERATION);
            assertThat(segment.nodeId()).isEqualTo("node0");
            assertThat(segment.len()).isEqualTo(64 * 1024 + 1024 * 1024);
            assertThat(segment.grantsOffset()).isEqualTo(64 * 1024);
            assertThat(segment.grantBytes()).isEqualTo(1024 * 1024);
            final PutPlan plan = client.localFastPutStart(new KeyBatch(1, 8).add("k"), 100, null);
            assertThat(plan.valueAddress(0))
                .isBetween(segment.writePtr(), segment.writePtr() + segment.len() - 100);
            assertThat(plan.planAddress()).isBetween(segment.writePtr(), segment.writePtr() + 64 * 1024);
            assertThat(client.planAt(plan.planAddress())).isSameAs(plan);
            client.putAbort(plan);
        }
    }

    @Test
    @Tag("PUT-2")
    void shouldCompleteTheFutureWithTheGlobalResultOnly()
    {
        try (FluxonClient client = connect())
        {
            owner.dropsCommitResults = true;
            final PutPlan plan = client.localFastPutStart(new KeyBatch(2, 8).add("k").add("l"), 4, null);
            new UnsafeBuffer(plan.valueAddress(0), 4).putInt(0, 7);
            final PutFuture future = client.localFastPutCommit(plan);

            assertThat(future.awaitLocalReady(5, TimeUnit.SECONDS)).isTrue();
            assertThat(future.isLocalReady()).isTrue();
            assertThat(future.isDone()).isFalse();
            assertThat(future.await(50, TimeUnit.MILLISECONDS)).isFalse();
            assertFails(() -> future.result(0), ErrorCode.INVALID_ARGUMENT);
            assertThat(client.get("k")).hasSize(4);

            owner.dropsCommitResults = false;
            assertThat(future.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(future.results()).containsExactly(0, 0);
        }
    }

    @Test
    void shouldServeManyThreads() throws Exception
    {
        try (FluxonClient client = connect(); ExecutorService threads = Executors.newFixedThreadPool(4))
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < 4; t++)
            {
                final int thread = t;
                futures.add(threads.submit(() -> putAndGet(client, thread)));
            }
            for (final Future<?> future : futures)
            {
                future.get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    @Tag("GET-2")
    void shouldReleaseWhatWasRead() throws Exception
    {
        try (FluxonClient client = connect())
        {
            client.put("a", bytes("first"));
            final GetHandle handle = client.getStart(new KeyBatch(1, 8).add("a"), false, null);
            client.getTransfer(handle, 1);
            assertThat(handle.count()).isEqualTo(1);
            client.releaseViews(handle);
            final GetHandle cancelled = client.getStart(new KeyBatch(1, 8).add("a"), false, null);
            client.cancelGetTransfer(cancelled);

            for (int i = 0; i < 1_000 && owner.released.get() < 2; i++)
            {
                Thread.sleep(1);
            }
            assertThat(owner.released).hasValue(2);
        }
    }

    @Test
    @Tag("API-1")
    @Tag("API-4")
    void shouldThrowWhatIsRefused()
    {
        try (FluxonClient client = connect())
        {
            assertFails(() -> client.put("a", new byte[0]), ErrorCode.INVALID_ARGUMENT);
            assertFails(() -> client.put("", new byte[1]), ErrorCode.INVALID_ARGUMENT);
            assertFails(() -> client.exists(new KeyBatch(1, 1)), ErrorCode.INVALID_ARGUMENT);
            client.put("a", bytes("first"));
            final GetHandle handle = client.getStart(new KeyBatch(1, 8).add("a"), false, null);
            assertFails(() -> client.getTransfer(handle, 2), ErrorCode.INVALID_ARGUMENT);
            assertFails(() -> client.getTransfer(handle, -1), ErrorCode.INVALID_ARGUMENT);
            assertFails(() -> client.releaseViews(handle), ErrorCode.INVALID_ARGUMENT);
            client.getTransfer(handle);
            assertFails(() -> client.getTransfer(handle), ErrorCode.INVALID_ARGUMENT);
            client.releaseViews(handle);
        }
    }

    @Test
    void shouldFailEveryCallWhenTheOwnerEndsTheSession()
    {
        try (FluxonClient client = connect())
        {
            owner.closeSessions();
            assertFails(() -> callUntilItFails(client), ErrorCode.TRANSPORT);
            assertFails(client::waitLocalSegmentsReady, ErrorCode.TRANSPORT);
        }
    }

    @Test
    @Tag("API-8")
    void shouldEndAWaitWhenTheOwnerFallsSilent()
    {
        try (FluxonClient client = FluxonClient.connect(new ClientContext()
            .ownerDirectory(directory.toString()).resumeTimeoutNs(TimeUnit.SECONDS.toNanos(2))))
        {
            owner.isSilent = true;
            final long startNs = System.nanoTime();

            assertFails(() -> client.get("a"), ErrorCode.TRANSPORT);
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
    }

    @Test
    @Tag("API-8")
    void shouldThrowWhenTheTimeOfACallPassedWhileTheProcessWasStopped()
    {
        final ClientContext ctx = new ClientContext().ownerDirectory(directory.toString()).clientName("test");
        try (FluxonClient client = FluxonClient.connect(ctx))
        {
            owner.isSilent = true;
            // the deadline of the first look has passed already
            ctx.putTimeoutNs(-TimeUnit.HOURS.toNanos(1)).getTimeoutNs(-TimeUnit.HOURS.toNanos(1));
            final KeyBatch keys = new KeyBatch(1, 8).add("k");

            final Throwable failure = catchThrowable(() -> client.localFastPutStart(keys, 100, null));
            assertThat(failure).isInstanceOf(FluxonException.class);
            assertThat(((FluxonException)failure).errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
            assertThat(((FluxonException)failure).stage()).isEqualTo(WaitStage.ANSWER);
            assertFails(() -> client.getStart(keys, false, null), ErrorCode.GET_TIMEOUT);
            assertFails(() -> client.exists(keys), ErrorCode.GET_TIMEOUT);
        }
    }

    @Test
    void shouldRefuseCallsOfAClosedClient()
    {
        final FluxonClient client = connect();
        client.close();
        client.close();

        assertFails(() -> client.get("a"), ErrorCode.SHUTDOWN);
    }

    @Test
    void shouldServeOrRefuseTheCallsOfThreadsWhileItIsClosed() throws Exception
    {
        final Random random = new Random(4);
        try (ExecutorService threads = Executors.newFixedThreadPool(2))
        {
            for (int i = 0; i < ROUNDS_OF_CLOSING; i++)
            {
                final FluxonClient client = connect();
                client.put("a", LARGE);
                final List<Future<?>> futures = List.of(
                    threads.submit(() -> callUntilRefused(() -> assertThat(client.get("a")).isEqualTo(LARGE))),
                    threads.submit(() -> callUntilRefused(() -> assertThat(client.put("b", LARGE)).isZero())));
                Thread.sleep(0, random.nextInt(999_999));
                client.close();
                for (final Future<?> future : futures)
                {
                    future.get(30, TimeUnit.SECONDS);
                }
            }
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchDirectory()
    {
        assertFails(() -> connect(directory.resolve("nowhere")), ErrorCode.TRANSPORT, "no directory");
    }

    @Test
    void shouldSayThatNoOwnerIsReady() throws IOException
    {
        Files.delete(directory.resolve(OwnerDescriptor.FILE_NAME));
        assertFails(() -> connect(directory), ErrorCode.TRANSPORT, "owner.json");
    }

    @Test
    void shouldSayThatTheDescriptorIsNone() throws IOException
    {
        Files.writeString(directory.resolve(OwnerDescriptor.FILE_NAME), "{\"owner_id\": 3}");
        assertFails(() -> connect(directory), ErrorCode.TRANSPORT, "instance_key");
    }

    @Test
    void shouldSayThatTheDriverDoesNotRun() throws IOException
    {
        final Path empty = Files.createDirectory(directory.resolve("empty"));
        final Throwable failure = catchThrowable(() -> FluxonClient.connect(new ClientContext()
            .aeronDirectoryName(empty.toString()).connectTimeoutNs(TimeUnit.SECONDS.toNanos(1))));

        assertThat(failure).isInstanceOf(FluxonException.class).hasMessageContaining("no media driver");
        assertThat(((FluxonException)failure).stage()).isEqualTo(WaitStage.CONNECT);
    }

    @Test
    @Tag("API-8")
    void shouldSayThatTheOwnerDoesNotAnswer()
    {
        owner.isSilent = true;
        final Throwable failure = catchThrowable(() -> FluxonClient.connect(new ClientContext()
            .aeronDirectoryName(directory.resolve("aeron").toString())
            .connectTimeoutNs(TimeUnit.MILLISECONDS.toNanos(300))));

        assertThat(failure).isInstanceOf(FluxonException.class).hasMessageContaining("did not answer within 300 ms");
        assertThat(((FluxonException)failure).stage()).isEqualTo(WaitStage.CONNECT);
    }

    @Test
    void shouldSayThatTheOwnerSpeaksAnotherVersion()
    {
        owner.protocolVersion = 9;
        assertFails(() -> connect(directory), ErrorCode.PROTOCOL, "version 9");
    }

    @Test
    void shouldSayThatTheOwnerHasAnotherGeneration() throws IOException
    {
        owner.writeDescriptor(StoreOwner.GENERATION - 1);
        assertFails(() -> connect(directory), ErrorCode.OWNER_GENERATION_MISMATCH, "11");
    }

    @Test
    void shouldReadTheStartTimeOfAProcess()
    {
        assertThat(ProcessIdentity.startTime()).isPositive();
        assertThat(ProcessIdentity.startTime("7 (a) b c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20"))
            .isEqualTo(4711);
        assertThat(ProcessIdentity.startTime("nothing")).isEqualTo(ProcessIdentity.UNKNOWN);
    }

    @Test
    void shouldReadADescriptorWithEscapes()
    {
        final OwnerDescriptor descriptor = OwnerDescriptor.parse("{\"instance_key\":\"a\\\"b\\u0041\",\"owner_id\":3," +
            "\"generation\":9007199254740993,\"aeron_directory\":\"/x\",\"segment_path\":\"\\/y\\\\z\",\"pid\":1}");

        assertThat(descriptor.instanceKey()).isEqualTo("a\"bA");
        assertThat(descriptor.generation()).isEqualTo(9007199254740993L);
        assertThat(descriptor.segmentPath()).isEqualTo("/y\\z");
    }

    private static void putAndGet(final FluxonClient client, final int thread)
    {
        for (int i = 0; i < 30; i++)
        {
            final String key = "key-" + thread + "-" + i;
            assertThat(client.put(key, bytes("value of " + key))).isZero();
            assertThat(client.get(key)).isEqualTo(bytes("value of " + key));
        }
    }

    private static void callUntilRefused(final Runnable call)
    {
        try
        {
            while (!Thread.currentThread().isInterrupted())
            {
                call.run();
            }
        }
        catch (final FluxonException ex)
        {
            assertThat(ex.errorCode()).as(ex.getMessage())
                .isIn(ErrorCode.SHUTDOWN, ErrorCode.TRANSPORT, ErrorCode.INVALID_ARGUMENT);
        }
    }

    private static void callUntilItFails(final FluxonClient client)
    {
        for (int i = 0; i < 100; i++)
        {
            client.get("a");
        }
    }

    private FluxonClient connect()
    {
        return connect(directory);
    }

    private static FluxonClient connect(final Path ownerDirectory)
    {
        return FluxonClient.connect(new ClientContext().ownerDirectory(ownerDirectory.toString()).clientName("test"));
    }

    private static void assertFails(final ThrowingCallable call, final int errorCode)
    {
        assertFails(call, errorCode, "");
    }

    private static void assertFails(final ThrowingCallable call, final int errorCode, final String words)
    {
        final Throwable failure = catchThrowable(call);
        assertThat(failure).isInstanceOf(FluxonException.class).hasMessageContaining(words);
        assertThat(((FluxonException)failure).errorCode()).isEqualTo(errorCode);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
