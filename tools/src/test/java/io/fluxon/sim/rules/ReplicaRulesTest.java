package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.ReplicaEndDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.ReplicaSettings;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.RouteCheck;
import io.fluxon.sim.cluster.MessageTap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A gpu owner with a worker, and a remote_cache owner: what is copied, and what a full owner makes of it.
 */
class ReplicaRulesTest extends RuleTest
{
    private static final int SLOTS = 16;
    private static final String[] GROUP = names("g", 3);

    private void start(final int grants)
    {
        options.grantsPerOwner = grants;
        options.remoteOwners = 1;
        options.ownerLivenessTimeoutNs = SECOND_NS;
        options.masterSettings = (context) -> context.heartbeatIntervalNs(SECOND_NS / 10).replicaTaskTtlNs(SECOND_NS);
        settings.hotWindowPolicy(WindowPolicyKind.LRU).pressureIntervalNs(10 * MILLISECOND_NS)
            .replicas(new ReplicaSettings().timeoutNs(2 * SECOND_NS));
        startCluster(2, 2);
        cluster.runFor(SECOND_NS);
    }

    private void putWith(final PutOptions putOptions, final String... names)
    {
        putOptions.atomicGroups(new AtomicGroups().add(names.length));
        final PutPlan plan = asked(worker(0), putOptions, LENGTH, names);
        until(plan, PutPlan.State.STARTED);
        commit(worker(0), plan, names);
        until(plan, PutPlan.State.DONE);
    }

    private long copied()
    {
        return owner(1).get(OwnerCounter.REPLICA_PAGES_APPENDED);
    }

    private boolean isCopied(final String key)
    {
        return new MasterView(cluster.master().agent()).hasReplica(owner(1).ownerId(), key);
    }

    @Test
    @Tag("PUT-3")
    @Tag("REPL-1")
    @Tag("P2")
    void shouldCopyWhatIsWishedAndNothingElse()
    {
        start(16);
        putWith(new PutOptions(), "local");
        putWith(new PutOptions().makeReplicaTask(true).mask(new boolean[]{false}), "masked");
        putWith(new PutOptions().makeReplicaTask(true), GROUP);
        cluster.runFor(SECOND_NS);

        assertThat(copied()).isEqualTo(GROUP.length)
            .isEqualTo(owner(1).get(OwnerCounter.REPLICA_PAGES_TRANSFERRED))
            .isEqualTo(owner(0).get(OwnerCounter.REPLICA_PAGES_DONE))
            .isEqualTo(atMaster(MasterCounter.REPLICA_PAGES_TARGETED))
            .isEqualTo(atMaster(MasterCounter.REPLICA_PAGES_APPENDED));
        assertThat(isCopied("local")).isFalse();
        assertThat(isCopied("masked")).isFalse();
        read(worker(1), GROUP);
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("REPL-1")
    @Tag("T1")
    void shouldCopyOnceThoughMessagesAreLost()
    {
        start(16);
        owner(1).fromMaster.drop(PullReplicaDecoder.TEMPLATE_ID, 2);
        owner(0).fromMaster.drop(ReplicaEndDecoder.TEMPLATE_ID, MessageTap.ALL);
        putWith(new PutOptions().makeReplicaTask(true), GROUP);
        cluster.runFor(4 * SECOND_NS);

        assertThat(copied()).isEqualTo(GROUP.length);
        assertThat(atMaster(MasterCounter.REPLICA_PAGES_APPENDED)).isEqualTo(GROUP.length);
        assertThat(owner(0).get(OwnerCounter.REPLICA_PAGES_GAVE_UP)).isEqualTo(GROUP.length);
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldFindAtTheRemoteOwnerWhatAFullOneHasEvicted()
    {
        start(1);
        for (int i = 0; i < 2 * SLOTS - 4; i++)
        {
            put(worker(0), "v" + i);
            cluster.runFor(20 * MILLISECOND_NS);
        }
        cluster.runFor(SECOND_NS);

        assertThat(owner(0).get(OwnerCounter.DEMOTION_PAGES_DONE)).isGreaterThanOrEqualTo(SLOTS - 4);
        assertThat(owner(0).get(OwnerCounter.DEMOTION_PAGES_GAVE_UP)).isZero();
        for (int i = 0; i < 2 * SLOTS - 4; i++)
        {
            assertThat(new MasterView(cluster.master().agent()).hasRoute("v" + i)).as("v" + i).isTrue();
        }
        read(worker(0), "v0");
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("REPL-3")
    void shouldLetGoFirstWhatAGpuOwnerHasBroughtBack()
    {
        start(1);
        for (int i = 0; i < 2 * SLOTS - 4; i++)
        {
            put(worker(0), "v" + i);
            cluster.runFor(20 * MILLISECOND_NS);
        }
        read(worker(0), "v0");
        read(worker(0), "v1");
        cluster.runFor(SECOND_NS);
        assertThat(atMaster(MasterCounter.COPIES_NOTED)).isEqualTo(2);
        assertThat(isCopied("v0")).as("nobody needs the room").isTrue();

        for (int i = 0; i < 2; i++)
        {
            put(worker(0), "w" + i);
            cluster.runFor(20 * MILLISECOND_NS);
        }
        assertThat(owner(1).get(OwnerCounter.EVICT_COPIED)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.EVICT_FREED)).isEqualTo(2);
        assertThat(isCopied("v0")).isFalse();
        assertThat(isCopied("v1")).isFalse();
        for (int i = 0; i < 2 * SLOTS - 4; i++)
        {
            assertThat(new MasterView(cluster.master().agent()).hasRoute("v" + i)).as("v" + i).isTrue();
        }
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("S3")
    @Tag("REPL-3")
    void shouldFreeSlotsThoughTheRemoteOwnerIsDead()
    {
        start(1);
        for (int i = 0; i < SLOTS; i++)
        {
            put(worker(0), "v" + i);
        }
        owner(1).kill();
        for (int i = 0; i < 3 * SLOTS; i++)
        {
            put(worker(0), "more" + i);
        }

        assertThat(owner(0).get(OwnerCounter.EVICT_FREED)).isGreaterThanOrEqualTo(3 * SLOTS);
        cluster.restartOwner(1);
        cluster.runFor(5 * SECOND_NS);
    }
}
