package io.fluxon.tools.cluster;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes the configuration files of a cluster's processes.
 */
final class ConfigText
{
    static final String CLUSTER_NAME = "demo";
    static final String MASTER_KEY = "master";

    private static final int SIGNS_OF_LIFE = 10;

    private ConfigText()
    {
    }

    static String master(final Path shareDirectory, final String endpoint, final ClusterPlan plan)
    {
        return """
            instance_key: %s
            cluster_name: %s
            share_mem_path: %s
            listen_endpoint: %s
            limits:
              max_keys: %d
              max_replicas: %d
            timeouts:
              heartbeat_interval_ms: %d
              owner_liveness_ms: %d
            replica_task_placement:
              fetched_copies: %s
            aeron:
            %s""".formatted(MASTER_KEY, CLUSTER_NAME, quote(shareDirectory), endpoint, plan.maxKeys(),
            plan.maxKeys() * (plan.gpuOwners() + plan.cacheOwners()),
            plan.livenessMs() / SIGNS_OF_LIFE, plan.livenessMs(), plan.fetchedCopies().name().toLowerCase(Locale.ROOT),
            field("image_liveness_timeout_ms", plan.imageLivenessMs()));
    }

    static String owner(
        final Path shareDirectory,
        final String masterEndpoint,
        final ClusterPlan plan,
        final String instanceKey,
        final int ownerId,
        final boolean isGpu,
        final Host host)
    {
        return """
            instance_key: %s
            owner_id: %d
            role: %s
            fluxonkv_spec:
              cluster_name: %s
              share_mem_path: %s
            contribute_to_cluster_pool_size:
              dram: %d
            grant_quantum_bytes: %d
            preallocate: %s
            master:
              endpoint: %s
            listen_endpoint: %s:0
            transport: %s
            timeouts:
              session_timeout_ms: %d
              keep_alive_ms: %d
            %s%s%sdebug:
              delay_master_ms: %d
            aeron:
            %s%s""".formatted(instanceKey, ownerId, isGpu ? "gpu" : "remote_cache", CLUSTER_NAME, quote(shareDirectory),
            isGpu ? plan.capacityBytes() : plan.cacheCapacityBytes(), plan.quantumBytes(), plan.isPreallocated(),
            masterEndpoint,
            host.address(), host.isRemote() ? "ucx" : "loopback",
            plan.livenessMs(), plan.livenessMs() / SIGNS_OF_LIFE, field("get_timeout_ms", plan.getTimeoutMs()),
            plan.isDemoting() ? "" : "eviction:\n  demotion_bound_ms: 0\n",
            0 == plan.hotRatio() ? "" : "replica_writeback_hot_capacity_ratio: " + plan.hotRatio() + "\n",
            plan.delayMasterMs(),
            field("client_liveness_timeout_ms", plan.clientLivenessMs()),
            field("image_liveness_timeout_ms", plan.imageLivenessMs()));
    }

    /** A line of a section, or none where the default is meant. */
    private static String field(final String name, final int value)
    {
        return 0 == value ? "" : "  " + name + ": " + value + "\n";
    }

    private static String quote(final Path path)
    {
        return "'" + path.toString().replace("'", "''") + "'";
    }
}
