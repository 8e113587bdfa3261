package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.sim.cluster.MessageTap;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Operations whose outcome is uncertain: lost, late, doubled and overtaken messages between owner and master.
 */
class OperationRulesTest extends RuleTest
{
    @Test
    @Tag("A2")
    @Tag("T1")
    void shouldGoOnWithTheSameOperationIdUntilAPublishIsAnswered()
    {
        startCluster(1, 1);
        owner(0).toMaster.record(PublishRequestDecoder.TEMPLATE_ID);
        owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, 6);
        final PutPlan put = localReady(worker(0), new PutOptions(), "a", "b");
        while (owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID) < 7)
        {
            cluster.step();
            assertThat(owner(0).pool().count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(2);
        }
        until(put, PutPlan.State.DONE);

        final List<UnsafeBuffer> requests = owner(0).toMaster.recorded(PublishRequestDecoder.TEMPLATE_ID);
        assertThat(requests).hasSize(7);
        assertThat(requests.stream().map(MessageTap::correlationId).distinct()).hasSize(1);
        assertThat(put.failedCount()).isZero();
        assertThat(atMaster(MasterCounter.ROUTES_CREATED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.OPERATIONS_REPEATED)).isEqualTo(6);
    }

    @Test
    @Tag("A2")
    void shouldRepeatAPublishAfter25MillisecondsDoublingToASecond()
    {
        startCluster(1, 1);
        owner(0).toMaster.drop(PublishRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        cluster.runUntil(() -> 1 == owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID), SECOND_NS);
        final long startNs = cluster.clock().nanoTime();
        final long[] dueMs = {25, 75, 175, 375, 775, 1_575, 2_575, 3_575};
        for (int i = 0; i < dueMs.length; i++)
        {
            final int sends = i + 2;
            cluster.runUntil(() -> sends == owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID), 5 * SECOND_NS);
            final long passedMs = (cluster.clock().nanoTime() - startNs) / MILLISECOND_NS;
            assertThat(passedMs).isBetween(dueMs[i], dueMs[i] + 25 + 25 * i);
        }

        owner(0).toMaster.drop(PublishRequestDecoder.TEMPLATE_ID, 0);
        until(put, PutPlan.State.DONE);
    }

    @Test
    @Tag("A2")
    void shouldNeverPublishAGroupThatIsNotComplete()
    {
        startCluster(2, 2);
        putOfLength(worker(0), 900, "b");
        owner(0).toMaster.record(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan put = put(worker(0), inGroups(3, 1), "a", "b", "c", "d");

        assertThat(results(put)).containsExactly(
            -ErrorCode.GROUP_ABORTED, -ErrorCode.INVALID_ARGUMENT, -ErrorCode.GROUP_ABORTED, 0);
        assertThat(owner(0).toMaster.recorded(PublishRequestDecoder.TEMPLATE_ID)).hasSize(1)
            .allMatch((message) -> 1 == keysOf(message));
        assertThat(existing(worker(1), "a", "c", "d")).containsExactly(false, false, true);
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(2);
    }

    @Test
    @Tag("T1")
    void shouldLeaveNoBlockWhenAnAbortOvertakesItsReservation()
    {
        startCluster(2, 2);
        final PutOptions noInflight = new PutOptions().rejectIfInflightSameKey(true);
        owner(0).toMaster.hold(ReserveRequestDecoder.TEMPLATE_ID);
        final PutPlan aborted = started(worker(0), noInflight, "a");
        worker(0).client().putAbort(aborted);
        until(aborted, PutPlan.State.ABORTED);
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.MESSAGES_UNRESERVE), SECOND_NS);
        cluster.runFor(100 * MILLISECOND_NS);
        owner(0).toMaster.release(ReserveRequestDecoder.TEMPLATE_ID);
        cluster.runFor(100 * MILLISECOND_NS);

        assertThat(atMaster(MasterCounter.MESSAGES_RESERVE)).isPositive();
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();
        assertThat(results(put(worker(1), noInflight, "a"))).containsExactly(0);
    }

    @Test
    @Tag("T1")
    void shouldLeaveATombstoneWhenAnAbortOvertakesAReservationThatIsNotAnswered()
    {
        startCluster(2, 2);
        final PutOptions noInflight = new PutOptions().rejectIfInflightSameKey(true);
        owner(0).toMaster.hold(ReserveRequestDecoder.TEMPLATE_ID);
        owner(0).fromMaster.drop(OperationAckDecoder.TEMPLATE_ID, 4);
        final PutPlan aborted = started(worker(0), noInflight, "a");
        worker(0).client().putAbort(aborted);
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.TOMBSTONES), SECOND_NS);
        owner(0).toMaster.release(ReserveRequestDecoder.TEMPLATE_ID);
        cluster.runFor(20 * MILLISECOND_NS);

        assertThat(atMaster(MasterCounter.MESSAGES_RESERVE)).isPositive();
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();
        assertThat(results(put(worker(1), noInflight, "a"))).containsExactly(0);
        cluster.runFor(SECOND_NS);
    }

    @Test
    @Tag("T1")
    void shouldStartNoGetWhenItsRevokeOvertakesIt()
    {
        settings.getTimeoutNs(SECOND_NS);
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).toMaster.hold(BatchGetStartRequestDecoder.TEMPLATE_ID);
        final GetHandle get = got(worker(1), "a");
        assertThat(get.transferableLen()).isZero();
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.MESSAGES_GET_REVOKE), SECOND_NS);
        assertThat(owner(1).toMaster.release(BatchGetStartRequestDecoder.TEMPLATE_ID)).isPositive();
        cluster.runFor(100 * MILLISECOND_NS);

        assertThat(atMaster(MasterCounter.GETS_STARTED)).isZero();
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isZero();
    }

    @Test
    @Tag("T1")
    void shouldRevokeAGetWhoseStartWasExecutedAndNeverAnswered()
    {
        settings.getTimeoutNs(SECOND_NS);
        startCluster(2, 2);
        put(worker(0), "a", "b");
        owner(1).fromMaster.drop(BatchGetStartResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        final GetHandle get = got(worker(1), "a", "b");
        assertThat(get.transferableLen()).isZero();
        cluster.runFor(100 * MILLISECOND_NS);
        assertThat(atMaster(MasterCounter.GETS_STARTED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_REVOKED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isZero();

        owner(1).fromMaster.drop(BatchGetStartResponseDecoder.TEMPLATE_ID, 0);
        read(worker(1), "a", "b");
    }

    @Test
    @Tag("T1")
    void shouldEndByTimeWhatAnOwnerHasStartedAndNobodyEnds()
    {
        options.inflightTtlNs = 3 * SECOND_NS;
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        final PutPlan put = started(worker(1), new PutOptions(), "b");
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(1);
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isEqualTo(1);
        cluster.runFor(4 * SECOND_NS);
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isZero();
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();

        owner(1).transferFaults.held = false;
        worker(1).client().getTransfer(get, -1);
        until(get, GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        worker(1).client().putAbort(put);
        until(put, PutPlan.State.ABORTED);
        read(worker(1), "a");
    }

    @Test
    @Tag("T1")
    void shouldExecuteNothingForIdsThatHaveBeenAcknowledged()
    {
        startCluster(2, 2);
        owner(1).toMaster.record(BatchGetStartRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.record(ReserveRequestDecoder.TEMPLATE_ID);
        put(worker(0), "a");
        read(worker(1), "a");
        put(worker(1), "b");
        cluster.runFor(2 * SECOND_NS);
        owner(1).toMaster.replay(BatchGetStartRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.replay(ReserveRequestDecoder.TEMPLATE_ID);
        cluster.runFor(100 * MILLISECOND_NS);

        assertThat(atMaster(MasterCounter.OPERATIONS_ACKNOWLEDGED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isZero();
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();
    }

    @Test
    @Tag("T1")
    void shouldRefuseTheMessagesOfAnOlderSession()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).toMaster.record(BatchGetStartRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.drop(BatchGetStartRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        final GetHandle get = asking(worker(1), true, null, "a");
        cluster.runUntil(() -> 1 == owner(1).toMaster.count(BatchGetStartRequestDecoder.TEMPLATE_ID), SECOND_NS);
        isolate(owner(1), true);
        cluster.runFor(20 * SECOND_NS);
        isolate(owner(1), false);
        owner(1).toMaster.drop(BatchGetStartRequestDecoder.TEMPLATE_ID, 0);
        cluster.runFor(2 * SECOND_NS);
        final long refused = atMaster(MasterCounter.SESSIONS_REFUSED);
        owner(1).toMaster.replay(BatchGetStartRequestDecoder.TEMPLATE_ID);
        cluster.runFor(100 * MILLISECOND_NS);

        assertThat(atMaster(MasterCounter.SESSIONS_REFUSED)).isGreaterThan(refused);
        assertThat(atMaster(MasterCounter.GETS_STARTED)).isZero();
        assertThat(get.transferableLen()).isZero();
    }

    @Test
    @Tag("T1")
    @Tag("T2")
    void shouldGetTheRecordedOutcomeWhenTheAnswerToAGetDoneIsLost()
    {
        startCluster(2, 2);
        put(worker(0), "a", "b");
        owner(1).toMaster.record(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        owner(1).fromMaster.drop(BatchGetDoneResponseDecoder.TEMPLATE_ID, 4);
        read(worker(1), "a", "b");

        final List<UnsafeBuffer> requests = owner(1).toMaster.recorded(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        assertThat(requests).hasSize(5);
        assertThat(requests.stream().map(MessageTap::correlationId).distinct()).hasSize(1);
        assertThat(atMaster(MasterCounter.GETS_JOINED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_STALE)).isZero();
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(4);
        assertThat(owner(1).pool().count(SlotState.COMMITTED)).isEqualTo(2);
    }

    @Test
    @Tag("T1")
    void shouldKeepTheSlotsOfAGetDoneUntilItIsAnswered()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).fromMaster.hold(BatchGetDoneResponseDecoder.TEMPLATE_ID);
        final GetHandle get = got(worker(1), "a");
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.GETS_JOINED), SECOND_NS);
        cancel(worker(1), get);
        cluster.runFor(30 * SECOND_NS);
        assertThat(owner(1).pool().count(SlotState.PENDING)).isEqualTo(1);

        owner(1).fromMaster.release(BatchGetDoneResponseDecoder.TEMPLATE_ID);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(1).pool().count(SlotState.PENDING)).isZero();
        assertThat(owner(1).pool().count(SlotState.COMMITTED)).isEqualTo(1);
    }

    @Test
    @Tag("T2")
    void shouldConvergeWhenAPutOfTheKeyIsPublishedBeforeTheGetIsDone()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        owner(1).toMaster.hold(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        final GetHandle get = got(worker(1), "a");
        cluster.runUntil(() -> owner(1).toMaster.held() > 0, SECOND_NS);
        put(worker(3), "a");
        assertThat(owner(1).slotsOf("a")).hasSize(2);
        owner(1).toMaster.release(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        release(worker(1), readable(worker(1), get, "a"));

        assertThat(owner(1).slotsOf("a")).hasSize(1);
        assertThat(owner(1).get(OwnerCounter.ERROR_KEY_ALREADY_EXISTS)).isZero();
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(2);
    }

    @Test
    @Tag("T2")
    void shouldConvergeWhenTheGetIsDoneBeforeAPutOfTheKeyIsPublished()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        owner(1).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.hold(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        owner(1).transferFaults.held = false;
        cluster.runUntil(() -> owner(1).toMaster.held() > 0, SECOND_NS);
        final PutPlan put = localReady(worker(3), new PutOptions(), "a");
        cluster.runFor(10 * MILLISECOND_NS);
        owner(1).toMaster.release(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        release(worker(1), readable(worker(1), get, "a"));
        owner(1).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(put, PutPlan.State.DONE);

        assertThat(results(put)).containsExactly(0);
        assertThat(owner(1).slotsOf("a")).hasSize(1);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(2);
    }

    @Test
    @Tag("T2")
    void shouldFailAGetOnlyWhenItsSourceIsGone()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        cluster.restartOwner(0);
        cluster.settle();
        owner(1).transferFaults.held = false;
        worker(1).client().getTransfer(get, -1);
        until(get, GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(owner(1).pool().count(SlotState.PENDING)).isZero();
    }

    @Test
    @Tag("T1")
    void shouldDoNothingTwiceWhenEveryMessageComesTwice()
    {
        startCluster(2, 2);
        owner(0).masterRequestFaults.duplicateRate = 1;
        owner(1).masterRequestFaults.duplicateRate = 1;
        owner(0).masterAnswerFaults.duplicateRate = 1;
        owner(1).masterAnswerFaults.duplicateRate = 1;
        put(worker(0), "a", "b");
        read(worker(1), "a", "b");
        cancel(worker(1), got(worker(1), "a"));
        worker(0).client().putAbort(started(worker(0), new PutOptions(), "c"));
        cluster.runFor(SECOND_NS);

        assertThat(atMaster(MasterCounter.ROUTES_CREATED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(4);
        assertThat(atMaster(MasterCounter.GETS_JOINED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.OPERATIONS_REPEATED)).isPositive();
        assertThat(owner(0).toMaster.count(UnreserveRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        assertThat(owner(1).toMaster.count(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isZero();
    }

    private static int keysOf(final UnsafeBuffer publish)
    {
        final PublishRequestDecoder decoder =
            new PublishRequestDecoder().wrapAndApplyHeader(publish, 0, new MessageHeaderDecoder());
        decoder.atomicGroups().forEach((group) -> {});
        return decoder.entries().count();
    }
}
