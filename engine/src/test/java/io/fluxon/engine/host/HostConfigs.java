package io.fluxon.engine.host;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Small configurations in a directory of their own.
 */
final class HostConfigs
{
    static final long QUANTUM = 1 << 20;

    private HostConfigs()
    {
    }

    static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    static MasterConfig master(final Path share, final int port, final String... overrides)
    {
        return MasterConfig.parse("test", masterText(share, port), List.of(overrides));
    }

    static OwnerConfig owner(final Path share, final int ownerId, final int masterPort, final String... overrides)
    {
        return OwnerConfig.parse("test", ownerText(share, ownerId, masterPort), List.of(overrides));
    }

    static String masterText(final Path share, final int port)
    {
        return """
            instance_key: master
            cluster_name: test
            share_mem_path: %s
            listen_endpoint: 127.0.0.1:%d
            limits:
              max_keys: 10000
            aeron:
              ipc_term_buffer_bytes: 64KiB
              udp_term_buffer_bytes: 128KiB
            """.formatted(share, port);
    }

    static String ownerText(final Path share, final int ownerId, final int masterPort)
    {
        return """
            instance_key: owner-%d
            owner_id: %d
            fluxonkv_spec:
              cluster_name: test
              share_mem_path: %s
            contribute_to_cluster_pool_size:
              dram: 8MiB
            grant_quantum_bytes: %d
            plan_arena_bytes: 256KiB
            limits:
              max_keys_per_batch: 128
              max_sessions: 8
            master:
              endpoint: 127.0.0.1:%d
            aeron:
              ipc_term_buffer_bytes: 64KiB
              udp_term_buffer_bytes: 128KiB
            """.formatted(ownerId, ownerId, share, QUANTUM, masterPort);
    }
}
