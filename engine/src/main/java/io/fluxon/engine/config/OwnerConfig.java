package io.fluxon.engine.config;

import java.nio.file.Path;
import java.util.List;

/**
 * Configuration of an owner. Names are those of the source system where it has the field. Sizes are bytes: a number, or
 * a text with B, KiB, MiB, GiB or TiB. An example with comments: {@code config/examples/owner-gpu.yaml}.
 *
 * @param instanceKey       {@code instance_key}: name of this owner, unique in the cluster and stable over restarts.
 *                          Required.
 * @param ownerId           {@code owner_id}: number of this owner, unique in the cluster and stable over restarts, 1 to
 *                          65535. Required.
 * @param role              {@code role}: {@code gpu} serves workers, {@code remote_cache} is memory for the others.
 *                          Default gpu.
 * @param clusterName       {@code fluxonkv_spec.cluster_name}: name of the cluster. Required.
 * @param shareMemPath      {@code fluxonkv_spec.share_mem_path}: directory of a memory file system; everything of this
 *                          owner lies in {@code <share_mem_path>/<cluster_name>/<instance_key>}. Required.
 * @param dramBytes         {@code contribute_to_cluster_pool_size.dram}: configured capacity, a multiple of
 *                          {@code grant_quantum_bytes}; exactly these bytes are usable, in grants (contract SLOT-1,
 *                          S5). Required.
 * @param grantQuantumBytes {@code grant_quantum_bytes}: length of a grant, a multiple of 4 KiB up to 1 GiB; no value
 *                          can be longer. Default 512 MiB.
 * @param planArenaBytes    {@code plan_arena_bytes}: part of the segment for the workers' plans, a multiple of 4 KiB,
 *                          beside the capacity. Default 64 MiB.
 * @param isPreallocated    {@code preallocate}: takes the memory of the whole capacity from the file system before the
 *                          owner is ready, about 0.3 s a GiB for each thread, or refuses to start. Without it a process
 *                          that touches a page for which the file system has no room left is killed (SIGBUS). Default
 *                          true.
 * @param planSliceKeys     {@code plan_slice_keys}: keys of one batch that are worked on before others have their turn
 *                          (contract G10). Default 64.
 * @param hotCapacityRatio  {@code replica_writeback_hot_capacity_ratio}: part of a slot class's grants that the hot
 *                          window may fill, above 0 and below 1 (contract HOT-1). Default 0.98.
 * @param eviction          {@code eviction}: which values go when room is needed, and how it is made.
 * @param replicaTaskMaxInflight {@code replica_task_max_inflight}: groups of which copies are being made at
 *                          remote_cache owners at once, 1 to 64 (contract REPL-1). Default 16.
 * @param publishLimit      {@code publish_limit}: most keys committed here whose publish the master has not answered
 *                          (contract BOUND-1, P1). Default 65,536.
 * @param masterEndpoint    {@code master.endpoint}: host:port of the master's {@code listen_endpoint}. Required.
 * @param listenEndpoint    {@code listen_endpoint}: host:port at which the master reaches this owner; port 0 lets the
 *                          system choose. Default 127.0.0.1:0, so it must be set when the master is on another host.
 * @param transport         {@code transport}: how values of other owners are read: {@code auto} copies from those of
 *                          this host and uses UCX for all others, {@code ucx} and {@code loopback} do only the one.
 *                          Default auto.
 * @param transportEndpoint {@code transport_endpoint}: host:port at which owners of other hosts read here; port 0 lets
 *                          the system choose. Default the host of {@code listen_endpoint} and port 0; with an address
 *                          that other hosts cannot reach (127.0.0.1) {@code auto} does without UCX.
 * @param reserve           {@code test_spec_config}: waits for slots and expected capacity.
 * @param limits            {@code limits}: bounds of what workers may ask.
 * @param timeouts          {@code timeouts}: times towards workers and master.
 * @param idle              {@code idle_strategy}: what the threads do when there is nothing to do.
 * @param aeron             {@code aeron}: buffers of the control channels.
 * @param countersDir       {@code counters_dir}: directory of the counters file {@code <instance_key>.cnc}. Default the
 *                          owner's own directory.
 * @param delayMasterMs     {@code debug.delay_master_ms}: adds this time to every message to the master and to every
 *                          one from it. Default 0.
 */
public record OwnerConfig(
    String instanceKey,
    int ownerId,
    RoleName role,
    String clusterName,
    Path shareMemPath,
    long dramBytes,
    long grantQuantumBytes,
    long planArenaBytes,
    boolean isPreallocated,
    int planSliceKeys,
    double hotCapacityRatio,
    EvictionConfig eviction,
    int replicaTaskMaxInflight,
    int publishLimit,
    String masterEndpoint,
    String listenEndpoint,
    TransportName transport,
    String transportEndpoint,
    ReserveConfig reserve,
    LimitsConfig limits,
    TimeoutsConfig timeouts,
    IdleConfig idle,
    AeronConfig aeron,
    Path countersDir,
    int delayMasterMs)
{
    private static final long PAGE_BYTES = 4096;
    private static final long MAX_CAPACITY_BYTES = 8L << 40;
    private static final long MAX_QUANTUM_BYTES = 1L << 30;
    private static final long PLAN_HEADER_BYTES = 16;
    private static final int MAX_DELAY_MS = 60_000;

    /**
     * Reads and validates a file.
     *
     * @param file      of YAML.
     * @param overrides of the form {@code path=value}, applied before validation.
     * @return the configuration.
     * @throws ConfigException that names every problem.
     */
    public static OwnerConfig load(final Path file, final List<String> overrides)
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
    public static OwnerConfig parse(final String origin, final String yaml, final List<String> overrides)
    {
        return read(ConfigReader.ofText(origin, yaml, overrides));
    }

    /**
     * Directory of everything that this owner shares with the processes of its machine.
     *
     * @return {@code <share_mem_path>/<cluster_name>/<instance_key>}.
     */
    public Path directory()
    {
        return shareMemPath.resolve(clusterName).resolve(instanceKey);
    }

    private static OwnerConfig read(final ConfigReader reader)
    {
        final ConfigSection root = reader.root();
        final ConfigSection spec = root.section("fluxonkv_spec");
        final ConfigSection pool = root.section("contribute_to_cluster_pool_size");
        final String instanceKey = root.text("instance_key", null, Patterns.NAME, Patterns.NAME_TEXT);
        final String clusterName = spec.text("cluster_name", null, Patterns.NAME, Patterns.NAME_TEXT);
        final String shareMemPath = spec.text("share_mem_path", null, Patterns.PATH, Patterns.PATH_TEXT);
        final String listenEndpoint = root.endpoint("listen_endpoint", "127.0.0.1:0", 0);
        final long dram = pool.bytes("dram", null, 1, MAX_CAPACITY_BYTES);
        pool.bytes("vram", 0L, 0, 0);

        final OwnerConfig config = new OwnerConfig(
            instanceKey,
            root.integer("owner_id", null, 1, 65_535),
            root.word("role", RoleName.GPU, RoleName.class),
            clusterName,
            pathOrNull(shareMemPath),
            dram,
            root.bytes("grant_quantum_bytes", 512L << 20, PAGE_BYTES, MAX_QUANTUM_BYTES),
            root.bytes("plan_arena_bytes", 64L << 20, PAGE_BYTES, MAX_CAPACITY_BYTES),
            root.flag("preallocate", true),
            root.integer("plan_slice_keys", 64, 1, 8192),
            root.ratio("replica_writeback_hot_capacity_ratio", 0.98, 0, 1),
            EvictionConfig.read(root.section("eviction")),
            root.integer("replica_task_max_inflight", 16, 1, 64),
            root.integer("publish_limit", 65_536, 1, 1 << 22),
            root.section("master").endpoint("endpoint", null, 1),
            listenEndpoint,
            root.word("transport", TransportName.AUTO, TransportName.class),
            root.endpoint("transport_endpoint", withAnyPort(listenEndpoint), 0),
            ReserveConfig.read(root.section("test_spec_config")),
            LimitsConfig.read(root.section("limits")),
            TimeoutsConfig.read(root.section("timeouts")),
            IdleConfig.readOwner(root.section("idle_strategy")),
            AeronConfig.read(root.section("aeron")),
            pathOrNull(root.text("counters_dir", "", Patterns.PATH, Patterns.PATH_TEXT)),
            root.section("debug").integer("delay_master_ms", 0, 0, MAX_DELAY_MS));
        if (!reader.hasProblems())
        {
            config.checkCapacity(root, pool);
        }
        reader.conclude();
        return config;
    }

    private void checkCapacity(final ConfigSection root, final ConfigSection pool)
    {
        if (0 != grantQuantumBytes % PAGE_BYTES)
        {
            root.refuse("grant_quantum_bytes", grantQuantumBytes, "a multiple of " + PAGE_BYTES);
        }
        else if (0 != dramBytes % grantQuantumBytes)
        {
            pool.refuse("dram", dramBytes, "a multiple of grant_quantum_bytes, " + grantQuantumBytes);
        }

        final long least = (PLAN_HEADER_BYTES + 8L * limits.maxKeysPerBatch()) * limits.maxSessions();
        if (0 != planArenaBytes % PAGE_BYTES || planArenaBytes < least)
        {
            root.refuse("plan_arena_bytes", planArenaBytes, "a multiple of " + PAGE_BYTES + " of at least " + least +
                ", a plan of max_keys_per_batch keys for each of max_sessions");
        }
        if (eviction.pressureHeadroomBytes() >= dramBytes)
        {
            root.section("eviction").refuse("pressure_headroom_bytes", eviction.pressureHeadroomBytes(),
                "less than contribute_to_cluster_pool_size.dram, " + dramBytes);
        }
        checkExpected(root.section("test_spec_config").section("owner_local_reserve_expected_capacity"));
    }

    private void checkExpected(final ConfigSection expected)
    {
        final long valueLength = reserve.expectedValueLength();
        if (0 == valueLength)
        {
            return;
        }

        final long slotSize = Math.ceilDiv(valueLength, PAGE_BYTES) * PAGE_BYTES;
        if (slotSize > grantQuantumBytes)
        {
            expected.refuse("value_len", valueLength, "at most grant_quantum_bytes, " + grantQuantumBytes);
            return;
        }
        final long usable = dramBytes / grantQuantumBytes * (grantQuantumBytes / slotSize) * slotSize;
        if (reserve.expectedPayloadBytes() > usable)
        {
            expected.refuse("payload_capacity_bytes", reserve.expectedPayloadBytes(), "at most " + usable +
                ", what contribute_to_cluster_pool_size.dram holds in slots of " + slotSize);
        }
    }

    private static String withAnyPort(final String endpoint)
    {
        return endpoint.substring(0, endpoint.lastIndexOf(':')) + ":0";
    }

    private static Path pathOrNull(final String text)
    {
        return null == text || text.isEmpty() ? null : Path.of(text);
    }
}
