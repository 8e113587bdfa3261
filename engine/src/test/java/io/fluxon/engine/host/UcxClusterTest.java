package io.fluxon.engine.host;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.transfer.ucx.RequiresUcx;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
@RequiresUcx
class UcxClusterTest
{
    private static final int VALUE_LENGTH = 1_000_001;
    private static final int KEYS = 24;
    private static final int GET_TIMEOUT_MS = 1_500;
    private static final String[] UCX = {
        "transport=ucx",
        "contribute_to_cluster_pool_size.dram=64MiB",
        "timeouts.get_timeout_ms=" + GET_TIMEOUT_MS,
    };

    @TempDir
    Path directory;

    private int port;
    private final List<HostedProcess> processes = new ArrayList<>();
    private final List<Process> children = new ArrayList<>();
    private OwnerProcess reader;
    private Process source;

    @BeforeEach
    void launch() throws Exception
    {
        final MasterProcess master = MasterProcess.launch(HostConfigs.master(share()));
        processes.add(master);
        port = HostConfigs.portOf(master);
        reader = OwnerProcess.launch(HostConfigs.owner(share(), 2, port, UCX));
        processes.add(reader);
        source = start(1);
        awaitPeers(1);
    }

    @AfterEach
    void close() throws Exception
    {
        for (final Process child : children)
        {
            child.destroyForcibly().waitFor();
        }
        processes.reversed().forEach(HostedProcess::close);
    }

    @Test
    @Tag("CRC-1")
    @Tag("G8")
    void shouldReadTheBytesOfAnotherProcessWithOneSubmission() throws Exception
    {
        try (FluxonClient writer = connect(1); FluxonClient client = connect(2))
        {
            put(writer, "a");
            read(client, "a");
        }
        assertThat(reader.readyLine()).contains(" transport=ucx:");
        assertThat(counter(OwnerCounter.SUBMISSIONS.typeId())).isEqualTo(1);
        assertThat(counter(HostCounter.TRANSFER_DESCRIPTORS.typeId())).isEqualTo(KEYS);
        assertThat(counter(HostCounter.TRANSFER_BYTES.typeId())).isEqualTo((long) KEYS * VALUE_LENGTH);
        assertThat(counter(HostCounter.TRANSFER_FAILURES.typeId())).isZero();
    }

    @Test
    @Tag("LIFE-1")
    @Tag("GET-6")
    void shouldMissInTimeWhenTheSourceIsKilledAndReadItAgainWhenItIsBack() throws Exception
    {
        try (FluxonClient client = connect(2))
        {
            final FluxonClient writer = connect(1);
            put(writer, "a");
            signal(source, "STOP");
            final GetHandle handle = client.getStart(keys("a"), true, null);
            awaitDescriptors(KEYS);
            signal(source, "KILL");
            final long killedNs = System.nanoTime();

            assertThatThrownBy(() -> client.getTransfer(handle)).isInstanceOf(FluxonException.class);
            assertThat(System.nanoTime() - killedNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(2 * GET_TIMEOUT_MS));
            awaitNothingPending();
            assertThat(counter(HostCounter.TRANSFER_FAILURES.typeId())).isEqualTo(KEYS);
            close(writer);

            source = start(1);
            try (FluxonClient again = connect(1))
            {
                put(again, "b");
                readInTime(client, "b");
            }
        }
    }

    @Test
    @Tag("LIFE-1")
    @Tag("SLOT-7")
    void shouldReadAgainFromASourceThatWasStoppedForLongerThanItsReadersWait() throws Exception
    {
        try (FluxonClient client = connect(2); FluxonClient writer = connect(1))
        {
            put(writer, "a");
            signal(source, "STOP");
            final GetHandle handle = client.getStart(keys("a"), true, null);
            assertThatThrownBy(() -> client.getTransfer(handle)).isInstanceOf(FluxonException.class);
            awaitNothingPending();
            signal(source, "CONT");

            readInTime(client, "a");
            assertThat(source.isAlive()).isTrue();
        }
    }

    @Test
    @Tag("LIFE-1")
    void shouldServeOthersAfterAReaderWasKilledInTheMiddle() throws Exception
    {
        final Process killed = start(3);
        awaitPeers(2);
        try (FluxonClient client = connect(2); FluxonClient writer = connect(1))
        {
            put(writer, "a");
            final FluxonClient dying = connect(3);
            signal(source, "STOP");
            dying.getStart(keys("a"), true, null);
            Thread.sleep(300);
            signal(killed, "KILL");
            signal(source, "CONT");
            close(dying);

            readInTime(client, "a");
            assertThat(source.isAlive()).isTrue();
        }
    }

    private Process start(final int ownerId) throws Exception
    {
        final Path config = Files.writeString(
            directory.resolve("owner-" + ownerId + ".yaml"),
            HostConfigs.ownerText(share(), ownerId, port).replace("dram: 8MiB", "dram: 64MiB") + """
                transport: ucx
                timeouts:
                  get_timeout_ms: %d
                """.formatted(GET_TIMEOUT_MS));
        final Process child = new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "@" + System.getProperty("fluxon.root") + "/config/jvm.flags",
            "-Xmx128m",
            "-cp", System.getProperty("java.class.path"),
            HostMain.class.getName(), "owner", config.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
        children.add(child);
        String line = child.inputReader().readLine();
        while (null != line && !line.startsWith("ready"))
        {
            line = child.inputReader().readLine();
        }
        assertThat(line).isNotNull();
        return child;
    }

    private static void signal(final Process process, final String name) throws Exception
    {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    private static void put(final FluxonClient writer, final String name)
    {
        for (int i = 0; i < KEYS; i++)
        {
            assertThat(writer.put(key(name, i), value(name, i))).isZero();
        }
    }

    private static void read(final FluxonClient client, final String name)
    {
        final GetHandle handle = client.getStart(keys(name), true, null);
        assertThat(handle.transferableLen()).isEqualTo(KEYS);
        client.getTransfer(handle);
        client.releaseViews(handle);
        for (int i = 0; i < KEYS; i++)
        {
            assertThat(client.get(key(name, i))).isEqualTo(value(name, i));
        }
    }

    /** The routes of a source that was away come back when it has reported. */
    private static void readInTime(final FluxonClient client, final String name) throws InterruptedException
    {
        while (KEYS != client.exists(keys(name)).leadingCount())
        {
            Thread.sleep(20);
        }
        for (int i = 0; i < KEYS; i++)
        {
            byte[] bytes = null;
            while (null == bytes)
            {
                bytes = get(client, key(name, i));
            }
            assertThat(bytes).isEqualTo(value(name, i));
        }
    }

    private static byte[] get(final FluxonClient client, final String key)
    {
        try
        {
            return client.get(key);
        }
        catch (final FluxonException ex)
        {
            return null;
        }
    }

    private static void close(final FluxonClient client)
    {
        try
        {
            client.close();
        }
        catch (final FluxonException ex)
        {
            assertThat(ex).hasNoCause();
        }
    }

    private static KeyBatch keys(final String name)
    {
        final KeyBatch keys = new KeyBatch(KEYS, 64 * KEYS);
        for (int i = 0; i < KEYS; i++)
        {
            keys.add(key(name, i));
        }
        return keys;
    }

    private static String key(final String name, final int index)
    {
        return "prefix:" + name + index;
    }

    private static byte[] value(final String name, final int index)
    {
        final byte[] value = new byte[VALUE_LENGTH];
        new Random(31L * name.hashCode() + index).nextBytes(value);
        return value;
    }

    private FluxonClient connect(final int ownerId)
    {
        return FluxonClient.connect(new ClientContext()
            .ownerDirectory(share().resolve("test/owner-" + ownerId).toString()).maxKeys(128));
    }

    private void awaitPeers(final int count) throws InterruptedException
    {
        while (count != counter(OwnerCounter.PEERS.typeId()))
        {
            Thread.sleep(5);
        }
    }

    private void awaitDescriptors(final int count) throws InterruptedException
    {
        while (count > counter(HostCounter.TRANSFER_DESCRIPTORS.typeId()))
        {
            Thread.sleep(5);
        }
    }

    private void awaitNothingPending() throws InterruptedException
    {
        while (0 != counter(OwnerCounter.SLOTS_PENDING.typeId()))
        {
            Thread.sleep(5);
        }
    }

    private long counter(final int typeId)
    {
        final CountersReader counters = reader.counters().counters();
        final long[] value = new long[]{ -1 };
        counters.forEach((counterId, counterTypeId, keyBuffer, label) ->
        {
            if (typeId == counterTypeId)
            {
                value[0] = counters.getCounterValue(counterId);
            }
        });
        return value[0];
    }

    private Path share()
    {
        return directory.resolve("share");
    }
}
