package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Victims that get a copy before they go: sixteen slots, of which the window holds twelve.
 */
class OwnerDemotionTest
{
    private static final int WINDOW_SLOTS = 12;
    private static final long PAGE = 4096;

    private final EvictionStage stage = new EvictionStage(
        0.75, new OwnerSettings().replicas(new ReplicaSettings().demotionLimitBytes(2 * PAGE)));
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;
    private final TestWorker worker = stage.worker;

    @AfterEach
    void after()
    {
        end(stage);
    }

    private static void end(final EvictionStage stage)
    {
        final OwnerFixture owner = stage.owner;
        for (int i = 0; i < 20; i++)
        {
            owner.pass(100);
            owner.master.answerAll();
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.REPLICA_JOBS)).isZero();
        assertThat(owner.count(OwnerCounter.EVICTION_JOBS)).isZero();
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_SELECTED)).isEqualTo(
            owner.count(OwnerCounter.DEMOTION_PAGES_DONE) + owner.count(OwnerCounter.DEMOTION_PAGES_SATISFIED) +
            owner.count(OwnerCounter.DEMOTION_PAGES_NO_SPACE) + owner.count(OwnerCounter.DEMOTION_PAGES_GAVE_UP) +
            owner.count(OwnerCounter.DEMOTION_PAGES_SKIPPED));
        stage.close();
    }

    private void listPeer(final OwnerRole role)
    {
        master.peerRole = role;
        master.sendPeers(1, 9);
        owner.run();
    }

    private TestMaster.Request victim()
    {
        overflow("last");

        return master.take(ReplicaStartRequestDecoder.TEMPLATE_ID);
    }

    private void overflow(final String key)
    {
        overflow(stage, key);
    }

    private static void overflow(final EvictionStage stage, final String key)
    {
        stage.worker.commit(stage.worker.startedPut(key));
        stage.owner.run();
        stage.answerPublish();
    }

    private void answer(final TestMaster.Request start, final ReplicaResult result)
    {
        master.answerReplicaStart(start, result);
        owner.run();
    }

    @Test
    @Tag("REPL-3")
    void shouldCopyAVictimFirstAndEvictItWhenTheCopyIsThere()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        final TestMaster.Request start = victim();
        assertThat(TestMaster.replicatedKeys(start)).containsExactly("k0");
        assertThat(start.as(new ReplicaStartRequestDecoder()).isDemotion()).isEqualTo((short)1);
        assertThat(start.as(new ReplicaStartRequestDecoder()).timeoutNs()).isEqualTo(100_000_000);
        answer(start, ReplicaResult.SCHEDULED);
        owner.pass(50);
        assertThat(master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
        assertThat(stage.residence("k0")).isEqualTo(Residence.SELECTED);
        worker.release(stage.holdAgain("k0"));
        owner.run();
        assertThat(worker.status()).isZero();

        master.sendReplicaEnd(start.operationId(), ErrorCode.OK);
        owner.run();
        master.answer(stage.takeEvict());
        owner.run();
        assertThat(stage.find("k0")).isEqualTo(SlotTable.NONE);
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_DONE)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_BUSY)).isZero();
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldEvictItAnywayWhenTheCopyIsNotThereWithinTheBound()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        answer(victim(), ReplicaResult.SCHEDULED);
        owner.pass(99);
        assertThat(master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(2);

        master.answer(stage.takeEvict());
        owner.run();
        assertThat(stage.find("k0")).isEqualTo(SlotTable.NONE);
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_GAVE_UP)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_BUSY)).isZero();
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldEvictItAtOnceWhenNobodyHasRoomOrTheCopyFails()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        answer(victim(), ReplicaResult.NO_SPACE);
        master.answer(stage.takeEvict());
        owner.run();
        overflow("next");
        final TestMaster.Request start = master.take(ReplicaStartRequestDecoder.TEMPLATE_ID);
        answer(start, ReplicaResult.SCHEDULED);
        master.sendReplicaEnd(start.operationId(), ErrorCode.STALE_GET_PLAN);
        owner.run();

        assertThat(TestMaster.evictedKeys(stage.takeEvict())).containsExactly("k1");
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_NO_SPACE)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_GAVE_UP)).isEqualTo(1);
    }

    @Test
    @Tag("REPL-1")
    @Tag("REPL-3")
    void shouldTryAgainWhileTheTargetIsLettingItsOwnCopyGo()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        final TestMaster.Request first = victim();
        answer(first, ReplicaResult.RENEWED);
        master.sendReplicaEnd(first.operationId(), ErrorCode.KEY_BEING_WRITTEN);
        owner.run();
        assertThat(owner.pool.table().holderCount(stage.slotOf("k0"))).as("waiting holds nothing").isOne();
        owner.pass(24);
        assertThat(master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.pass(2);
        final TestMaster.Request second = master.take(ReplicaStartRequestDecoder.TEMPLATE_ID);
        assertThat(second.as(new ReplicaStartRequestDecoder()).timeoutNs()).as("what is left of the bound")
            .isPositive().isLessThanOrEqualTo(100_000_000 - 25_000_000);
        assertThat(second.operationId()).isNotEqualTo(first.operationId());
        answer(second, ReplicaResult.SCHEDULED);
        master.sendReplicaEnd(second.operationId(), ErrorCode.OK);
        owner.run();
        assertThat(TestMaster.evictedKeys(stage.takeEvict())).containsExactly("k0");
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_DONE)).isOne();
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldEvictItAnywayWhenTheBoundEndsBetweenTwoTries()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        final TestMaster.Request start = victim();
        answer(start, ReplicaResult.SCHEDULED);
        owner.pass(90);
        master.sendReplicaEnd(start.operationId(), ErrorCode.KEY_BEING_WRITTEN);
        owner.pass(9);
        assertThat(master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(2);

        assertThat(TestMaster.evictedKeys(stage.takeEvict())).containsExactly("k0");
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_GAVE_UP)).isOne();
        owner.pass(50);
        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
    }

    @Test
    @Tag("REPL-3")
    void shouldCountACopyThatIsThere()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        answer(victim(), ReplicaResult.SATISFIED);

        assertThat(TestMaster.evictedKeys(stage.takeEvict())).containsExactly("k0");
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_SATISFIED)).isEqualTo(1);
    }

    @Test
    @Tag("REPL-3")
    void shouldNotAskWhereNobodyHoldsCopiesForOthers()
    {
        listPeer(OwnerRole.GPU);
        stage.overflow(WINDOW_SLOTS);

        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_SELECTED)).isZero();
    }

    @Test
    @Tag("REPL-3")
    @Tag("BOUND-1")
    void shouldEvictWithoutACopyWhatIsBeyondTheBudget()
    {
        listPeer(OwnerRole.REMOTE_CACHE);
        stage.fill(WINDOW_SLOTS);
        overflow("x0");
        overflow("x1");
        overflow("x2");

        assertThat(stage.takeAll(ReplicaStartRequestDecoder.TEMPLATE_ID)).hasSize(2);
        assertThat(TestMaster.evictedKeys(stage.takeEvict())).containsExactly("k2");
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_SKIPPED)).isEqualTo(1);
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldEvictWithoutACopyWhatWouldWaitForItsTurnUntilTheBound()
    {
        final EvictionStage slow = new EvictionStage(
            0.75, new OwnerSettings().replicas(new ReplicaSettings().taskMaxInflight(1)));
        slow.owner.master.peerRole = OwnerRole.REMOTE_CACHE;
        slow.owner.master.sendPeers(1, 9);
        slow.owner.run();
        slow.fill(WINDOW_SLOTS);
        overflow(slow, "x0");
        final TestMaster.Request start = slow.owner.master.take(ReplicaStartRequestDecoder.TEMPLATE_ID);
        slow.owner.pass(40);
        slow.owner.master.answerReplicaStart(start, ReplicaResult.SATISFIED);
        slow.owner.run();
        slow.owner.master.answer(slow.takeEvict());
        slow.owner.run();

        overflow(slow, "x1");
        overflow(slow, "x2");
        assertThat(slow.owner.count(OwnerCounter.DEMOTION_PAGES_SKIPPED)).as("one under way, one waits").isZero();
        overflow(slow, "x3");
        assertThat(slow.owner.count(OwnerCounter.DEMOTION_PAGES_SKIPPED)).isOne();
        assertThat(TestMaster.evictedKeys(slow.takeEvict())).containsExactly("k3");
        end(slow);
    }
}
