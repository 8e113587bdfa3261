package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Copies of groups, at the target of a replica task: sixteen slots.
 */
class OwnerPullTest
{
    private static final long TASK = 77;
    private static final long TIMEOUT_NS = 1_000_000_000L;

    private final EvictionStage stage = new EvictionStage(
        0.99, new OwnerSettings().replicas(new ReplicaSettings().maxPulls(2)));
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;
    private final TestWorker worker = stage.worker;

    @AfterEach
    void after()
    {
        owner.pass(2000);
        owner.transfers.completeAll();
        owner.run();
        master.answerAll();
        owner.run();
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isZero();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.pool.count(SlotState.PENDING)).isZero();
        stage.close();
    }

    private void pull(final long taskId, final String... keys)
    {
        master.routes.addAll(List.of(keys));
        master.sendPull(taskId, TIMEOUT_NS, keys);
        owner.run();
    }

    private void leaseSources()
    {
        master.answer(master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
    }

    private BatchGetDoneRequestDecoder done(final TestMaster.Request request)
    {
        return request.as(new BatchGetDoneRequestDecoder());
    }

    private int givenUp()
    {
        final TestMaster.Request request = master.take(ReplicaGiveUpRequestDecoder.TEMPLATE_ID);
        final ReplicaGiveUpRequestDecoder giveUp = request.as(new ReplicaGiveUpRequestDecoder());
        assertThat(giveUp.replicaTaskId()).isEqualTo(TASK);
        final int code = giveUp.code();
        master.ack(request, 0);
        owner.run();

        return code;
    }

    @Test
    @Tag("REPL-1")
    void shouldBringAGroupHereAndAppendItByOneMessage()
    {
        pull(TASK, "a", "b", "c");
        master.sourcesByKey.put("b", 8);
        leaseSources();
        assertThat(owner.transfers.offered).hasSize(3);
        owner.transfers.complete(0);
        owner.transfers.complete(0);
        owner.run();
        assertThat(master.has(BatchGetDoneRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.transfers.complete(0);
        owner.run();

        final TestMaster.Request request = master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        assertThat(done(request).replicaTaskId()).isEqualTo(TASK);
        assertThat(done(request).items().count()).isEqualTo(3);
        assertThat(stage.find("a")).isEqualTo(SlotTable.NONE);
        master.answer(request);
        owner.run();
        for (final String key : List.of("a", "b", "c"))
        {
            assertThat(stage.residence(key)).isEqualTo(Residence.HOT);
            assertThat(owner.pool.table().holderCount(stage.slotOf(key))).isEqualTo(1);
        }
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_TRANSFERRED)).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_APPENDED)).isEqualTo(3);
        assertThat(master.has(ReplicaGiveUpRequestDecoder.TEMPLATE_ID)).isFalse();
    }

    @Test
    @Tag("REPL-1")
    @Tag("EVICT-1")
    void shouldMakeOneCohortOfTheCopies()
    {
        owner.transfers.isAutomatic = true;
        pull(TASK, "a", "b", "c");
        master.answerAll();

        final CohortRings rings = owner.agent.core().rings;
        final int first = stage.slotOf("a");
        assertThat(rings.next(first)).isIn(stage.slotOf("b"), stage.slotOf("c"));
        assertThat(rings.next(rings.next(rings.next(first)))).isEqualTo(first);
    }

    @Test
    @Tag("REPL-1")
    void shouldCommitNothingWhenTheMasterDoesNotAppend()
    {
        owner.transfers.isAutomatic = true;
        pull(TASK, "a", "b");
        leaseSources();
        master.doneCode = ErrorCode.STALE_GET_PLAN;
        master.answerAll();

        assertThat(stage.find("a")).isEqualTo(SlotTable.NONE);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isZero();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_APPENDED)).isZero();
    }

    @Test
    @Tag("REPL-1")
    void shouldGiveUpTheWholeGroupWhenOneValueDoesNotCome()
    {
        pull(TASK, "a", "b");
        leaseSources();
        owner.transfers.complete(0);
        owner.transfers.complete(ErrorCode.TRANSPORT);
        owner.run();

        assertThat(givenUp()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        master.answerAll();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isZero();
        assertThat(master.has(BatchGetDoneRequestDecoder.TEMPLATE_ID)).isFalse();
    }

    @Test
    @Tag("REPL-1")
    void shouldGiveUpWhenAKeyHasNoRoute()
    {
        pull(TASK, "a", "b");
        master.routes.remove("b");
        leaseSources();

        assertThat(givenUp()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(master.has(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isTrue();
    }

    @Test
    @Tag("REPL-1")
    void shouldSayThatAKeyIsBeingWrittenHere()
    {
        final long planId = worker.startedPut("b");
        pull(TASK, "a", "b");

        assertThat(givenUp()).isEqualTo(ErrorCode.KEY_BEING_WRITTEN);
        assertThat(master.has(BatchGetStartRequestDecoder.TEMPLATE_ID)).isFalse();
        worker.abort(planId);
        owner.run();
        assertThat(worker.status()).isZero();
    }

    @Test
    @Tag("REPL-1")
    void shouldBringOnlyWhatIsNotHere()
    {
        owner.transfers.isAutomatic = true;
        worker.put("a");
        pull(TASK, "a", "b");
        master.pump();
        assertThat(TestMaster.keys(master.requests.getLast())).containsExactly("b");
        master.answerAll();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_APPENDED)).isEqualTo(1);

        pull(TASK + 1, "a", "b");
        final TestMaster.Request request = master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        assertThat(done(request).replicaTaskId()).isEqualTo(TASK + 1);
        assertThat(done(request).items().count()).isZero();
        master.answer(request);
        owner.run();
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isZero();
    }

    @Test
    @Tag("REPL-1")
    @Tag("BOUND-1")
    void shouldRefuseWhatIsMoreThanItsBoundAndDoARepeatedOneOnce()
    {
        pull(TASK + 1, "x");
        pull(TASK + 2, "y");
        pull(TASK + 2, "y");
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isEqualTo(2);
        pull(TASK, "z");

        assertThat(givenUp()).isEqualTo(ErrorCode.BACK_PRESSURED);
    }

    @Test
    @Tag("REPL-1")
    void shouldGiveUpByTimeAndLeaveNothing()
    {
        pull(TASK, "a", "b");
        leaseSources();
        owner.transfers.complete(0);
        for (int i = 0; i < 11; i++)
        {
            owner.pass(100);
            master.pump();
        }

        assertThat(givenUp()).isEqualTo(ErrorCode.GET_TIMEOUT);
    }

    @Test
    @Tag("REPL-1")
    void shouldGiveUpAtOnceWhatCanNeverFit()
    {
        final String[] keys = new String[17];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        pull(TASK, keys);
        leaseSources();

        assertThat(givenUp()).isEqualTo(ErrorCode.NO_SPACE);
    }

    private GetStartResponseDecoder holdSlots(final int count)
    {
        final String[] held = new String[count];
        Arrays.setAll(held, (i) -> "h" + i);
        worker.put(held);
        worker.getStart(false, held);
        owner.run();
        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(count);

        return start;
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldLeaveItsSourceAloneWhenNoSlotsComeInTheTimeThatThatHas()
    {
        holdSlots(15);
        master.routes.addAll(List.of("a", "b"));
        master.sendPull(TASK, 100_000_000L, "a", "b");
        owner.run();
        leaseSources();
        owner.pass(99);
        assertThat(master.has(ReplicaGiveUpRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(2);

        assertThat(givenUp()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(master.has(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isTrue();
    }

    @Test
    @Tag("SLOT-4")
    void shouldNotKeepAReaderWaitingForItsSlotsLongerThanAReaderWaits()
    {
        holdSlots(15);
        pull(TASK, "a", "b");
        leaseSources();
        worker.getStart(true, "a");
        owner.run();
        owner.pass(9);
        assertThat(worker.hasMessage()).isFalse();
        owner.pass(3);

        assertThat(worker.getStartResponse().transferableLen()).isZero();
        assertThat(owner.count(OwnerCounter.PREFIXES_CUT)).isOne();
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).as("the copy waits on").isOne();
    }

    private Set<Integer> ringOf(final String key)
    {
        final CohortRings rings = owner.agent.core().rings;
        final Set<Integer> ring = new TreeSet<>();
        int slotId = stage.slotOf(key);
        while (ring.add(slotId))
        {
            slotId = rings.next(slotId);
        }

        return ring;
    }

    @Test
    @Tag("REPL-1")
    @Tag("EVICT-1")
    void shouldNotLetTheCohortOfAValueThatIsHereGrowByEachGroupThatHasIt()
    {
        owner.transfers.isAutomatic = true;
        pull(TASK, "p", "a");
        master.answerAll();
        pull(TASK + 1, "p", "b", "c");
        master.answerAll();
        pull(TASK + 2, "d", "p", "e");
        master.answerAll();

        assertThat(ringOf("p")).containsExactlyInAnyOrder(stage.slotOf("p"), stage.slotOf("a"));
        assertThat(ringOf("b")).containsExactlyInAnyOrder(stage.slotOf("b"), stage.slotOf("c"));
        assertThat(ringOf("d")).containsExactlyInAnyOrder(stage.slotOf("d"), stage.slotOf("e"));
    }

    @Test
    @Tag("REPL-1")
    @Tag("G6")
    void shouldLetAReaderHaveWhatItGivesUp()
    {
        pull(TASK, "a", "b");
        leaseSources();
        worker.getStart(true, "a");
        owner.run();
        owner.transfers.complete(0);
        owner.transfers.complete(ErrorCode.TRANSPORT);
        owner.run();
        assertThat(givenUp()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        master.answerAll();

        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(1);
        assertThat(stage.residence("a")).isEqualTo(Residence.HOT);
        assertThat(stage.find("b")).isEqualTo(SlotTable.NONE);
    }
}
