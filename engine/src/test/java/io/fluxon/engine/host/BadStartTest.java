package io.fluxon.engine.host;

import io.aeron.exceptions.ConfigurationException;
import io.fluxon.engine.config.AeronConfig;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.transfer.ucx.RequiresUcx;
import io.fluxon.ipc.segment.SegmentException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class BadStartTest
{
    @TempDir
    Path directory;

    private final int port = HostConfigs.NO_MASTER;

    @Test
    void shouldRefuseASecondOwnerOnTheSameSegmentAndLeaveTheFirstAlone() throws Exception
    {
        final OwnerConfig config = HostConfigs.owner(share(), 1, port);
        try (OwnerProcess first = OwnerProcess.launch(config))
        {
            final List<Path> files = files();
            assertThatThrownBy(() -> OwnerProcess.launch(config))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("owner-1.generation")
                .hasMessageContaining("pid " + ProcessHandle.current().pid());

            assertThat(files()).isEqualTo(files);
            assertThat(first.awaitFailure(100)).isNull();
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldRefuseASecondMasterInTheSameDirectory() throws Exception
    {
        try (MasterProcess first = MasterProcess.launch(HostConfigs.master(share())))
        {
            assertThatThrownBy(() -> MasterProcess.launch(HostConfigs.master(share())))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("master.generation");
            assertThat(first.awaitFailure(100)).isNull();
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldRefuseASegmentThatTheFileSystemCannotHold()
    {
        assertThatThrownBy(() -> OwnerProcess.launch(HostConfigs.owner(
            share(), 1, port, "contribute_to_cluster_pool_size.dram=4TiB", "grant_quantum_bytes=512MiB")))
            .isInstanceOf(SegmentException.class)
            .hasMessageContaining("field contribute_to_cluster_pool_size.dram is 4398046511104")
            .hasMessageContaining("4398046777344");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameThePortThatIsInUse() throws Exception
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final int usedPort = socket.getLocalPort();
            assertThatThrownBy(() -> MasterProcess.launch(HostConfigs.master(
                share(), "listen_endpoint='127.0.0.1:" + usedPort + "'")))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("field listen_endpoint is 127.0.0.1:" + usedPort + ", allowed is a free port");
            assertThatThrownBy(() -> OwnerProcess.launch(
                HostConfigs.owner(share(), 1, port, "listen_endpoint='127.0.0.1:" + usedPort + "'")))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("field listen_endpoint is 127.0.0.1:" + usedPort + ", allowed is a free port");
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameAnAddressThatIsNotOfThisMachine()
    {
        assertThatThrownBy(() -> OwnerProcess.launch(
            HostConfigs.owner(share(), 1, port, "listen_endpoint='203.0.113.7:0'")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field listen_endpoint is 203.0.113.7:0");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "0.0.0.0:0, 127.0.0.1:9", "127.0.0.1:0, 203.0.113.7:9", "localhost:0, 203.0.113.7:9" })
    void shouldNameAnAddressAtWhichTheMasterCannotReachTheOwner(final String listen, final String master)
    {
        assertThatThrownBy(() -> OwnerProcess.launch(HostConfigs.owner(
            share(), 1, port, "listen_endpoint='" + listen + "'", "master.endpoint='" + master + "'")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field listen_endpoint is " + listen + ", allowed is an address of this machine")
            .hasMessageContaining("the master, " + master + ", reaches it");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "203.0.113.7", "203.0.113.0/24", "127.0.0.1/33", "[2001:db8::1]/64" })
    void shouldNameAnInterfaceThatIsNotOfThisMachine(final String name)
    {
        assertThatThrownBy(() -> MasterProcess.launch(HostConfigs.master(share(), "aeron.interface='" + name + "'")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field aeron.interface is " + name + ", allowed is an address of this machine")
            .hasMessageContaining("127.0.0.1/8");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    @Tag("LIFE-3")
    void shouldStartWhileTheMastersNameHasNoAddressAndSaySo()
    {
        try (OwnerProcess owner = OwnerProcess.launch(
            HostConfigs.owner(share(), 1, port, "master.endpoint='master.invalid:9'")))
        {
            assertThat(owner.warning()).contains("master.endpoint is master.invalid:9, a name without an address");
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameAWindowThatNoSocketHasRoomFor()
    {
        assertThatThrownBy(() -> MasterProcess.launch(HostConfigs.master(
            share(), "aeron.udp_term_buffer_bytes=64MiB", "aeron.receiver_window_bytes=32MiB")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field aeron.receiver_window_bytes is 33554432, allowed is what the system gives");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameTheFieldThatTheMediaDriverRefuses()
    {
        final AeronConfig config = HostConfigs.owner(share(), 1, port).aeron();
        assertThat(AeronHost.refused(config, new ConfigurationException("mtuLength=65504 > SO_SNDBUF=4096")))
            .hasMessageStartingWith("field aeron.udp_mtu_bytes is 1408, allowed is what the system gives a socket")
            .hasMessageContaining("SO_SNDBUF=4096");
        assertThat(AeronHost.refused(config, new ConfigurationException("something else")))
            .hasMessageContaining("the media driver refuses the fields of aeron: ")
            .hasMessageContaining("something else")
            .hasMessageNotContaining("receiver_window_bytes");
    }

    @Test
    @RequiresUcx
    void shouldNotAnnounceAnAddressThatOnlyItsOwnHostReaches()
    {
        final String here = addressOfThisMachine();
        final String[] loopback = { "listen_endpoint='" + here + ":0'", "transport_endpoint='127.0.0.1:0'" };
        assertThatThrownBy(() -> OwnerProcess.launch(
            HostConfigs.owner(share(), 1, port, loopback[0], loopback[1], "transport=ucx")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field transport_endpoint is 127.0.0.1:0, allowed is an address of this host that")
            .hasMessageContaining(here + ":0");

        try (OwnerProcess owner = OwnerProcess.launch(HostConfigs.owner(share(), 1, port, loopback)))
        {
            assertThat(owner.readyLine()).doesNotContain("transport=");
            assertThat(owner.warning()).contains("only owners of this host", "transport_endpoint is 127.0.0.1:0");
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameATransportAddressThatOthersCannotReach()
    {
        assertThatThrownBy(() -> OwnerProcess.launch(
            HostConfigs.owner(share(), 1, port, "transport_endpoint='0.0.0.0:0'")))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("field transport_endpoint is 0.0.0.0:0, allowed is an address of this host that");

        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    void shouldNameADirectoryThatCannotBe() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> OwnerProcess.launch(HostConfigs.owner(file, 1, port)))
            .isInstanceOf(HostException.class)
            .hasMessageContaining("cannot create directory " + file);
        assertThat(file).exists();
    }

    @Test
    @Tag("SLOT-3")
    void shouldTouchTheExpectedCapacityBeforeItIsReady() throws Exception
    {
        final OwnerConfig config = HostConfigs.owner(share(), 1, port,
            "test_spec_config.owner_local_reserve_expected_capacity={value_len: 65536, payload_capacity_bytes: 3MiB}",
            "preallocate=false");
        try (OwnerProcess owner = OwnerProcess.launch(config))
        {
            final Path segment = segment(owner);
            final long blocks = ((Number) Files.getAttribute(segment, "unix:size")).longValue();
            assertThat(blocks).isEqualTo(4096 + (256 << 10) + (8 << 20));
            assertThat(allocated(segment)).isBetween((256L << 10) + (3L << 20), (256L << 10) + (4L << 20));
        }
    }

    @Test
    @Tag("SLOT-3")
    void shouldTakeTheMemoryOfTheWholeCapacityBeforeItIsReady() throws Exception
    {
        try (OwnerProcess owner = OwnerProcess.launch(HostConfigs.owner(share(), 1, port)))
        {
            assertThat(allocated(segment(owner))).isGreaterThanOrEqualTo((256L << 10) + (8L << 20));
        }
    }

    private static String addressOfThisMachine()
    {
        try
        {
            final String address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter((candidate) -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
                .findFirst().map(InetAddress::getHostAddress).orElse(null);
            assumeTrue(null != address, "this machine has no address but loopback");
            return address;
        }
        catch (final SocketException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static Path segment(final OwnerProcess owner) throws IOException
    {
        try (Stream<Path> paths = Files.list(owner.directory()))
        {
            return paths.filter((path) -> path.toString().endsWith(".segment")).findFirst().orElseThrow();
        }
    }

    private static long allocated(final Path file) throws IOException
    {
        final Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
        return Long.parseLong(du.inputReader().readLine().split("\\s")[0]);
    }

    private Path share()
    {
        return directory.resolve("share");
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> paths = Files.walk(share()))
        {
            return paths.filter((path) -> !path.toString().contains("/aeron/")).sorted().toList();
        }
    }
}
