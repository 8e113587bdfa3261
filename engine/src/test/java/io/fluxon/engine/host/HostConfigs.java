package io.fluxon.engine.host;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Small configurations in a directory of their own.
 */
final class HostConfigs
{
    static final long QUANTUM = 1 << 20;
    /** Of a master that no test asks: nothing listens there. */
    static final int NO_MASTER = 9;

    private HostConfigs()
    {
    }

    /** The system chooses the port: {@link #portOf}. */
    static MasterConfig master(final Path share, final String... overrides)
    {
        return MasterConfig.parse("test", masterText(share), List.of(overrides));
    }

    static int portOf(final MasterProcess master)
    {
        return Integer.parseInt(master.endpoint().substring(master.endpoint().lastIndexOf(':') + 1));
    }

    /** Files that are there, but those that keep the stamps over restarts. */
    static List<Path> left(final Path share)
    {
        if (!Files.exists(share))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(share))
        {
            return paths
                .filter((path) -> Files.isRegularFile(path) && !path.toString().endsWith(".generation"))
                .toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static OwnerConfig owner(final Path share, final int ownerId, final int masterPort, final String... overrides)
    {
        return OwnerConfig.parse("test", ownerText(share, ownerId, masterPort), List.of(overrides));
    }

    static String masterText(final Path share)
    {
        return """
            instance_key: master
            cluster_name: test
            share_mem_path: %s
            listen_endpoint: 127.0.0.1:0
            limits:
              max_keys: 10000
            aeron:
              ipc_term_buffer_bytes: 64KiB
              udp_term_buffer_bytes: 128KiB
            """.formatted(share);
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
