package io.fluxon.engine.config;

import io.fluxon.engine.window.WindowPolicyKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OwnerConfigTest
{
    private static final String LEAST = """
        instance_key: gpu-0
        owner_id: 3
        fluxonkv_spec:
          cluster_name: demo
          share_mem_path: /dev/shm/fluxon
        contribute_to_cluster_pool_size:
          dram: 1GiB
        master:
          endpoint: 10.0.0.1:18100
        """;

    @Test
    void shouldFillInTheDefaults()
    {
        final OwnerConfig config = parse(LEAST);

        assertThat(config.ownerId()).isEqualTo(3);
        assertThat(config.role()).isEqualTo(RoleName.GPU);
        assertThat(config.directory()).isEqualTo(Path.of("/dev/shm/fluxon/demo/gpu-0"));
        assertThat(config.dramBytes()).isEqualTo(1L << 30);
        assertThat(config.grantQuantumBytes()).isEqualTo(512L << 20);
        assertThat(config.reserve()).isEqualTo(new ReserveConfig(10, 30_000, 0, 0));
        assertThat(config.limits()).isEqualTo(new LimitsConfig(8192, 32, 256));
        assertThat(config.isPreallocated()).isTrue();
        assertThat(config.hotCapacityRatio()).isEqualTo(0.98);
        assertThat(config.idle().core()).isEqualTo(IdleStrategyName.BACKOFF);
        assertThat(config.countersDir()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = { "owner-gpu.yaml", "owner-remote-cache.yaml" })
    void shouldReadTheExamplesAlsoWithAllDefaultsWrittenOut(final String name) throws Exception
    {
        final String example = Files.readString(examples().resolve(name));
        final OwnerConfig config = parse(example);
        final OwnerConfig full = parse(uncomment(example));

        assertThat(full.idle()).isEqualTo(config.idle());
        assertThat(full.limits()).isEqualTo(config.limits());
        assertThat(full.timeouts()).isEqualTo(config.timeouts());
        assertThat(full.eviction()).isEqualTo(config.eviction());
        assertThat(full.aeron()).isEqualTo(config.aeron());
        assertThat(full.planArenaBytes()).isEqualTo(config.planArenaBytes());
        assertThat(full.listenEndpoint()).isEqualTo(config.listenEndpoint());
        assertThat(full.countersDir()).isEqualTo(config.directory());
    }

    @Test
    void shouldApplyOverridesBeforeValidation()
    {
        final OwnerConfig config = OwnerConfig.parse("test", LEAST, List.of(
            "contribute_to_cluster_pool_size.dram=64MiB",
            "grant_quantum_bytes=1MiB",
            "debug.delay_master_ms=50",
            "role=remote_cache",
            "idle_strategy={owner: sleep}"));

        assertThat(config.dramBytes()).isEqualTo(64L << 20);
        assertThat(config.delayMasterMs()).isEqualTo(50);
        assertThat(config.role()).isEqualTo(RoleName.REMOTE_CACHE);
        assertThat(config.idle().core()).isEqualTo(IdleStrategyName.SLEEP);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        owner_idd=1 | unknown field owner_idd, the nearest valid name is owner_id
        cluster_name=a | unknown field cluster_name, the nearest valid name is fluxonkv_spec.cluster_name
        limits.max_session=9 | unknown field limits.max_session, the nearest valid name is limits.max_sessions
        debug.delay_ms=1 | unknown field debug.delay_ms, the nearest valid name is debug.delay_master_ms
        owner_id= | field owner_id is missing, needed is a whole number of 1 to 65535
        owner_id=0 | field owner_id is 0, allowed is a whole number of 1 to 65535
        owner_id=one | field owner_id is "one", allowed is a whole number of 1 to 65535
        owner_id=1.5 | field owner_id is 1.5, allowed is a whole number of 1 to 65535
        owner_id=[1] | field owner_id is [1], allowed is a whole number of 1 to 65535
        role=cpu | field role is "cpu", allowed is one of gpu, remote_cache
        instance_key=a/b | field instance_key is "a/b", allowed is a name
        fluxonkv_spec.share_mem_path=shm | field fluxonkv_spec.share_mem_path is "shm", allowed is an absolute path
        fluxonkv_spec=7 | field fluxonkv_spec is 7, allowed is a mapping
        master.endpoint=host | field master.endpoint is "host", allowed is host:port with a port of 1 to 65535
        master.endpoint='h:0' | field master.endpoint is "h:0", allowed is host:port with a port of 1 to 65535
        preallocate=1         | field preallocate is 1, allowed is true or false
        listen_endpoint='h:65536' | field listen_endpoint is "h:65536", allowed is host:port with a port of 0 to 65535
        grant_quantum_bytes=5000 | field grant_quantum_bytes is 5000, allowed is a multiple of 4096
        plan_arena_bytes=4096 | field plan_arena_bytes is 4096, allowed is a multiple of 4096 of at least 2097664
        transport=rdma | field transport is "rdma", allowed is one of auto, ucx, loopback
        transport_endpoint=h | field transport_endpoint is "h", allowed is host:port with a port of 0 to 65535
        timeouts.keep_alive_ms=9000 | field timeouts.keep_alive_ms is 9000, allowed is at most a third
        idle_strategy.owner=spin | field idle_strategy.owner is "spin", allowed is one of backoff
        aeron.udp_term_buffer_bytes=100000 | field aeron.udp_term_buffer_bytes is 100000, allowed is a power of two
        aeron.receiver_window_bytes=1024 | field aeron.receiver_window_bytes is 1024, allowed is a number of bytes
        aeron.receiver_window_bytes=4MiB | field aeron.receiver_window_bytes is "4MiB", allowed is a number of bytes
        aeron.interface=eth0 | field aeron.interface is "eth0", allowed is an address such as 10.1.0.5 or [fd00::5], a
        aeron.interface='10.1/16' | field aeron.interface is "10.1/16", allowed is an address such as 10.1.0.5
        aeron.interface='10.1.0.5?mtu=9' | field aeron.interface is "10.1.0.5?mtu=9", allowed is an address
        aeron.image_liveness_timeout_ms=10 | field aeron.image_liveness_timeout_ms is 10, allowed is a whole
        aeron.receiver_window_bytes=1400 | field aeron.receiver_window_bytes is 1400, allowed is a number of bytes
        aeron.udp_mtu_bytes=1023 | field aeron.udp_mtu_bytes is 1023, allowed is a number of bytes
        aeron.udp_mtu_bytes=1040 | field aeron.udp_mtu_bytes is 1040, allowed is a multiple of 32
        debug.delay_master_ms=-1 | field debug.delay_master_ms is -1, allowed is a whole number of 0 to 60000
        etcd_endpoints=[a] | field etcd_endpoints is not a field here: there is no etcd
        """)
    void shouldNameFieldValueAndWhatIsAllowed(final String override, final String message)
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of(override)))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("owner.yaml: " + message);
    }

    @ParameterizedTest
    @Tag("SLOT-3")
    @CsvSource(delimiter = '|', textBlock = """
        contribute_to_cluster_pool_size.dram=0 | field contribute_to_cluster_pool_size.dram is 0, allowed is
        contribute_to_cluster_pool_size.dram=600MiB | dram is 629145600, allowed is a multiple of grant_quantum_bytes
        contribute_to_cluster_pool_size.vram=1 | field contribute_to_cluster_pool_size.vram is 1, allowed is
        test_spec_config.owner_local_reserve_soft_wait_timeout_ms=0 | soft_wait_timeout_ms is 0, allowed is
        test_spec_config.owner_local_reserve_hard_wait_timeout_ms=10 | hard_wait_timeout_ms is 10, allowed is more than
        test_spec_config.owner_local_reserve_expected_capacity={value_len: 4096} | payload_capacity_bytes is missing
        test_spec_config.owner_local_reserve_expected_capacity={value_len: 0, payload_capacity_bytes: 1} | len is 0
        test_spec_config.owner_local_reserve_expected_capacity={value_len: 513MiB, payload_capacity_bytes: 1} | "513MiB"
        test_spec_config.owner_local_reserve_expected_capacity={value_len: 1, payload_capacity_bytes: 0} | bytes is 0
        test_spec_config.owner_local_reserve_expected_capacity={value_len: 1, payload_capacity_bytes: 2GiB} | at most 1
        """)
    void shouldRefuseCapacitiesThatDoNotFit(final String override, final String message)
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of(override)))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(message);
    }

    @Test
    @Tag("SLOT-3")
    void shouldRefuseAnExpectedValueLongerThanAGrant()
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of(
            "grant_quantum_bytes=1MiB",
            "test_spec_config.owner_local_reserve_expected_capacity={value_len: 2MiB, payload_capacity_bytes: 2MiB}")))
            .hasMessageContaining("value_len is 2097152, allowed is at most grant_quantum_bytes, 1048576");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "1", "1.5", "-0.5", "most" })
    void shouldRefuseAHotRatioThatIsNone(final String ratio)
    {
        assertThatThrownBy(() -> OwnerConfig.parse(
            "owner.yaml", LEAST, List.of("replica_writeback_hot_capacity_ratio=" + ratio)))
            .hasMessageContaining("allowed is a number above 0.0 and below 1.0");
    }

    @Test
    @Tag("PRESS-1")
    @Tag("HOT-1")
    void shouldReadWhatGoesWhenRoomIsNeeded()
    {
        assertThat(parse(LEAST).eviction())
            .isEqualTo(new EvictionConfig(WindowPolicyKind.FLUXON, 200, 256L << 20, 0, 100, 256L << 20));
        assertThat(OwnerConfig.parse("owner.yaml", LEAST, List.of("eviction={policy: tinylfu, " +
            "pressure_interval_ms: 50, pressure_limit_bytes: 1MiB, pressure_headroom_bytes: 8MiB, " +
            "demotion_bound_ms: 0, demotion_limit_bytes: 1MiB}")).eviction())
            .isEqualTo(new EvictionConfig(WindowPolicyKind.TINYLFU, 50, 1 << 20, 8 << 20, 0, 1 << 20));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        policy=random | eviction.policy is "random", allowed is one of lru, slru, arc, tinylfu, fluxon
        pressure_interval_ms=0 | eviction.pressure_interval_ms is 0
        pressure_limit_bytes=1 | eviction.pressure_limit_bytes is 1
        pressure_headroom_bytes=1GiB | eviction.pressure_headroom_bytes is 1073741824, allowed is less than
        presure_limit_bytes=1 | unknown field eviction.presure_limit_bytes, the nearest valid name is
        """)
    void shouldRefuseAnEvictionThatIsNone(final String override, final String message)
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of("eviction." + override)))
            .hasMessageContaining(message);
    }

    @Test
    @Tag("REPL-1")
    void shouldBoundReplicaTasks()
    {
        assertThat(parse(LEAST).replicaTaskMaxInflight()).isEqualTo(16);
        assertThat(OwnerConfig.parse("owner.yaml", LEAST, List.of("replica_task_max_inflight=64"))
            .replicaTaskMaxInflight()).isEqualTo(64);
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of("replica_task_max_inflight=65")))
            .hasMessageContaining("field replica_task_max_inflight is 65");
    }

    @ParameterizedTest
    @Tag("CAP-1")
    @ValueSource(strings = { "replica_writeback_tier1_capacity_ratio", "replica_cache_capacity_ratio" })
    void shouldExplainWhyTheMastersTiersAreNoFields(final String name)
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of(name + "=0.5")))
            .hasMessageContaining("field " + name + " is not a field here: the master")
            .hasMessageContaining("replica_writeback_hot_capacity_ratio");
    }

    @Test
    void shouldTellAllProblemsAtOnce()
    {
        assertThatThrownBy(() -> parse("instance_kye: a\nowner_id: 0\n"))
            .hasMessageContaining("unknown field instance_kye, the nearest valid name is instance_key")
            .hasMessageContaining("field owner_id is 0")
            .hasMessageContaining("field master.endpoint is missing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        'a: [' | is not valid YAML at line
        'a: 1\na: 2' | is not valid YAML at line 2
        '- a' | is not a YAML mapping
        'text' | is not a YAML mapping
        '' | field instance_key is missing
        """)
    void shouldRefuseWhatIsNoConfiguration(final String text, final String message)
    {
        assertThatThrownBy(() -> parse(text.replace("\\n", "\n")))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = { "owner_id", "=1", "instance_key.x=1", "owner_id=[" })
    void shouldRefuseOverridesThatAreNone(final String override)
    {
        assertThatThrownBy(() -> OwnerConfig.parse("owner.yaml", LEAST, List.of(override)))
            .isInstanceOf(ConfigException.class)
            .hasMessageStartingWith("--set " + override + ": ");
    }

    @Test
    void shouldNameAFileThatIsNotThere(@TempDir final Path directory)
    {
        assertThatThrownBy(() -> OwnerConfig.load(directory.resolve("absent.yaml"), List.of()))
            .isInstanceOf(ConfigException.class)
            .hasMessageEndingWith("absent.yaml: there is no such file");
        assertThatThrownBy(() -> OwnerConfig.load(directory, List.of()))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("cannot be read");
    }

    static Path examples()
    {
        return Path.of(System.getProperty("fluxon.root")).resolve("config/examples");
    }

    /** Turns the comments that are fields into fields. */
    static String uncomment(final String example)
    {
        return example.replaceAll("(?m)^( *)# ([a-z0-9_]+:( [^ ]+)?)$", "$1$2");
    }

    private static OwnerConfig parse(final String yaml)
    {
        return OwnerConfig.parse("test", yaml, List.of());
    }
}
