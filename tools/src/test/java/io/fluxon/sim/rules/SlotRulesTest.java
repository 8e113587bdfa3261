package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Slots under pressure: who gets them, in which order, and when they come back.
 */
class SlotRulesTest extends RuleTest
{
    private static final int PAGE = 4096;

    @Test
    @Tag("S1")
    @Tag("S5")
    void shouldServeOnePutFromAGrantWithOneFreeSlotAndNoMoreThanIsConfigured()
    {
        shapePool(8, 2);
        options.reserveHardTimeoutNs = SECOND_NS;
        settings.hotWindowPolicy(WindowPolicyKind.LRU);
        startCluster(1, 1);
        put(worker(0), names("page", 15));
        final GetHandle most = readable(worker(0), got(worker(0), names("page", 15)), names("page", 15));
        put(worker(0), "last");
        final GetHandle last = readable(worker(0), got(worker(0), "last"), "last");
        final PutPlan beyond = asked(worker(0), new PutOptions(), LENGTH, "beyond");
        until(beyond, PutPlan.State.FAILED);
        assertThat(beyond.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(16);
        read(worker(0), "last", "page0", "page14");
        release(worker(0), most);
        release(worker(0), last);
    }

    @Test
    @Tag("S2")
    void shouldRaiseTheUseCounterWithEachUseOfASlot()
    {
        shapePool(1, 1);
        startCluster(1, 1);
        long lastUse = -1;
        for (int i = 0; i < 5; i++)
        {
            final PutPlan put = started(worker(0), new PutOptions(), "page" + i);
            final int slotId = owner(0).slotsOf("page" + i).getFirst();
            assertThat(owner(0).table().useCounter(slotId)).isGreaterThan(lastUse);
            lastUse = owner(0).table().useCounter(slotId);
            worker(0).client().putAbort(put);
            until(put, PutPlan.State.ABORTED);
        }
    }

    @Test
    @Tag("SLOT-1")
    @Tag("SLOT-6")
    void shouldGiveEachValueASlotOfItsOwnSizeInWholePages()
    {
        startCluster(1, 1);
        putOfLength(worker(0), 1, "one");
        putOfLength(worker(0), PAGE, "page");
        putOfLength(worker(0), PAGE + 1, "more");
        assertThat(sizeOf("one")).isEqualTo(PAGE);
        assertThat(sizeOf("page")).isEqualTo(PAGE);
        assertThat(sizeOf("more")).isEqualTo(2 * PAGE);
        cluster.runFor(200 * MILLISECOND_NS);
        assertThat(owner(0).get(OwnerCounter.BYTES_USED)).isEqualTo(4 * PAGE);
        assertThat(owner(0).get(OwnerCounter.BYTES_FREE) + owner(0).get(OwnerCounter.BYTES_USED))
            .isEqualTo((long)options.grantQuantumBytes * options.grantsPerOwner);
    }

    @Test
    @Tag("SLOT-2")
    void shouldGoThroughTheStatesOfAPutAndOfAGet()
    {
        startCluster(2, 2);
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        final int slotId = owner(0).slotsOf("a").getFirst();
        assertThat(owner(0).table().state(slotId)).isEqualTo(SlotState.PREPARED);
        commit(worker(0), put, "a");
        until(put, PutPlan.State.LOCAL_READY);
        assertThat(owner(0).table().state(slotId)).isEqualTo(SlotState.PENDING_LOCAL_VISIBLE);
        cluster.runFor(MILLISECOND_NS);
        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(put, PutPlan.State.DONE);
        assertThat(owner(0).table().state(slotId)).isEqualTo(SlotState.COMMITTED);

        owner(1).toMaster.hold(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        final GetHandle get = got(worker(1), "a");
        cluster.runUntil(() -> owner(1).toMaster.held() > 0, SECOND_NS);
        final int target = owner(1).slotsOf("a").getFirst();
        assertThat(owner(1).table().state(target)).isEqualTo(SlotState.PENDING);
        owner(1).toMaster.release(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        release(worker(1), readable(worker(1), get, "a"));
        assertThat(owner(1).table().state(target)).isEqualTo(SlotState.COMMITTED);
    }

    @Test
    @Tag("SLOT-4")
    void shouldServeClaimsInTheOrderOfTheirArrivalAndLetNobodyOvertake()
    {
        shapePool(4, 1);
        startCluster(1, 2);
        final PutPlan[] blocking = new PutPlan[4];
        for (int i = 0; i < blocking.length; i++)
        {
            blocking[i] = started(worker(0), new PutOptions(), "blocking" + i);
        }
        final PutPlan large = asked(worker(1), new PutOptions(), LENGTH, "l0", "l1", "l2");
        cluster.runFor(MILLISECOND_NS);
        final PutPlan small = asked(worker(1), new PutOptions(), LENGTH, "s0");
        for (int i = 0; i < 3; i++)
        {
            cluster.runFor(MILLISECOND_NS);
            assertThat(large.state()).isEqualTo(PutPlan.State.STARTING);
            assertThat(small.state()).isEqualTo(PutPlan.State.STARTING);
            worker(0).client().putAbort(blocking[i]);
        }
        until(large, PutPlan.State.STARTED);
        assertThat(small.state()).isEqualTo(PutPlan.State.STARTING);
        worker(0).client().putAbort(blocking[3]);
        until(small, PutPlan.State.STARTED);
        worker(1).client().putAbort(large);
        worker(1).client().putAbort(small);
    }

    @Test
    @Tag("SLOT-4")
    @Tag("API-8")
    void shouldFailAPutAfterTheHardTimeoutWithItsStageAndThePoolsState()
    {
        shapePool(2, 1);
        startCluster(1, 1);
        final PutPlan blocking = started(worker(0), new PutOptions(), "a", "b");
        final PutPlan tooLarge = asked(worker(0), new PutOptions(), LENGTH, "x", "y", "z");
        until(tooLarge, PutPlan.State.FAILED);
        assertThat(tooLarge.errorCode()).isEqualTo(ErrorCode.NO_SPACE);

        final PutPlan first = asked(worker(0), new PutOptions(), LENGTH, "x", "y");
        cluster.runFor(MILLISECOND_NS);
        final PutPlan second = asked(worker(0), new PutOptions(), LENGTH, "z");
        cluster.runFor(29 * SECOND_NS);
        assertThat(first.state()).isEqualTo(PutPlan.State.STARTING);
        cluster.runFor(2 * SECOND_NS);
        assertThat(first.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(first.stage()).isEqualTo(WaitStage.REFILL);
        assertThat(first.errorMessage()).contains("PREPARED 2").contains("refill");
        assertThat(second.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(second.stage()).isIn(WaitStage.CLAIM_TURN, WaitStage.REFILL);
        assertThat(owner(0).get(OwnerCounter.CLAIMS_WAITING)).isZero();
        worker(0).client().putAbort(blocking);
        until(blocking, PutPlan.State.ABORTED);
    }

    @Test
    @Tag("SLOT-4")
    void shouldLetNeitherOfTwoGetsHoldForLongWhatTheOtherNeeds()
    {
        settings.planSliceKeys(1);
        shapePool(4, 1);
        startCluster(2, 4);
        put(worker(0), "a", "b", "c", "d");
        final PutPlan blocking = started(worker(1), new PutOptions(), "x", "y");
        owner(1).transferFaults.held = true;
        final long startNs = cluster.clock().nanoTime();
        final GetHandle left = asking(worker(1), false, null, "a", "b");
        final GetHandle right = asking(worker(3), false, null, "c", "d");
        cluster.runUntil(() -> 2 == owner(1).pool().count(SlotState.PENDING), SECOND_NS);
        worker(1).await(left, SECOND_NS);
        worker(3).await(right, SECOND_NS);
        assertThat(cluster.clock().nanoTime() - startNs).isLessThan(50 * MILLISECOND_NS);
        assertThat(left.transferableLen() + right.transferableLen()).isLessThan(4);
        giveBack(worker(1), left);
        giveBack(worker(3), right);
        owner(1).transferFaults.held = false;
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(1).pool().count(SlotState.FREE)).isEqualTo(2);

        read(worker(1), "a", "b");
        worker(1).client().putAbort(blocking);
        until(blocking, PutPlan.State.ABORTED);
    }

    @Test
    @Tag("SLOT-4")
    void shouldEndTheRestorablePrefixWhereNoSlotComesFreeWithinTheSoftLimit()
    {
        shapePool(4, 4);
        startCluster(2, 2);
        put(worker(0), names("far", 6));
        final PutPlan blocking = started(worker(1), new PutOptions(), names("blocking", 12));
        final long startNs = cluster.clock().nanoTime();
        final GetHandle get = got(worker(1), names("far", 6));
        assertThat(cluster.clock().nanoTime() - startNs).isBetween(10 * MILLISECOND_NS, 30 * MILLISECOND_NS);
        assertThat(get.transferableLen()).isEqualTo(4);
        assertThat(owner(1).get(OwnerCounter.PREFIXES_CUT)).isPositive();
        release(worker(1), readable(worker(1), get, names("far", 4)));

        worker(1).client().putAbort(blocking);
        until(blocking, PutPlan.State.ABORTED);
        read(worker(1), names("far", 6));
    }

    @Test
    @Tag("SLOT-5")
    void shouldServeSeveralClassesAndLetAnUnusedGrantChangeItsClass()
    {
        shapePool(4, 2);
        startCluster(1, 1);
        final PutPlan small = started(worker(0), new PutOptions(), names("small", 5));
        worker(0).client().putAbort(small);
        until(small, PutPlan.State.ABORTED);
        putOfLength(worker(0), 2 * PAGE, "large");
        put(worker(0), names("page", 3));
        read(worker(0), "large", "page0", "page2");
        assertThat(owner(0).pool().activeClasses()).isEqualTo(2);
    }

    @Test
    @Tag("API-9")
    @Tag("SLOT-4")
    void shouldGiveNoSlotToAPutWhoseWorkerHasDied()
    {
        settings.jobStepLimit(1);
        shapePool(2, 1);
        startCluster(1, 3);
        for (int steps = 0; steps < 12; steps++)
        {
            final PutPlan blocking = started(worker(0), new PutOptions(), "a" + steps, "b" + steps);
            cluster.restartWorker(1, owner(0));
            cluster.runUntil(() -> WorkerClient.State.READY == worker(1).client().state(), SECOND_NS);
            asked(worker(1), new PutOptions(), LENGTH, "c" + steps);
            asked(worker(1), new PutOptions(), LENGTH, "d" + steps);
            cluster.runUntil(() -> 2 == owner(0).get(OwnerCounter.PUT_PLANS) - 1, SECOND_NS);
            worker(0).client().putAbort(blocking);
            for (int i = 0; i < steps; i++)
            {
                cluster.step();
            }
            worker(1).kill();
            cluster.runFor(200 * MILLISECOND_NS);
            assertThat(owner(0).pool().count(SlotState.PREPARED)).as("step %s", steps).isZero();
            assertThat(owner(0).get(OwnerCounter.PUT_PLANS)).as("step %s", steps).isZero();
            assertThat(owner(0).get(OwnerCounter.SESSIONS)).as("step %s", steps).isEqualTo(2);
        }
    }

    @Test
    @Tag("GET-5")
    @Tag("SLOT-4")
    void shouldGiveNoSlotToAFlightThatHasEnded()
    {
        settings.jobStepLimit(1);
        shapePool(2, 1);
        startCluster(2, 4);
        put(worker(0), "a");
        for (int steps = 0; steps < 12; steps++)
        {
            final PutPlan blocking = started(worker(3), new PutOptions(), "b" + steps, "c" + steps);
            cluster.restartWorker(1, owner(1));
            cluster.runUntil(() -> WorkerClient.State.READY == worker(1).client().state(), SECOND_NS);
            asking(worker(1), true, null, "a");
            cluster.runUntil(() -> 1 == owner(1).get(OwnerCounter.GETS_STARTED) -
                owner(1).get(OwnerCounter.GETS_DONE) - owner(1).get(OwnerCounter.GETS_REVOKED), SECOND_NS);
            worker(3).client().putAbort(blocking);
            for (int i = 0; i < steps; i++)
            {
                cluster.step();
            }
            worker(1).kill();
            cluster.runFor(200 * MILLISECOND_NS);
            assertThat(owner(1).errors()).isEmpty();
            assertThat(owner(1).pool().count(SlotState.PENDING)).as("step %s", steps).isZero();
            assertThat(owner(1).get(OwnerCounter.FLIGHTS)).as("step %s", steps).isZero();
        }
    }

    private void shapePool(final int slotsPerGrant, final int grants)
    {
        options.grantQuantumBytes = slotsPerGrant * PAGE;
        options.grantsPerOwner = grants;
    }

    private long sizeOf(final String key)
    {
        return owner(0).table().slotSize(owner(0).slotsOf(key).getFirst());
    }
}
