package io.fluxon.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@RequiresHosts
class HostNetworkTest
{
    private static final Path NAMESPACES = Path.of("/run/netns");

    @Test
    void shouldGiveEachHostAnAddressThatTheOthersReachWhileItsLinkIsUp() throws Exception
    {
        try (HostNetwork network = new HostNetwork())
        {
            network.open(List.of("one", "two"), 0);

            assertThat(addressesOf(network.host(0))).contains("10.77.0.1/24").doesNotContain("10.77.0.2");
            assertThat(addressesOf(network.host(1))).contains("10.77.0.2/24");
            assertThat(canConnect(network)).isTrue();
            network.link(1, false);
            assertThat(canConnect(network)).isFalse();
            network.link(1, true);
            assertThat(canConnect(network)).isTrue();
            assertThat(network.lostDatagrams()).isZero();
        }
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void shouldJoinTheHostsOfAPairDirectly() throws Exception
    {
        try (HostNetwork network = new HostNetwork())
        {
            network.openPair("one", "two");

            assertThat(addressesOf(network.host(0))).contains("10.77.0.1/24");
            assertThat(addressesOf(network.host(1))).contains("10.77.0.2/24");
            assertThat(canConnect(network)).isTrue();
            assertThat(namespacesOf(ProcessHandle.current().pid())).hasSize(2);
        }
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void shouldLeaveNothingWhenItCannotBeOpened() throws IOException
    {
        try (HostNetwork network = new HostNetwork())
        {
            assertThatThrownBy(() -> network.open(List.of("one", "one"), 0))
                .isInstanceOf(ClusterException.class).hasMessageContaining("netns add");
        }
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void shouldNotOpenWhatIsClosed() throws IOException
    {
        final HostNetwork network = new HostNetwork();
        network.close();

        assertThatThrownBy(() -> network.open(List.of("one"), 0)).isInstanceOf(ClusterException.class);
        assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftBehind() throws Exception
    {
        final Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        run(List.of("ip", "netns", "add", "fluxon-" + gone.pid() + "-hub"));
        assertThat(namespacesOf(gone.pid())).hasSize(1);

        try (HostNetwork network = new HostNetwork())
        {
            network.open(List.of("one"), 0);
            assertThat(namespacesOf(gone.pid())).isEmpty();
        }
    }

    private static List<String> namespacesOf(final long pid) throws IOException
    {
        try (Stream<Path> entries = Files.list(NAMESPACES))
        {
            return entries.map(entry -> entry.getFileName().toString())
                .filter(name -> name.startsWith("fluxon-" + pid + "-")).toList();
        }
    }

    private static String addressesOf(final Host host) throws Exception
    {
        return run(host.run(List.of("ip", "-4", "-o", "address")));
    }

    /** A port at which nobody listens refuses at once where the host can be reached. */
    private static boolean canConnect(final HostNetwork network) throws Exception
    {
        return run(network.host(0).run(List.of("timeout", "2", "bash", "-c", "echo > /dev/tcp/10.77.0.2/9")))
            .contains("refused");
    }

    private static String run(final List<String> command) throws Exception
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(process.waitFor(20, SECONDS)).isTrue();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }
}
