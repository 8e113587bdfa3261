package io.fluxon.engine.config;

import io.fluxon.engine.master.FetchedCopies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MasterConfigTest
{
    private static final String LEAST = """
        instance_key: master
        cluster_name: demo
        share_mem_path: /dev/shm/fluxon
        listen_endpoint: 127.0.0.1:18100
        """;

    @Test
    void shouldReadTheExampleAlsoWithAllDefaultsWrittenOut() throws Exception
    {
        final String example = Files.readString(OwnerConfigTest.examples().resolve("master.yaml"));
        final MasterConfig config = MasterConfig.parse("test", example, List.of());
        final MasterConfig full = MasterConfig.parse("test", OwnerConfigTest.uncomment(example), List.of());

        assertThat(config).isEqualTo(MasterConfig.parse("test", LEAST, List.of()));
        assertThat(full.countersDir()).isEqualTo(config.directory()).isEqualTo(Path.of("/dev/shm/fluxon/demo/master"));
        assertThat(full.heartbeatIntervalMs()).isEqualTo(config.heartbeatIntervalMs());
        assertThat(full.idle()).isEqualTo(config.idle());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        listen_endpoint='127.0.0.1:70000' | is "127.0.0.1:70000", allowed is host:port with a port of 0 to 65535
        listen_endpoint= | field listen_endpoint is missing
        limits.max_keys=0 | field limits.max_keys is 0, allowed is a whole number of 1 to 268435456
        limits.max_replicas=999999 | limits.max_replicas is 999999, allowed is a whole number of 1000000 to 1073741824
        timeouts.heartbeat_interval_ms=5000 | field timeouts.heartbeat_interval_ms is 5000, allowed is at most a third
        port=18100 | field port is not a field here: use listen_endpoint
        idle_strategy.owner=backoff | unknown field idle_strategy.owner, the nearest valid name is idle_strategy.
        """)
    void shouldNameFieldValueAndWhatIsAllowed(final String override, final String message)
    {
        assertThatThrownBy(() -> MasterConfig.parse("master.yaml", LEAST, List.of(override)))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(message);
    }

    @Test
    @Tag("REPL-1")
    @Tag("REPL-4")
    void shouldPlaceCopiesAtRemoteCacheOwnersOnly()
    {
        assertThat(MasterConfig.parse("master.yaml", LEAST, List.of()).replicas())
            .isEqualTo(new ReplicaPlacementConfig(10_000, 60_000, FetchedCopies.GIVEN_UP));
        assertThat(MasterConfig.parse("master.yaml", LEAST, List.of("replica_task_placement={" +
            "remote_only_node_roles: [remote_cache], restrict_to_remote_only_node_roles: true, ramp_ms: 0, " +
            "task_timeout_ms: 5, fetched_copies: kept}")).replicas())
            .isEqualTo(new ReplicaPlacementConfig(5, 0, FetchedCopies.KEPT));
        assertThatThrownBy(() -> MasterConfig.parse("master.yaml", LEAST, List.of(
            "replica_task_placement={remote_only_node_roles: [gpu], restrict_to_remote_only_node_roles: false}")))
            .hasMessageContaining("field replica_task_placement.remote_only_node_roles is")
            .hasMessageContaining("allowed is [remote_cache]: copies go to owners of this role only")
            .hasMessageContaining("never one on another gpu owner");
    }

    @ParameterizedTest
    @Tag("CAP-1")
    @ValueSource(strings = { "replica_writeback_tier1_capacity_ratio", "replica_cache_capacity_ratio" })
    void shouldExplainWhyTheMastersTiersAreNoFields(final String name)
    {
        assertThatThrownBy(() -> MasterConfig.parse("master.yaml", LEAST, List.of(name + "=0.5")))
            .hasMessageContaining("field " + name + " is not a field here: the master");
    }
}
