package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.sim.cluster.MessageTap;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Workers that die, hang, repeat themselves or name what is not theirs.
 */
class SessionRulesTest extends RuleTest
{
    private static final int MAX_STEPS = 2_000;
    private static final int VICTIM = 2;

    private enum End
    {
        KILLED, CANCELLED
    }

    @Test
    @Tag("API-9")
    void shouldReleaseEverythingOfAPutWhereverItsWorkerDies()
    {
        startCluster(2, 3);
        restartVictim();
        final GetHandle others = heldByOthers();
        boolean isOver = false;
        for (int step = 0; !isOver && step < MAX_STEPS; step++)
        {
            final VirtualWorker victim = restartVictim();
            final String[] names = names("page" + step + "-", 3);
            isOver = putAndDie(victim, step, names);
            cluster.runFor(200 * MILLISECOND_NS);
            assertNothingOfTheVictim(step);
            final int found = reachable(worker(1), names);
            assertThat(found).as("step %s", step).isIn(0, 3);
        }
        assertThat(isOver).isTrue();
        assertThat(owner(0).get(OwnerCounter.PUBLISH_JOBS_OPENED)).isGreaterThan(2);
        worker(0).verify(others, "others");
        release(worker(0), others);
    }

    @Test
    @Tag("API-9")
    @Tag("GET-5")
    void shouldReleaseEverythingOfAGetWhereverItsWorkerDies()
    {
        startCluster(2, 3);
        restartVictim();
        final GetHandle others = heldByOthers();
        assertThat(getAndEndEverywhere(End.KILLED)).isTrue();
        worker(0).verify(others, "others");
        release(worker(0), others);
    }

    @Test
    @Tag("GET-5")
    void shouldLeaveNothingBehindWhereverAGetIsCancelled()
    {
        startCluster(2, 3);
        restartVictim();
        final GetHandle others = heldByOthers();
        assertThat(getAndEndEverywhere(End.CANCELLED)).isTrue();
        release(worker(0), others);
    }

    @Test
    @Tag("GET-5")
    void shouldEndAsAMissForItsJoinersWhenTheLeaderIsLostBeforeTheMasterIsAsked()
    {
        settings.planSliceKeys(1);
        startCluster(2, 4);
        final String[] names = names("page", 100);
        put(worker(0), names);
        worker(1).getStart(new GetHandle(100), true, alone(100), names);
        cluster.runUntil(() -> owner(1).get(OwnerCounter.FLIGHTS) >= 10, SECOND_NS);
        final GetHandle joiner = asking(worker(3), true, alone(2), names[0], names[1]);
        cluster.runUntil(() -> owner(1).get(OwnerCounter.JOINS) > 0, SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.BATCH_GET_STARTS)).isZero();
        worker(1).kill();
        cluster.runFor(10 * MILLISECOND_NS);

        assertThat(owner(1).get(OwnerCounter.BATCH_GET_STARTS)).isZero();
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isZero();
        assertThat(joiner.state()).isEqualTo(GetHandle.State.STARTED);
        assertThat(joiner.transferableLen()).isZero();
        read(worker(3), names);
    }

    @Test
    @Tag("API-9")
    void shouldIgnoreACommitThatIsReadAfterTheProofOfDeath()
    {
        startCluster(1, 2);
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        owner(0).workerRequestFaults.delayNs(MILLISECOND_NS);
        commit(worker(0), put, "a");
        worker(0).kill();
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(reachable(worker(1), "a")).isZero();
        assertThat(owner(0).get(OwnerCounter.PUBLISH_JOBS_OPENED)).isZero();
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isZero();
    }

    @Test
    @Tag("API-9")
    void shouldPublishACommitThatWasReadBeforeTheProofOfDeath()
    {
        startCluster(2, 3);
        owner(0).fromMaster.cut(true);
        final PutPlan put = started(worker(0), new PutOptions(), "a", "b");
        commit(worker(0), put, "a", "b");
        cluster.runUntil(() -> 1 == owner(0).get(OwnerCounter.PUBLISH_JOBS_OPENED), SECOND_NS);
        worker(0).kill();
        cluster.runFor(10 * MILLISECOND_NS);
        read(worker(2), "a", "b");
        owner(0).fromMaster.cut(false);
        cluster.runFor(SECOND_NS);
        read(worker(1), "a", "b");
        assertThat(owner(0).get(OwnerCounter.SESSIONS)).isEqualTo(1);
    }

    @Test
    @Tag("API-9")
    void shouldReleaseHoldingsOfADeadWorkerExactlyOnce()
    {
        startCluster(1, 2);
        put(worker(0), "a", "b");
        final long holders = owner(0).pool().holders();
        readable(worker(0), got(worker(0), "a", "b"), "a", "b");
        final GetHandle others = readable(worker(1), got(worker(1), "a"), "a");
        assertThat(owner(0).pool().holders()).isEqualTo(holders + 3);
        worker(0).kill();
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().holders()).isEqualTo(holders + 1);
        worker(1).verify(others, "a");
        release(worker(1), others);
    }

    @Test
    @Tag("SLOT-7")
    void shouldPutTheWritableSlotsOfAHungWorkerAsideAndKeepItsHoldings()
    {
        startCluster(2, 4);
        put(worker(0), "held");
        final GetHandle held = readable(worker(0), got(worker(0), "held"), "held");
        final PutPlan put = started(worker(0), new PutOptions(), "a", "b");
        final UnsafeBuffer page = new UnsafeBuffer(put.valueAddress(0), LENGTH);
        worker(0).paused(true);
        cluster.runFor(20 * SECOND_NS);
        assertThat(owner(0).pool().count(SlotState.QUARANTINED)).isEqualTo(2);
        assertThat(owner(0).get(OwnerCounter.SLOTS_QUARANTINED)).isEqualTo(2);
        assertThat(owner(0).get(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isEqualTo(1);
        worker(0).verify(held, "held");

        final String[] filling = names("page", 40);
        put(worker(2), filling);
        page.setMemory(0, LENGTH, (byte)1);
        read(worker(2), filling);
        worker(0).paused(false);
        cluster.runFor(SECOND_NS);
        assertThat(worker(0).client().state()).isEqualTo(WorkerClient.State.READY);
        assertThat(owner(0).pool().count(SlotState.QUARANTINED)).isZero();
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isEqualTo(2);
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isEqualTo(1);

        worker(0).kill();
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().count(SlotState.PREPARED)).isZero();
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner(0).get(OwnerCounter.SESSIONS)).isEqualTo(1);
        cluster.runFor(SECOND_NS);
        assertThat(atMaster(MasterCounter.RESERVATIONS)).isZero();
    }

    @Test
    @Tag("SLOT-7")
    void shouldKeepTheSlotOfARevokedTransferUntilItsCompletionIsSeen()
    {
        settings.hotCapacityRatio(0.999);
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        cluster.runUntil(() -> 1 == owner(1).transfers().inMotion(), SECOND_NS);
        cancel(worker(1), get);
        cluster.runFor(100 * SECOND_NS);
        assertThat(owner(1).pool().count(SlotState.PENDING)).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isEqualTo(1);
        final String[] filling = names("page", 255);
        put(worker(1), filling);

        owner(1).transferFaults.held = false;
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(1).pool().count(SlotState.PENDING)).isZero();
        read(worker(1), filling);
    }

    @Test
    @Tag("API-4")
    void shouldAnswerARepeatedRequestFromTheRecordAndExecuteItOnce()
    {
        startCluster(2, 2);
        worker(1).fromOwner.drop(PutStartResponseDecoder.TEMPLATE_ID, 3);
        final PutPlan put = started(worker(1), new PutOptions(), "a", "b");
        assertThat(owner(1).pool().count(SlotState.PREPARED)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.PUT_PLANS_OPENED)).isEqualTo(1);
        worker(1).fromOwner.drop(PutCommitLocalDecoder.TEMPLATE_ID, 2);
        worker(1).fromOwner.drop(PutCommitResultDecoder.TEMPLATE_ID, 2);
        commit(worker(1), put, "a", "b");
        until(put, PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(owner(1).get(OwnerCounter.PUBLISH_JOBS_OPENED)).isEqualTo(1);

        worker(1).fromOwner.drop(GetStartResponseDecoder.TEMPLATE_ID, 2);
        release(worker(1), readable(worker(1), got(worker(1), "a", "b"), "a", "b"));
        assertThat(owner(1).get(OwnerCounter.HOLDINGS_OPENED)).isEqualTo(2);

        put(worker(0), "far");
        worker(1).fromOwner.drop(GetStartResponseDecoder.TEMPLATE_ID, 2);
        worker(1).fromOwner.drop(GetTransferResponseDecoder.TEMPLATE_ID, 2);
        read(worker(1), "far");
        assertThat(owner(1).get(OwnerCounter.HANDLES_OPENED)).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS_OPENED)).isEqualTo(3);

        worker(1).fromOwner.drop(StatusResponseDecoder.TEMPLATE_ID, 2);
        final PutPlan aborted = started(worker(1), new PutOptions(), "c");
        worker(1).client().putAbort(aborted);
        until(aborted, PutPlan.State.ABORTED);
        assertThat(aborted.errorCode()).isZero();
        assertThat(owner(1).get(OwnerCounter.REQUESTS_REPEATED)).isGreaterThanOrEqualTo(12);

        worker(1).fromOwner.drop(ExistsResponseDecoder.TEMPLATE_ID, 2);
        assertThat(existing(worker(1), "a", "far", "never")).containsExactly(true, true, false);
        assertThat(owner(1).get(OwnerCounter.REQUESTS_REPEATED)).isGreaterThanOrEqualTo(14);
    }

    @Test
    @Tag("API-4")
    void shouldExecuteDoubledRequestsOnce()
    {
        startCluster(2, 2);
        put(worker(0), "far");
        for (final int templateId : new int[]{
            PutStartRequestDecoder.TEMPLATE_ID, PutCommitRequestDecoder.TEMPLATE_ID, PutAbortRequestDecoder.TEMPLATE_ID,
            GetStartRequestDecoder.TEMPLATE_ID, GetTransferRequestDecoder.TEMPLATE_ID,
            GetCancelRequestDecoder.TEMPLATE_ID})
        {
            worker(1).toOwner.duplicate(templateId, 100);
        }
        put(worker(1), "a", "b");
        read(worker(1), "far");
        read(worker(1), "a", "b");
        worker(1).client().putAbort(started(worker(1), new PutOptions(), "c"));
        cluster.runFor(SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.PUT_PLANS_OPENED)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.PUBLISH_JOBS_OPENED)).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.READ_PLANS_OPENED)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS_OPENED)).isEqualTo(3);
    }

    @Test
    @Tag("API-4")
    void shouldLeaveAnObjectThatWasNamedByMistakeAliveAndUsable()
    {
        startCluster(2, 3);
        put(worker(0), "far");
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        assertThat(worker(2).client().putCommit(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(2).client().putAbort(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        commit(worker(0), put, "a");
        assertThat(worker(0).client().putCommit(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).client().putAbort(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        until(put, PutPlan.State.DONE);
        assertThat(worker(0).client().putCommit(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);

        final GetHandle get = got(worker(1), "far");
        assertThat(worker(0).client().getTransfer(get, -1)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(0).client().cancelGetTransfer(get)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(1).client().releaseViews(get)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        readable(worker(1), get, "far");
        assertThat(worker(0).client().releaseViews(get)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker(1).client().getTransfer(get, -1)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        worker(1).verify(get, "far");
        release(worker(1), get);
        assertThat(worker(1).client().releaseViews(get)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    @Tag("API-4")
    @Tag("BOUND-1")
    void shouldKnowARequestUnderWayHoweverManyOthersFollow()
    {
        options.grantQuantumBytes = 4096;
        options.grantsPerOwner = 2;
        startCluster(1, 2);
        put(worker(0), "here");
        final GetHandle held = readable(worker(1), got(worker(1), "here"), "here");
        final PutPlan blocking = started(worker(1), new PutOptions(), "a");
        worker(0).fromOwner.hold(PutStartResponseDecoder.TEMPLATE_ID);
        final PutPlan waiting = asked(worker(0), new PutOptions(), LENGTH, "b");
        for (int i = 0; i < 400; i++)
        {
            read(worker(0), "here");
        }
        cluster.runFor(5 * SECOND_NS);
        assertThat(waiting.state()).isEqualTo(PutPlan.State.STARTING);
        worker(1).client().putAbort(blocking);
        cluster.runFor(MILLISECOND_NS);
        worker(0).fromOwner.release(PutStartResponseDecoder.TEMPLATE_ID);
        until(waiting, PutPlan.State.STARTED);
        worker(0).client().putAbort(waiting);
        until(waiting, PutPlan.State.ABORTED);
        release(worker(1), held);
    }

    @Test
    @Tag("API-4")
    @Tag("LIFE-1")
    void shouldCarryOutALostCommitThoughAThousandRequestsHaveFollowed()
    {
        startCluster(1, 2);
        put(worker(0), "here");
        final PutPlan put = started(worker(0), new PutOptions(), "a");
        worker(0).toOwner.drop(PutCommitRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        commit(worker(0), put, "a");
        passAThousandRequests(worker(0));
        worker(0).toOwner.drop(PutCommitRequestDecoder.TEMPLATE_ID, 0);
        until(put, PutPlan.State.DONE);
        assertThat(put.errorMessage()).isEmpty();
        assertThat(put.failedCount()).isZero();
        read(worker(1), "a");
    }

    @Test
    @Tag("API-4")
    @Tag("LIFE-1")
    void shouldRepeatALostAnswerThoughAThousandRequestsHaveFollowed()
    {
        startCluster(1, 1);
        put(worker(0), "here");
        worker(0).fromOwner.drop(PutStartResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        final PutPlan put = asked(worker(0), new PutOptions(), LENGTH, "a");
        passAThousandRequests(worker(0));
        worker(0).fromOwner.drop(PutStartResponseDecoder.TEMPLATE_ID, 0);
        until(put, PutPlan.State.STARTED);

        worker(0).fromOwner.drop(PutCommitLocalDecoder.TEMPLATE_ID, MessageTap.ALL);
        worker(0).fromOwner.drop(PutCommitResultDecoder.TEMPLATE_ID, MessageTap.ALL);
        commit(worker(0), put, "a");
        passAThousandRequests(worker(0));
        worker(0).fromOwner.drop(PutCommitLocalDecoder.TEMPLATE_ID, 0);
        until(put, PutPlan.State.LOCAL_READY);
        passAThousandRequests(worker(0));
        worker(0).fromOwner.drop(PutCommitResultDecoder.TEMPLATE_ID, 0);
        until(put, PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(owner(0).get(OwnerCounter.PUT_PLANS_OPENED)).isEqualTo(2);
        assertThat(owner(0).get(OwnerCounter.PUBLISH_JOBS_OPENED)).isEqualTo(2);
    }

    @Test
    @Tag("API-4")
    void shouldIgnoreCopiesThatComeAThousandRequestsLater()
    {
        startCluster(1, 1);
        worker(0).toOwner.record(PutStartRequestDecoder.TEMPLATE_ID);
        worker(0).toOwner.record(GetStartRequestDecoder.TEMPLATE_ID);
        put(worker(0), "here");
        read(worker(0), "here");
        passAThousandRequests(worker(0));
        worker(0).toOwner.replay(PutStartRequestDecoder.TEMPLATE_ID);
        worker(0).toOwner.replay(GetStartRequestDecoder.TEMPLATE_ID);
        cluster.runFor(SECOND_NS);
        assertThat(owner(0).get(OwnerCounter.REQUESTS_LATE)).isGreaterThanOrEqualTo(900);
        assertThat(owner(0).get(OwnerCounter.PUT_PLANS_OPENED)).isEqualTo(1);
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldNotExecuteTheCopyOfARequestThatWasRefused()
    {
        settings.maxOutstandingPerSession(1);
        startCluster(2, 2);
        put(worker(0), "far");
        put(worker(1), "here");
        owner(1).toMaster.cut(true);
        final GetHandle slow = asking(worker(1), true, null, "far");
        cluster.runFor(MILLISECOND_NS);
        worker(1).toOwner.record(GetStartRequestDecoder.TEMPLATE_ID);
        final GetHandle refused = asking(worker(1), true, null, "here");
        until(refused, GetHandle.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        owner(1).toMaster.cut(false);
        worker(1).await(slow, 10 * SECOND_NS);
        cancel(worker(1), slow);
        worker(1).toOwner.replay(GetStartRequestDecoder.TEMPLATE_ID);
        cluster.runFor(SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS)).isZero();
    }

    @Test
    @Tag("API-9")
    void shouldNotTouchThePlansOfOthersWhenASessionEndsSliceBySlice()
    {
        settings.planSliceKeys(1);
        startCluster(1, 2);
        final PutPlan[] puts = new PutPlan[20];
        for (int i = 0; i < puts.length; i++)
        {
            puts[i] = started(worker(0), new PutOptions(), "page" + i);
        }
        worker(0).client().putAbort(puts[0]);
        worker(0).client().putAbort(puts[1]);
        cluster.runFor(18 * MICROSECOND_NS);
        worker(0).kill();
        final PutPlan[] others = new PutPlan[20];
        for (int i = 0; i < others.length; i++)
        {
            others[i] = asked(worker(1), new PutOptions(), LENGTH, "other" + i);
            cluster.step();
        }
        cluster.runFor(10 * MILLISECOND_NS);
        for (int i = 0; i < others.length; i++)
        {
            commit(worker(1), others[i], "other" + i);
            until(others[i], PutPlan.State.DONE);
            assertThat(others[i].failedCount()).isZero();
        }
    }

    private void passAThousandRequests(final VirtualWorker worker)
    {
        for (int i = 0; i < 1_000; i++)
        {
            read(worker, "here");
        }
    }

    private VirtualWorker restartVictim()
    {
        final VirtualWorker victim = cluster.restartWorker(VICTIM, owner(0));
        assertThat(cluster.runUntil(
            () -> WorkerClient.State.READY == victim.client().state(), SECOND_NS)).isTrue();
        return victim;
    }

    private GetHandle heldByOthers()
    {
        put(worker(0), "others");
        return readable(worker(0), got(worker(0), "others"), "others");
    }

    private boolean putAndDie(final VirtualWorker victim, final int steps, final String... names)
    {
        final PutPlan put = asked(victim, inGroups(names.length), LENGTH, names);
        for (int i = 0; i < steps; i++)
        {
            cluster.step();
            if (PutPlan.State.STARTED == put.state())
            {
                commit(victim, put, names);
            }
            if (PutPlan.State.DONE == put.state())
            {
                return true;
            }
        }
        victim.kill();
        return false;
    }

    private boolean getAndEndEverywhere(final End end)
    {
        for (int step = 0; step < MAX_STEPS; step++)
        {
            final VirtualWorker victim = End.KILLED == end ? restartVictim() : worker(VICTIM);
            final String[] names = names("page" + step + "-", 3);
            put(worker(1), names[0], names[1]);
            put(worker(0), names[2]);
            final GetHandle get = asking(victim, true, null, names);
            final GetHandle joiner = asking(worker(0), true, null, names);
            final boolean isOver = getAndEnd(victim, get, end, step);
            worker(0).await(joiner, 10 * SECOND_NS);
            assertThat(joiner.transferableLen()).as("step %s", step).isIn(0, 3);
            if (!joiner.isReusable())
            {
                release(worker(0), readable(worker(0), joiner, names));
            }
            cluster.runFor(200 * MILLISECOND_NS);
            assertNothingOfTheVictim(step);
            if (isOver)
            {
                return true;
            }
        }
        return false;
    }

    private boolean getAndEnd(final VirtualWorker victim, final GetHandle get, final End end, final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            cluster.step();
            if (GetHandle.State.STARTED == get.state())
            {
                victim.client().getTransfer(get, -1);
            }
            if (GetHandle.State.READABLE == get.state())
            {
                victim.client().releaseViews(get);
                return true;
            }
        }
        if (End.KILLED == end)
        {
            victim.kill();
        }
        else
        {
            assertThat(victim.client().cancelGetTransfer(get)).isZero();
        }
        return false;
    }

    private void assertNothingOfTheVictim(final int step)
    {
        for (final OwnerCounter counter : new OwnerCounter[]{
            OwnerCounter.PUT_PLANS, OwnerCounter.READ_PLANS, OwnerCounter.HANDLES, OwnerCounter.FLIGHTS,
            OwnerCounter.RESERVATIONS, OwnerCounter.PUBLISH_JOBS})
        {
            assertThat(owner(0).get(counter)).as("%s at step %s", counter, step).isZero();
        }
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).as("holdings at step %s", step).isEqualTo(1);
        assertThat(owner(0).pool().count(SlotState.PREPARED)).as("prepared at step %s", step).isZero();
        assertThat(owner(0).pool().count(SlotState.PENDING)).as("pending at step %s", step).isZero();
        assertThat(atMaster(MasterCounter.RESERVATIONS)).as("reservations at step %s", step).isZero();
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).as("gets at step %s", step).isZero();
    }
}
