package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What puts of the same key do to each other, and what a put that cannot be leaves.
 */
class PutRulesTest extends RuleTest
{
    private static final int EXISTS = -ErrorCode.KEY_ALREADY_EXISTS;
    private static final int BEING_WRITTEN = -ErrorCode.KEY_BEING_WRITTEN;
    private static final int ABORTED = -ErrorCode.GROUP_ABORTED;
    private static final int UNEQUAL = -ErrorCode.INVALID_ARGUMENT;

    @Test
    @Tag("PUT-1")
    void shouldNeitherWaitForAReservationNorNeedItToPublish()
    {
        startCluster(2, 2);
        owner(0).toMaster.hold(ReserveRequestDecoder.TEMPLATE_ID);
        put(worker(0), "a");
        read(worker(1), "a");
        assertThat(atMaster(MasterCounter.MESSAGES_RESERVE)).isZero();
        assertThat(owner(0).toMaster.held()).isPositive();

        owner(0).toMaster.release(ReserveRequestDecoder.TEMPLATE_ID);
        cluster.runFor(SECOND_NS);
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();
    }

    @Test
    @Tag("PUT-1")
    @Tag("API-3")
    void shouldAnswerConflictsThatTheOwnerSeesAtTheStart()
    {
        startCluster(1, 2);
        put(worker(0), "committed");
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan pending = localReady(worker(0), new PutOptions(), "pending");
        final PutPlan prepared = started(worker(0), new PutOptions(), "prepared");

        final PutOptions noExisting = new PutOptions().rejectIfExistSameKey(true);
        final PutOptions noInflight = new PutOptions().rejectIfInflightSameKey(true);
        assertStartFails(noExisting, ErrorCode.KEY_ALREADY_EXISTS, "free", "committed");
        assertStartFails(noExisting, ErrorCode.KEY_ALREADY_EXISTS, "free", "pending");
        assertStartFails(noInflight, ErrorCode.KEY_BEING_WRITTEN, "free", "pending");
        assertStartFails(noInflight, ErrorCode.KEY_BEING_WRITTEN, "free", "prepared");
        abort(started(worker(1), noInflight, "free", "committed"));
        abort(started(worker(1), noExisting, "free", "prepared"));

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        worker(0).client().putAbort(prepared);
        until(pending, PutPlan.State.DONE);
        until(prepared, PutPlan.State.ABORTED);
    }

    @Test
    @Tag("API-3")
    void shouldMakeEveryOtherKeyWritableAgainWhenAStartFails()
    {
        options.grantQuantumBytes = 4 * 4096;
        options.grantsPerOwner = 1;
        startCluster(1, 2);
        put(worker(0), "here");
        final PutOptions strict = new PutOptions().rejectIfExistSameKey(true).rejectIfInflightSameKey(true);
        final PutPlan failing = asked(worker(0), strict, LENGTH, "a", "here", "b");
        until(failing, PutPlan.State.FAILED);
        assertThat(failing.errorCode()).isEqualTo(ErrorCode.KEY_ALREADY_EXISTS);

        final long startNs = cluster.clock().nanoTime();
        final PutPlan next = started(worker(1), strict, "a", "b", "c");
        assertThat(cluster.clock().nanoTime() - startNs).isLessThan(MILLISECOND_NS);
        commit(worker(1), next, "a", "b", "c");
        until(next, PutPlan.State.DONE);
        assertThat(results(next)).containsExactly(0, 0, 0);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseByGroupsAtTheCommitWhatOnlyTheMasterSees()
    {
        startCluster(2, 2);
        put(worker(1), "b", "e");
        final PutOptions noExisting = inGroups(3, 1, 1, 1).rejectIfExistSameKey(true);
        final PutPlan put = put(worker(0), noExisting, "a", "b", "c", "d", "e", "f");

        assertThat(results(put)).containsExactly(ABORTED, EXISTS, ABORTED, 0, EXISTS, 0);
        assertThat(existing(worker(1), "a", "c", "d", "f")).containsExactly(false, false, true, true);
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(2);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseByGroupsAtTheCommitWhatAnotherOwnerIsWriting()
    {
        startCluster(2, 2);
        final PutPlan first = started(worker(1), new PutOptions(), "b");
        cluster.runFor(10 * MILLISECOND_NS);
        final PutOptions noInflight = inGroups(2, 1).rejectIfInflightSameKey(true);
        final PutPlan put = put(worker(0), noInflight, "a", "b", "c");
        assertThat(results(put)).containsExactly(ABORTED, BEING_WRITTEN, 0);

        commit(worker(1), first, "b");
        until(first, PutPlan.State.DONE);
        assertThat(first.failedCount()).isZero();
    }

    @Test
    @Tag("PUT-1")
    void shouldLetTheOlderOfTwoReservationsPass()
    {
        startCluster(2, 2);
        final PutOptions noInflight = new PutOptions().rejectIfInflightSameKey(true);
        final PutPlan older = started(worker(0), noInflight, "a");
        cluster.runFor(10 * MILLISECOND_NS);
        final PutPlan younger = started(worker(1), noInflight, "a");
        cluster.runFor(10 * MILLISECOND_NS);
        commit(worker(1), younger, "a");
        until(younger, PutPlan.State.DONE);
        assertThat(results(younger)).containsExactly(BEING_WRITTEN);

        final PutPlan another = started(worker(1), new PutOptions(), "a");
        cluster.runFor(10 * MILLISECOND_NS);
        commit(worker(0), older, "a");
        until(older, PutPlan.State.DONE);
        assertThat(results(older)).containsExactly(0);
        commit(worker(1), another, "a");
        until(another, PutPlan.State.DONE);
        assertThat(results(another)).containsExactly(0);
    }

    @Test
    @Tag("PUT-1")
    void shouldKeepTheCommittedBackingOfTheSameOwner()
    {
        startCluster(1, 2);
        put(worker(0), "a");
        final int slotId = owner(0).slotsOf("a").getFirst();
        put(worker(1), "a", "b");

        assertThat(owner(0).slotsOf("a")).containsExactly(slotId);
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.KEYS_PUBLISHED)).isEqualTo(2);
    }

    @Test
    @Tag("PUT-1")
    void shouldWaitBehindAPendingPutAndTakeItsResult()
    {
        startCluster(1, 3);
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan first = localReady(worker(0), new PutOptions(), "a");
        final PutPlan second = localReady(worker(1), new PutOptions(), "a");
        final PutPlan third = localReady(worker(2), new PutOptions(), "a");
        cluster.runFor(SECOND_NS);
        assertThat(owner(0).slotsOf("a")).hasSize(3);

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(first, PutPlan.State.DONE);
        until(second, PutPlan.State.DONE);
        until(third, PutPlan.State.DONE);
        assertThat(first.failedCount() + second.failedCount() + third.failedCount()).isZero();
        assertThat(owner(0).slotsOf("a")).hasSize(1);
        assertThat(atMaster(MasterCounter.KEYS_PUBLISHED)).isEqualTo(1);
        read(worker(1), "a");
    }

    @Test
    @Tag("PUT-1")
    void shouldTakeTheFailureOfAPendingPutWhenItIsAboutTheKey()
    {
        startCluster(2, 3);
        putOfLength(worker(1), 900, "a");
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan first = localReady(worker(0), new PutOptions(), "a");
        final PutPlan second = localReady(worker(2), new PutOptions(), "a");

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(first, PutPlan.State.DONE);
        until(second, PutPlan.State.DONE);
        assertThat(results(first)).containsExactly(UNEQUAL);
        assertThat(results(second)).containsExactly(UNEQUAL);
        assertThat(owner(0).slotsOf("a")).isEmpty();
        assertThat(owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    @Test
    @Tag("PUT-1")
    void shouldPublishItselfWhenThePendingPutFailsForAReasonThatIsNotTheKey()
    {
        startCluster(2, 4);
        put(worker(1), "other");
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutOptions strict = inGroups(2).rejectIfExistSameKey(true);
        final PutPlan first = localReady(worker(0), strict, "a", "other");
        final PutPlan second = localReady(worker(2), new PutOptions(), "a");
        final PutPlan third = localReady(worker(0), new PutOptions(), "a");

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(first, PutPlan.State.DONE);
        until(second, PutPlan.State.DONE);
        until(third, PutPlan.State.DONE);
        assertThat(results(first)).containsExactly(ABORTED, EXISTS);
        assertThat(results(second)).containsExactly(0);
        assertThat(results(third)).containsExactly(0);
        assertThat(owner(0).slotsOf("a")).hasSize(1);
        read(worker(3), "a");
    }

    @Test
    @Tag("PUT-1")
    void shouldJoinTheRouteAsAFurtherReplicaFromAnotherOwner()
    {
        startCluster(3, 3);
        put(worker(0), "a");
        put(worker(1), "a");
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(1);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(2);

        owner(0).kill();
        cluster.runFor(20 * SECOND_NS);
        read(worker(2), "a");
        cluster.restartOwner(0);
        cluster.settle();
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseTheLaterOfUnequalLengths()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        assertThat(results(putOfLength(worker(2), 900, "a"))).containsExactly(UNEQUAL);
        assertThat(results(putOfLength(worker(1), 900, "a"))).containsExactly(UNEQUAL);

        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan pending = localReady(worker(0), new PutOptions(), "b");
        assertThat(results(putOfLength(worker(2), 900, "b"))).containsExactly(UNEQUAL);
        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(pending, PutPlan.State.DONE);
        assertThat(results(pending)).containsExactly(0);
        read(worker(3), "a", "b");
    }

    @Test
    @Tag("API-1")
    void shouldRefuseBadArgumentsBeforeAnythingIsSentOrReserved()
    {
        startCluster(1, 1);
        assertPutRefused((options) -> {}, LENGTH);
        assertPutRefused((options) -> {}, 0, "a");
        assertPutRefused((options) -> {}, -1, "a");
        assertPutRefused((options) -> {}, (512 << 20) + 1, "a");
        assertPutRefused((options) -> options.atomicGroups(groups(1)), LENGTH, "a", "b");
        assertPutRefused((options) -> options.atomicGroups(groups(0, 2)), LENGTH, "a", "b");
        assertPutRefused((options) -> options.makeReplicaTask(true).mask(new boolean[1]), LENGTH, "a", "b");
        assertPutRefused(
            (options) -> options.makeReplicaTask(true).mask(new boolean[]{true, false}).atomicGroups(groups(2)),
            LENGTH, "a", "b");
        assertPutRefused((options) -> {}, LENGTH, "a", "b", "a");
        assertPutRefused((options) -> {}, LENGTH, "x".repeat(513));
        assertPutRefused((options) -> options.leaseId(7L), LENGTH, "a");

        final GetHandle get = new GetHandle(4);
        assertThat(worker(0).getStart(get, true, null)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).getStart(get, true, groups(1), "a", "b")).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).getStart(get, true, groups(3, -1), "a", "b")).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).getStart(get, true, null, "")).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(get.isReusable()).isTrue();
        put(worker(0), "a");
    }

    @Test
    @Tag("API-2")
    void shouldTakeEveryKeyOfAPutAloneAndAGetAsOneGroupWhenNoneAreGiven()
    {
        startCluster(2, 2);
        put(worker(1), "b");
        final PutPlan put = put(worker(0), new PutOptions().rejectIfExistSameKey(true), "a", "b", "c");
        assertThat(results(put)).containsExactly(0, EXISTS, 0);

        final GetHandle whole = got(worker(0), true, null, "a", "c", "absent");
        assertThat(whole.rawPrefixHitLen()).isEqualTo(2);
        assertThat(whole.transferableLen()).isZero();
        assertThat(reachable(worker(0), "a", "c", "absent")).isEqualTo(2);
    }

    @Test
    @Tag("API-2")
    void shouldKeepTheGroupAndTheCohortOfThePutThatMadeAValue()
    {
        startCluster(1, 2);
        put(worker(0), inGroups(2).cohort(77, 1, 2), "a", "b");
        put(worker(1), new PutOptions().cohort(5, 0, 4), "a");
        read(worker(1), "a");

        final int slotId = owner(0).slotsOf("a").getFirst();
        assertThat(owner(0).table().groupLength(slotId)).isEqualTo(2);
        assertThat(owner(0).table().cohortId(slotId)).isEqualTo(77);
        assertThat(owner(0).table().cohortRank(slotId)).isEqualTo(1);
        assertThat(owner(0).table().cohortSize(slotId)).isEqualTo(2);
        assertThat(owner(0).table().groupId(slotId))
            .isEqualTo(owner(0).table().groupId(owner(0).slotsOf("b").getFirst()));
    }

    @Test
    @Tag("API-3")
    void shouldGiveSlotsAndReservationsBackWhenAPutIsAborted()
    {
        startCluster(2, 2);
        final PutOptions noInflight = new PutOptions().rejectIfInflightSameKey(true);
        final PutPlan put = started(worker(0), noInflight, "a", "b");
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isEqualTo(2);
        abort(put);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isZero();
        assertThat(owner(0).toMaster.count(UnreserveRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        assertThat(results(put(worker(1), noInflight, "a", "b"))).containsExactly(0, 0);
    }

    private void assertStartFails(final PutOptions putOptions, final int code, final String... names)
    {
        final long free = owner(0).pool().count(SlotState.PREPARED);
        final PutPlan failing = asked(worker(1), putOptions, LENGTH, names);
        until(failing, PutPlan.State.FAILED);
        assertThat(failing.errorCode()).isEqualTo(code);
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isEqualTo(free);
    }

    private void assertPutRefused(final Consumer<PutOptions> change, final int length, final String... names)
    {
        final PutOptions putOptions = new PutOptions();
        change.accept(putOptions);
        final PutPlan put = new PutPlan(4);
        assertThat(worker(0).putStart(put, length, putOptions, names)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).client().refusal()).isNotEmpty();
        assertThat(put.isReusable()).isTrue();
        cluster.runFor(MILLISECOND_NS);
        assertThat(worker(0).toOwner.count(PutStartRequestDecoder.TEMPLATE_ID)).isZero();
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isZero();
    }

    private void abort(final PutPlan put)
    {
        for (int i = 0; i < cluster.workers().size(); i++)
        {
            if (0 == worker(i).client().putAbort(put))
            {
                until(put, PutPlan.State.ABORTED);
                return;
            }
        }
        throw new AssertionError("nobody could abort the put");
    }
}
