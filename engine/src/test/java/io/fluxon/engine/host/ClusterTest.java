package io.fluxon.engine.host;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.Inspection;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ClusterTest
{
    private static final int VALUE_LENGTH = 300_001;
    private static final int DELAY_MS = 1_000;

    @TempDir
    Path directory;

    private int port;
    private final List<HostedProcess> processes = new ArrayList<>();
    private OwnerProcess first;
    private OwnerProcess second;

    @BeforeEach
    void launch()
    {
        final MasterProcess master = MasterProcess.launch(HostConfigs.master(share()));
        processes.add(master);
        port = HostConfigs.portOf(master);
        assertThat(master.readyLine()).contains("endpoint=127.0.0.1:" + port);
        first = OwnerProcess.launch(HostConfigs.owner(share(), 1, port));
        processes.add(first);
        second = OwnerProcess.launch(HostConfigs.owner(share(), 2, port));
        processes.add(second);
    }

    @AfterEach
    void close()
    {
        processes.reversed().forEach(HostedProcess::close);
    }

    @Test
    @Tag("V1")
    void shouldGiveAnotherOwnerTheBytesThatWerePut() throws Exception
    {
        awaitPeers(first);
        awaitPeers(second);
        final byte[] value = new byte[VALUE_LENGTH];
        new Random(1).nextBytes(value);
        try (FluxonClient writer = connect(first); FluxonClient reader = connect(second))
        {
            assertThat(writer.put("prefix:a", value)).isZero();
            assertThat(reader.get("prefix:a")).isEqualTo(value);
            assertThat(writer.get("prefix:a")).isEqualTo(value);
            assertThat(reader.get("prefix:b")).isNull();
        }
        assertThat(counter(second, OwnerCounter.SUBMISSIONS.typeId())).isEqualTo(1);
        assertThat(counter(second, HostCounter.TRANSFER_BYTES.typeId())).isEqualTo(VALUE_LENGTH);
        assertThat(counter(first, HostCounter.CHECKSUM_BYTES.typeId())).isEqualTo(VALUE_LENGTH);
        assertThat(errors(first)).isEmpty();
        assertThat(errors(second)).isEmpty();
    }

    @Test
    @Tag("EVICT-2")
    void shouldDeleteFromBothOwnersAndSayWhatIsThere() throws Exception
    {
        awaitPeers(first);
        awaitPeers(second);
        try (FluxonClient writer = connect(first); FluxonClient reader = connect(second))
        {
            assertThat(writer.put("prefix:a", new byte[]{ 1, 2, 3 })).isZero();
            assertThat(reader.get("prefix:a")).containsExactly(1, 2, 3);
            final Inspection found = reader.inspectKey("prefix:a");
            assertThat(found.slots()).hasSize(1);
            assertThat(found.route().replicas()).hasSize(2);
            assertThat(reader.inspectSlot(found.slots().getFirst().backing().grantId(), 0).slots())
                .extracting(Inspection.Slot::key).containsExactly("prefix:a");

            assertThat(writer.delete("prefix:a")).isZero();
            assertThat(writer.exists("prefix:a")).isFalse();
            assertThat(reader.get("prefix:a")).isNull();
            assertThat(reader.inspectKey("prefix:a").route().exists()).isFalse();
            assertThat(writer.delete("prefix:a")).isEqualTo(-ErrorCode.KEY_NOT_FOUND);
            assertThatThrownBy(() -> reader.inspectGrant(-1)).isInstanceOf(FluxonException.class)
                .hasMessageContaining("grant: -1 is not within 0 to");
        }
        assertThat(errors(first)).isEmpty();
        assertThat(errors(second)).isEmpty();
    }

    @Test
    @Tag("P1")
    void shouldServeLocalReadsWhileASlowMasterIsStillAsked() throws Exception
    {
        final OwnerProcess slow = OwnerProcess.launch(
            HostConfigs.owner(share(), 3, port, "debug.delay_master_ms=" + DELAY_MS));
        processes.add(slow);
        while (1 != counter(slow, OwnerCounter.MASTER_AVAILABLE.typeId()))
        {
            Thread.sleep(5);
        }
        try (FluxonClient client = connect(slow))
        {
            final KeyBatch keys = new KeyBatch(1, 64).add("prefix:slow");
            final PutPlan plan = client.localFastPutStart(keys, 5, null);
            new UnsafeBuffer(plan.valueAddress(0), 5).putBytes(0, new byte[]{ 1, 2, 3, 4, 5 });
            final long committedNs = System.nanoTime();
            final PutFuture future = client.localFastPutCommit(plan);

            assertThat(future.awaitLocalReady(5, TimeUnit.SECONDS)).isTrue();
            assertThat(client.get("prefix:slow")).containsExactly(1, 2, 3, 4, 5);
            assertThat(future.isDone()).isFalse();
            assertThat(future.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(future.result(0)).isZero();
            assertThat(System.nanoTime() - committedNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * DELAY_MS));
        }
    }

    @Test
    void shouldLeaveNoFilesAfterACleanShutdown() throws Exception
    {
        assertThat(first.directory().resolve("owner.json"))
            .content().contains("\"generation\" : " + first.generation());
        assertThat(files()).isNotEmpty();

        close();

        assertThat(HostConfigs.left(share())).isEmpty();
        assertThat(first.directory()).doesNotExist();
    }

    @Test
    @Tag("SLOT-7")
    void shouldTakeAGreaterGenerationThanThatOfACleanStopWhateverTheClockSays() throws Exception
    {
        first.close();
        final Path file = first.directory().resolveSibling("owner-1.generation");
        final long future = first.generation() + TimeUnit.DAYS.toMillis(1);
        assertThat(file).content().contains("stamp " + first.generation());
        Files.writeString(file, "pid 1 stamp " + future + "\n");

        try (OwnerProcess again = OwnerProcess.launch(HostConfigs.owner(share(), 1, port)))
        {
            assertThat(again.generation()).isEqualTo(future + 1);
        }
    }

    @Test
    @Tag("LIFE-1")
    void shouldFailWhenItsMediaDriverDies() throws Exception
    {
        close();
        try (MasterProcess master = MasterProcess.launch(HostConfigs.master(share())))
        {
            assertThat(master.awaitFailure(50)).isNull();
            Thread.getAllStackTraces().keySet().stream()
                .filter((thread) -> thread.getName().contains("driver-conductor"))
                .forEach(Thread::interrupt);

            assertThat(master.awaitFailure(5_000)).hasMessageContaining("the media driver has ended");
        }
    }

    private static void awaitPeers(final OwnerProcess owner) throws InterruptedException
    {
        while (1 != counter(owner, OwnerCounter.PEERS.typeId()))
        {
            Thread.sleep(5);
        }
    }

    private static FluxonClient connect(final OwnerProcess owner)
    {
        return FluxonClient.connect(new ClientContext().ownerDirectory(owner.directory().toString()).maxKeys(128));
    }

    private static long counter(final OwnerProcess owner, final int typeId)
    {
        final CountersReader reader = owner.counters().counters();
        final long[] value = new long[]{ -1 };
        reader.forEach((counterId, counterTypeId, keyBuffer, label) ->
        {
            if (typeId == counterTypeId)
            {
                value[0] = reader.getCounterValue(counterId);
            }
        });
        return value[0];
    }

    private static List<String> errors(final OwnerProcess owner)
    {
        final List<String> errors = new ArrayList<>();
        try (CountersView view = CountersFile.map(owner.counters().path()))
        {
            view.readErrors((count, first, last, text) -> errors.add(text), 0);
        }
        return errors;
    }

    private Path share()
    {
        return directory.resolve("share");
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> paths = Files.walk(share()))
        {
            return paths.filter(Files::isRegularFile).toList();
        }
    }
}
