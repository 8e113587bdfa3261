package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
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
 * Processes that stop, come back, or are not heard.
 */
class LifeRulesTest extends RuleTest
{
    @Test
    @Tag("LIFE-2")
    void shouldForgetNobodyWhenTheWholeMachineWasStopped()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        final PutPlan put = started(worker(0), new PutOptions(), "b");
        final GetHandle get = readable(worker(1), got(worker(1), "a"), "a");
        cluster.clock().advance(600 * SECOND_NS);
        cluster.runFor(5 * SECOND_NS);

        assertThat(owner(0).get(OwnerCounter.SESSIONS_HUNG) + owner(1).get(OwnerCounter.SESSIONS_HUNG)).isZero();
        assertThat(atMaster(MasterCounter.OWNERS_EXPIRED)).isZero();
        for (final VirtualWorker worker : cluster.workers())
        {
            assertThat(worker.client().state()).isEqualTo(WorkerClient.State.READY);
        }
        commit(worker(0), put, "b");
        until(put, PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        release(worker(1), get);
        read(worker(1), "b");
    }

    @Test
    @Tag("LIFE-2")
    void shouldForgetNoOwnerBecauseTheMasterStalled()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        for (int i = 0; i < 5; i++)
        {
            cluster.master().paused(true);
            cluster.runFor(60 * SECOND_NS);
            cluster.master().paused(false);
            cluster.runFor(100 * MILLISECOND_NS);
        }
        cluster.runFor(5 * SECOND_NS);
        assertThat(atMaster(MasterCounter.OWNERS_EXPIRED)).isZero();
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(1);
        read(worker(1), "a");
    }

    @Test
    @Tag("LIFE-2")
    void shouldForgetNoWorkerBecauseTheOwnerStalled()
    {
        options.ownerLivenessTimeoutNs = 1_000 * SECOND_NS;
        startCluster(1, 2);
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        worker(0).paused(true);
        worker(1).paused(true);
        for (int i = 0; i < 3; i++)
        {
            owner(0).paused(true);
            cluster.runFor(60 * SECOND_NS);
            owner(0).paused(false);
            cluster.runFor(4 * SECOND_NS);
            assertThat(owner(0).get(OwnerCounter.SESSIONS_HUNG)).isZero();
        }
        worker(0).paused(false);
        cluster.runFor(12 * SECOND_NS);
        assertThat(owner(0).get(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.READY);
        commit(worker(0), put, "a");
        until(put, PutPlan.State.DONE);
        worker(1).kill();
        cluster.runFor(SECOND_NS);
    }

    @Test
    @Tag("LIFE-2")
    void shouldNotTakeTheOwnerForSilentBecauseTheWorkerStalled()
    {
        startCluster(1, 1);
        for (int i = 0; i < 5; i++)
        {
            worker(0).paused(true);
            cluster.runFor(8 * SECOND_NS);
            worker(0).paused(false);
            cluster.runFor(20 * MILLISECOND_NS);
        }
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.READY);
        put(worker(0), "a");
    }

    @Test
    @Tag("LIFE-2")
    void shouldEndTheSessionOfAWorkerWhoseOwnerIsSilentInItsOwnRunningTime()
    {
        options.ownerLivenessTimeoutNs = 1_000 * SECOND_NS;
        options.workerSettings = (context) -> context.resumeTimeoutNs(5 * SECOND_NS);
        startCluster(1, 1);
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        owner(0).paused(true);
        cluster.runFor(12 * SECOND_NS);
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.RESUMING);
        cluster.runFor(5 * SECOND_NS);
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.CLOSED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.TRANSPORT);
        worker(0).kill();
        owner(0).paused(false);
        cluster.runFor(SECOND_NS);
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isZero();
    }

    @Test
    @Tag("LIFE-3")
    @Tag("API-8")
    void shouldServeLocallyWithoutAMasterUntilAClassIsFull()
    {
        options.grantQuantumBytes = 4 * 4096;
        options.grantsPerOwner = 2;
        options.reserveHardTimeoutNs = 5 * SECOND_NS;
        startCluster(1, 1);
        isolate(owner(0), true);
        cluster.runFor(30 * SECOND_NS);
        final PutPlan[] puts = new PutPlan[8];
        for (int i = 0; i < puts.length; i++)
        {
            puts[i] = localReady(worker(0), new PutOptions(), "page" + i);
        }
        read(worker(0), names("page", 8));
        assertThat(reachable(worker(0), "absent")).isZero();
        final PutPlan beyond = asked(worker(0), new PutOptions(), LENGTH, "beyond");
        until(beyond, PutPlan.State.FAILED);
        assertThat(beyond.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(beyond.stage()).isEqualTo(WaitStage.MASTER_AWAY);
        assertThat(beyond.errorMessage()).contains("master_away");

        isolate(owner(0), false);
        for (final PutPlan put : puts)
        {
            until(put, PutPlan.State.DONE);
            assertThat(put.failedCount()).isZero();
        }
    }

    @Test
    @Tag("LIFE-3")
    void shouldRegisterAgainWhenTheMasterHasForgottenItForLong()
    {
        startCluster(2, 2);
        isolate(owner(1), true);
        cluster.runFor(200 * SECOND_NS);
        assertThat(atMaster(MasterCounter.OWNERS_LIVE)).isEqualTo(1);
        isolate(owner(1), false);
        cluster.runFor(3 * SECOND_NS);
        assertThat(atMaster(MasterCounter.OWNERS_LIVE)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.MASTER_AVAILABLE)).isEqualTo(1);
        put(worker(1), "a");
        read(worker(0), "a");
    }

    @Test
    @Tag("LIFE-1")
    void shouldGoOnWithANewGenerationOfAnOwner()
    {
        options.workerSettings = (context) -> context.resumeTimeoutNs(2 * SECOND_NS);
        startCluster(2, 4);
        put(worker(0), "a");
        put(worker(1), "b");
        read(worker(1), "a");
        cluster.restartOwner(0);
        cluster.runFor(15 * SECOND_NS);
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.CLOSED);
        cluster.restartWorker(0, owner(0));
        cluster.restartWorker(2, owner(0));
        cluster.settle();
        read(worker(0), "a", "b");
        put(worker(2), "c");
        read(worker(3), "c");
        assertThat(atMaster(MasterCounter.OWNERS_REPLACED)).isEqualTo(1);
    }

    @Test
    @Tag("LIFE-1")
    void shouldKeepWorkingWhenOneDirectionToTheMasterWasLost()
    {
        startCluster(2, 2);
        for (final boolean isRequest : new boolean[]{true, false})
        {
            (isRequest ? owner(0).toMaster : owner(0).fromMaster).cut(true);
            final PutPlan put = localReady(worker(0), new PutOptions(), "a" + isRequest);
            cluster.runFor(3 * SECOND_NS);
            (isRequest ? owner(0).toMaster : owner(0).fromMaster).cut(false);
            until(put, PutPlan.State.DONE);
            read(worker(1), "a" + isRequest);
        }
    }
}
