package io.fluxon.engine.config;

import java.nio.file.Path;
import java.util.List;

/**
 * Configuration of the master. Names are those of the source system where it has the field. An example with comments:
 * {@code config/examples/master.yaml}.
 *
 * @param instanceKey         {@code instance_key}: name of the master. Required.
 * @param clusterName         {@code cluster_name}: name of the cluster. Required.
 * @param shareMemPath        {@code share_mem_path}: directory of a memory file system; everything of the master lies
 *                            in {@code <share_mem_path>/<cluster_name>/<instance_key>}. Required.
 * @param listenEndpoint      {@code listen_endpoint}: host:port at which owners reach the master; port 0 lets the
 *                            system choose, the ready line and {@code master.json} say which. Required.
 * @param maxKeys             {@code limits.max_keys}: most keys that have a route. Default 1,000,000.
 * @param maxReplicas         {@code limits.max_replicas}: most copies of all keys together, at least {@code max_keys};
 *                            an owner's own and each that another owner has fetched is one. Default twice
 *                            {@code max_keys}.
 * @param maxOwners           {@code limits.max_owners}: most owners that are registered at once. Default 64.
 * @param sliceKeys           {@code slice_keys}: keys of one request that are worked on before others have their turn
 *                            (contract G10). Default 256.
 * @param heartbeatIntervalMs {@code timeouts.heartbeat_interval_ms}: time between two signs of life of an owner, at
 *                            most a third of the liveness timeout. Default 1,000.
 * @param livenessTimeoutMs   {@code timeouts.owner_liveness_ms}: silence after which an owner and its routes go.
 *                            Default 10,000.
 * @param inflightTtlMs       {@code timeouts.inflight_ttl_ms}: life of a started get and of a reservation that nothing
 *                            follows (contract T1). Default 60,000.
 * @param replicas            {@code replica_task_placement}: where copies of values go.
 * @param idle                {@code idle_strategy}: what the threads do when there is nothing to do.
 * @param aeron               {@code aeron}: buffers of the control channels.
 * @param countersDir         {@code counters_dir}: directory of the counters file {@code <instance_key>.cnc}. Default
 *                            the master's own directory.
 */
public record MasterConfig(
    String instanceKey,
    String clusterName,
    Path shareMemPath,
    String listenEndpoint,
    long maxKeys,
    long maxReplicas,
    int maxOwners,
    int sliceKeys,
    int heartbeatIntervalMs,
    int livenessTimeoutMs,
    int inflightTtlMs,
    ReplicaPlacementConfig replicas,
    IdleConfig idle,
    AeronConfig aeron,
    Path countersDir)
{
    private static final int MAX_MS = 3_600_000;
    private static final int MAX_KEYS = 1 << 28;
    private static final int MAX_REPLICAS = 1 << 30;

    /**
     * Reads and validates a file.
     *
     * @param file      of YAML.
     * @param overrides of the form {@code path=value}, applied before validation.
     * @return the configuration.
     * @throws ConfigException that names every problem.
     */
    public static MasterConfig load(final Path file, final List<String> overrides)
    {
        return read(ConfigReader.ofFile(file, overrides));
    }

    /**
     * Reads and validates a text.
     *
     * @param origin    that problems are reported with.
     * @param yaml      text.
     * @param overrides of the form {@code path=value}, applied before validation.
     * @return the configuration.
     * @throws ConfigException that names every problem.
     */
    public static MasterConfig parse(final String origin, final String yaml, final List<String> overrides)
    {
        return read(ConfigReader.ofText(origin, yaml, overrides));
    }

    /**
     * Directory of everything that the master leaves on its machine.
     *
     * @return {@code <share_mem_path>/<cluster_name>/<instance_key>}.
     */
    public Path directory()
    {
        return shareMemPath.resolve(clusterName).resolve(instanceKey);
    }

    private static MasterConfig read(final ConfigReader reader)
    {
        final ConfigSection root = reader.root();
        final ConfigSection limits = root.section("limits");
        final ConfigSection timeouts = root.section("timeouts");
        final String shareMemPath = root.text("share_mem_path", null, Patterns.PATH, Patterns.PATH_TEXT);
        final String countersDir = root.text("counters_dir", "", Patterns.PATH, Patterns.PATH_TEXT);
        final int maxKeys = limits.integer("max_keys", 1_000_000, 1, MAX_KEYS);
        final MasterConfig config = new MasterConfig(
            root.text("instance_key", null, Patterns.NAME, Patterns.NAME_TEXT),
            root.text("cluster_name", null, Patterns.NAME, Patterns.NAME_TEXT),
            null == shareMemPath ? null : Path.of(shareMemPath),
            root.endpoint("listen_endpoint", null, 0),
            maxKeys,
            limits.integer("max_replicas", 2 * maxKeys, maxKeys, MAX_REPLICAS),
            limits.integer("max_owners", 64, 1, 4096),
            root.integer("slice_keys", 256, 1, 8192),
            timeouts.integer("heartbeat_interval_ms", 1_000, 10, MAX_MS),
            timeouts.integer("owner_liveness_ms", 10_000, 100, MAX_MS),
            timeouts.integer("inflight_ttl_ms", 60_000, 1_000, MAX_MS),
            ReplicaPlacementConfig.read(root.section("replica_task_placement")),
            IdleConfig.readMaster(root.section("idle_strategy")),
            AeronConfig.read(root.section("aeron")),
            null == countersDir || countersDir.isEmpty() ? null : Path.of(countersDir));
        if (config.heartbeatIntervalMs > config.livenessTimeoutMs / 3)
        {
            timeouts.refuse("heartbeat_interval_ms", config.heartbeatIntervalMs,
                "at most a third of owner_liveness_ms, " + config.livenessTimeoutMs / 3);
        }
        reader.conclude();
        return config;
    }
}
