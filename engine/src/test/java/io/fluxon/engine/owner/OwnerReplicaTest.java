package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Copies of groups, at their source: sixteen slots, all of which the window nearly holds.
 */
class OwnerReplicaTest
{
    private final EvictionStage stage = new EvictionStage(0.99, new OwnerSettings().replicas(
        new ReplicaSettings().taskMaxInflight(2).maxQueue(3).timeoutNs(1_000_000_000L)));
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;
    private final TestWorker worker = stage.worker;

    @AfterEach
    void after()
    {
        owner.pass(2000);
        master.answerAll();
        owner.run();
        assertThat(owner.count(OwnerCounter.REPLICA_JOBS)).isZero();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_WISHED)).isEqualTo(
            owner.count(OwnerCounter.REPLICA_PAGES_DONE) + owner.count(OwnerCounter.REPLICA_PAGES_SATISFIED) +
            owner.count(OwnerCounter.REPLICA_PAGES_NO_SPACE) + owner.count(OwnerCounter.REPLICA_PAGES_OBSOLETE) +
            owner.count(OwnerCounter.REPLICA_PAGES_GAVE_UP) + owner.count(OwnerCounter.REPLICA_PAGES_DROPPED));
        stage.close();
    }

    private void put(final int options, final int[] groups, final String... keys)
    {
        worker.options = options;
        worker.isReplicaWished = true;
        worker.groups = groups;
        worker.commit(worker.startedPut(keys));
        owner.run();
        stage.answerPublish();
        worker.options = 0;
        worker.isReplicaWished = false;
        worker.groups = new int[]{};
    }

    private TestMaster.Request wished(final String... keys)
    {
        put(PutOptionBits.MAKE_REPLICA_TASK, new int[]{keys.length}, keys);

        return takeStart();
    }

    private TestMaster.Request takeStart()
    {
        return master.take(ReplicaStartRequestDecoder.TEMPLATE_ID);
    }

    private void answer(final TestMaster.Request start, final ReplicaResult result)
    {
        master.answerReplicaStart(start, result);
        owner.run();
    }

    private void end(final TestMaster.Request start, final int code)
    {
        master.sendReplicaEnd(start.operationId(), code);
        owner.run();
    }

    private int holders(final String key)
    {
        return owner.pool.table().holderCount(stage.slotOf(key));
    }

    @Test
    @Tag("PUT-3")
    void shouldMakeNoReplicaOfALocalOnlyPut()
    {
        put(0, new int[]{2}, "a", "b");
        worker.isReplicaWished = false;
        worker.options = PutOptionBits.MAKE_REPLICA_TASK;
        worker.put("c");

        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_WISHED)).isZero();
    }

    @Test
    @Tag("PUT-3")
    @Tag("REPL-1")
    void shouldAskForACopyOfEachGroupAfterItsCommitAndPinItUntilTheEnd()
    {
        final TestMaster.Request start = wished("a", "b", "c");

        assertThat(TestMaster.replicatedKeys(start)).containsExactly("a", "b", "c");
        assertThat(holders("a")).isEqualTo(2);
        answer(start, ReplicaResult.SCHEDULED);
        assertThat(holders("c")).isEqualTo(2);
        end(start, ErrorCode.OK);
        assertThat(holders("a")).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_DONE)).isEqualTo(3);
    }

    @Test
    @Tag("REPL-1")
    void shouldTryAKeyBeingWrittenThreeTimes()
    {
        final TestMaster.Request first = wished("a");
        answer(first, ReplicaResult.SCHEDULED);
        end(first, ErrorCode.KEY_BEING_WRITTEN);
        assertThat(holders("a")).as("nothing is pinned between two tries").isEqualTo(1);
        owner.pass(24);
        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(2);
        final TestMaster.Request second = takeStart();
        assertThat(second.operationId()).isNotEqualTo(first.operationId());
        answer(second, ReplicaResult.SCHEDULED);
        end(second, ErrorCode.KEY_BEING_WRITTEN);
        owner.pass(49);
        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(2);
        final TestMaster.Request third = takeStart();
        answer(third, ReplicaResult.SCHEDULED);
        end(third, ErrorCode.KEY_BEING_WRITTEN);
        owner.pass(500);

        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_GAVE_UP)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.REPLICA_RETRIES)).isEqualTo(2);
    }

    @Test
    @Tag("REPL-1")
    @Tag("S3")
    void shouldGiveUpWhatItDoesNotHearOf()
    {
        final TestMaster.Request start = wished("a", "b");
        answer(start, ReplicaResult.SCHEDULED);
        owner.pass(1001);

        assertThat(holders("a")).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_GAVE_UP)).isEqualTo(2);
        end(start, ErrorCode.OK);
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_DONE)).isZero();
    }

    @Test
    @Tag("REPL-1")
    void shouldHearTheEndBeforeTheAnswer()
    {
        final TestMaster.Request start = wished("a");
        end(start, ErrorCode.OK);
        answer(start, ReplicaResult.SCHEDULED);

        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_DONE)).isEqualTo(1);
    }

    @Test
    @Tag("REPL-1")
    @Tag("BOUND-1")
    void shouldKeepItsBoundsAndDropWhatDoesNotFit()
    {
        put(PutOptionBits.MAKE_REPLICA_TASK, new int[]{}, "a", "b", "c", "d", "e", "f", "g");

        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_DROPPED)).isEqualTo(4);
        assertThat(stage.takeAll(ReplicaStartRequestDecoder.TEMPLATE_ID)).hasSize(2);
        assertThat(owner.count(OwnerCounter.REPLICA_JOBS)).isEqualTo(3);
    }

    @Test
    @Tag("REPL-1")
    void shouldCopyOneAtATimeOfEachKey()
    {
        final TestMaster.Request first = wished("a", "b");
        put(PutOptionBits.MAKE_REPLICA_TASK, new int[]{2}, "b", "c");
        assertThat(master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();
        answer(first, ReplicaResult.SATISFIED);

        assertThat(TestMaster.replicatedKeys(takeStart())).containsExactly("b", "c");
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_SATISFIED)).isEqualTo(2);
    }

    @Test
    @Tag("REPL-1")
    void shouldDoNothingMoreWhenThereIsNoTargetOrNoSource()
    {
        answer(wished("a"), ReplicaResult.NO_SPACE);
        answer(wished("b"), ReplicaResult.OBSOLETE);

        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_NO_SPACE)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_OBSOLETE)).isEqualTo(1);
        assertThat(holders("a")).isEqualTo(1);
    }

    @Test
    @Tag("S3")
    @Tag("REPL-1")
    void shouldFreeASlotWhoseCopyHasFailed()
    {
        final TestMaster.Request start = wished("a");
        answer(start, ReplicaResult.SCHEDULED);
        end(start, ErrorCode.TRANSPORT);
        stage.fill(15);
        worker.commit(worker.startedPut("last"));
        owner.run();
        owner.pass(300);
        for (int i = 0; i < 5 && SlotTable.NONE != stage.find("a"); i++)
        {
            owner.pass(100);
            master.answerAll();
        }

        assertThat(stage.find("a")).isEqualTo(SlotTable.NONE);
        assertThat(owner.pool.count(SlotState.PENDING)).isZero();
        assertThat(master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
    }
}
