package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What happens at the bounds.
 */
class BoundRulesTest extends RuleTest
{
    @Test
    @Tag("BOUND-1")
    void shouldRefuseWorkersBeyondTheBoundAndTakeOneWhenAnotherHasGone()
    {
        settings.maxSessions(2);
        startCluster(1, 2);
        final VirtualWorker third = cluster.startWorker(owner(0));
        cluster.add(third);
        cluster.runFor(SECOND_NS);
        assertThat(third.client().state()).isEqualTo(WorkerClient.State.CLOSED);
        assertThat(third.client().errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        worker(0).kill();
        cluster.runFor(SECOND_NS);
        put(restarted(0), "a");
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseRequestsBeyondTheBoundOfASession()
    {
        settings.maxOutstandingPerSession(4);
        options.grantQuantumBytes = 4096;
        options.grantsPerOwner = 1;
        startCluster(1, 2);
        final PutPlan blocking = started(worker(1), new PutOptions(), "blocking");
        final PutPlan[] waiting = new PutPlan[4];
        for (int i = 0; i < waiting.length; i++)
        {
            waiting[i] = asked(worker(0), new PutOptions(), LENGTH, "page" + i);
        }
        final PutPlan refused = asked(worker(0), new PutOptions(), LENGTH, "refused");
        until(refused, PutPlan.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        worker(1).client().putAbort(blocking);
        for (final PutPlan put : waiting)
        {
            until(put, PutPlan.State.STARTED);
            worker(0).client().putAbort(put);
            until(put, PutPlan.State.ABORTED);
        }
        assertThat(started(worker(0), new PutOptions(), "more").errorCode()).isZero();
        worker(0).kill();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseClaimsBeyondTheBoundAtOnce()
    {
        options.maxWaitingClaims = 2;
        options.grantQuantumBytes = 4096;
        options.grantsPerOwner = 1;
        startCluster(1, 1);
        final PutPlan blocking = started(worker(0), new PutOptions(), "blocking");
        final PutPlan first = asked(worker(0), new PutOptions(), LENGTH, "a");
        cluster.runFor(MILLISECOND_NS);
        final PutPlan second = asked(worker(0), new PutOptions(), LENGTH, "b");
        cluster.runFor(MILLISECOND_NS);
        final PutPlan third = asked(worker(0), new PutOptions(), LENGTH, "c");
        cluster.runFor(MILLISECOND_NS);
        assertThat(third.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        for (final PutPlan put : new PutPlan[]{blocking, first, second})
        {
            until(put, PutPlan.State.STARTED);
            worker(0).client().putAbort(put);
        }
    }

    @Test
    @Tag("BOUND-1")
    void shouldWorkThroughQueuesOfOne()
    {
        settings.workerMessageLimit(1).masterMessageLimit(1).completionLimit(1).jobStepLimit(1).maxRunnableJobs(1)
            .publishLimit(1).planSliceKeys(1);
        options.masterSettings = (context) -> context.messageLimit(1).sliceKeys(1).maxQueuedOperations(1);
        startCluster(2, 4);
        for (int i = 0; i < 2; i++)
        {
            owner(i).transferFaults.capacity = 1;
            owner(i).checksumFaults.capacity = 1;
        }
        final String[] names = names("page", 20);
        final GetHandle before = asking(worker(3), true, null, names);
        put(worker(0), names);
        put(worker(2), names("other", 20));
        final GetHandle get = asking(worker(1), true, null, names);
        final GetHandle joiner = asking(worker(3), true, null, names);
        worker(1).await(get, 10 * SECOND_NS);
        worker(3).await(joiner, 10 * SECOND_NS);
        release(worker(1), readable(worker(1), get, names));
        release(worker(3), readable(worker(3), joiner, names));
        assertThat(before.isReusable()).isTrue();
        assertThat(owner(1).get(OwnerCounter.QUEUE_FULL)).isPositive();
        assertThat(owner(0).get(OwnerCounter.QUEUE_FULL)).isPositive();
    }

    @Test
    @Tag("BOUND-1")
    void shouldPutWithoutAReservationWhenTheMasterHasNoRoomForIt()
    {
        options.masterSettings = (context) -> context.maxReservations(2);
        startCluster(2, 2);
        put(worker(0), names("page", 10));
        read(worker(1), names("page", 10));
        assertThat(atMaster(MasterCounter.ERROR_BACK_PRESSURED)).isPositive();
    }

    @Test
    @Tag("BOUND-1")
    void shouldHoldReadsBackAtTheBoundOfHoldings()
    {
        settings.maxHoldingsPerSession(4);
        startCluster(1, 1);
        put(worker(0), names("page", 4));
        final GetHandle all = readable(worker(0), got(worker(0), names("page", 4)), names("page", 4));
        final GetHandle refused = asking(worker(0), true, null, "page0");
        until(refused, GetHandle.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        release(worker(0), all);
        cluster.runFor(10 * MILLISECOND_NS);
        read(worker(0), "page0");
    }

    @Test
    @Tag("BOUND-1")
    void shouldCountWhatReadsUnderWayMayHold()
    {
        settings.maxHoldingsPerSession(4);
        startCluster(2, 2);
        put(worker(0), names("page", 3));
        final GetHandle started = got(worker(1), names("page", 3));
        assertThat(started.remoteHits()).isEqualTo(3);
        final GetHandle refused = asking(worker(1), true, null, "page0", "page1");
        until(refused, GetHandle.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        release(worker(1), readable(worker(1), started, names("page", 3)));
        cluster.runFor(10 * MILLISECOND_NS);
        read(worker(1), names("page", 3));
    }

    @Test
    @Tag("API-8")
    void shouldBoundEveryWaitAndSayWhatItWaitedFor()
    {
        options.workerSettings = (context) -> context.getTimeoutNs(SECOND_NS).putTimeoutNs(2 * SECOND_NS);
        startCluster(1, 1);
        owner(0).paused(true);
        final GetHandle get = asking(worker(0), true, null, "a");
        final PutPlan put = asked(worker(0), new PutOptions(), LENGTH, "a");
        cluster.runFor(3 * SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(get.stage()).isEqualTo(WaitStage.ANSWER);
        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(put.errorMessage()).isNotEmpty();
        final VirtualWorker late = cluster.startWorker(owner(0));
        cluster.add(late);
        cluster.runFor(11 * SECOND_NS);
        assertThat(late.client().state()).isEqualTo(WorkerClient.State.CLOSED);
        assertThat(late.client().stage()).isEqualTo(WaitStage.CONNECT);
        late.kill();
        worker(0).kill();
        owner(0).paused(false);
        cluster.runFor(SECOND_NS);
    }

    @Test
    @Tag("API-8")
    void shouldNameTheStageAtWhichATransferTimedOut()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        assertThat(worker(1).client().getTransfer(get, -1, SECOND_NS)).isZero();
        until(get, GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(get.stage()).isEqualTo(WaitStage.TRANSFER);

        owner(1).transferFaults.held = false;
        cluster.runFor(SECOND_NS);
        owner(1).toMaster.cut(true);
        final GetHandle next = got(worker(1), "a");
        assertThat(next.transferableLen()).isZero();
        owner(1).toMaster.cut(false);
        cluster.runFor(3 * SECOND_NS);
        read(worker(1), "a");
    }

    private VirtualWorker restarted(final int index)
    {
        final VirtualWorker worker = cluster.restartWorker(index, owner(0));
        cluster.settle();
        return worker;
    }
}
