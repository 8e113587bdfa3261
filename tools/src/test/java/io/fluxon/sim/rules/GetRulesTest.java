package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Reads: what is here, what is on its way, what has to be fetched, and who shares what.
 */
class GetRulesTest extends RuleTest
{
    @Test
    @Tag("G1")
    void shouldTakeEachKeyAsHolderJoinOrLeaderByItself()
    {
        startCluster(2, 4);
        put(worker(1), "here1", "here2");
        put(worker(0), "far1", "far2", "far3");
        owner(1).transferFaults.held = true;
        final GetHandle running = got(worker(3), "far1");
        final long[] before = counts(OwnerCounter.HITS_LOCAL, OwnerCounter.JOINS, OwnerCounter.FLIGHTS_STARTED);
        owner(1).toMaster.record(BatchGetStartRequestDecoder.TEMPLATE_ID);
        final String[] names = {"far2", "here1", "far1", "here2", "far3"};
        final GetHandle get = got(worker(1), names);

        final long[] after = counts(OwnerCounter.HITS_LOCAL, OwnerCounter.JOINS, OwnerCounter.FLIGHTS_STARTED);
        assertThat(new long[]{after[0] - before[0], after[1] - before[1], after[2] - before[2]})
            .containsExactly(2, 1, 2);
        assertThat(keysOfStarts(1)).containsExactly(2);
        assertThat(get.transferableLen()).isEqualTo(5);
        owner(1).transferFaults.held = false;
        release(worker(1), readable(worker(1), get, names));
        release(worker(3), readable(worker(3), running, "far1"));
    }

    @Test
    @Tag("G2")
    void shouldHoldJoinAndInstallEverythingBeforeALeaderIsStarted()
    {
        settings.planSliceKeys(1);
        startCluster(2, 4);
        put(worker(1), "here1", "here2");
        put(worker(0), "far1", "far2", "far3");
        owner(1).transferFaults.held = true;
        final GetHandle running = got(worker(3), "far1");
        final int starts = owner(1).toMaster.count(BatchGetStartRequestDecoder.TEMPLATE_ID);
        final long holders = owner(1).pool().holders();
        final GetHandle get = asking(worker(1), true, null, "far2", "here1", "far1", "far3", "here2");
        cluster.runUntil(
            () -> starts < owner(1).toMaster.count(BatchGetStartRequestDecoder.TEMPLATE_ID), SECOND_NS);

        assertThat(owner(1).pool().holders()).isEqualTo(holders + 2);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isEqualTo(3);
        assertThat(owner(1).get(OwnerCounter.JOINS)).isEqualTo(1);
        owner(1).transferFaults.held = false;
        worker(1).await(get, SECOND_NS);
        cancel(worker(1), get);
        cancel(worker(3), running);
    }

    @Test
    @Tag("G3")
    @Tag("API-7")
    void shouldStartOneGetAndOneTransferAKeyForOverlappingBatches()
    {
        startCluster(2, 4);
        put(worker(0), "a", "b", "c", "d");
        owner(1).toMaster.record(BatchGetStartRequestDecoder.TEMPLATE_ID);
        final GetHandle first = asking(worker(1), true, null, "a", "b", "c", "b");
        final GetHandle second = asking(worker(3), true, null, "b", "c", "d");
        worker(1).await(first, SECOND_NS);
        worker(3).await(second, SECOND_NS);
        readable(worker(1), first, "a", "b", "c", "b");
        readable(worker(3), second, "b", "c", "d");

        assertThat(keysOfStarts(1).stream().mapToInt(Integer::intValue).sum()).isEqualTo(4);
        assertThat(owner(1).get(OwnerCounter.DESCRIPTORS)).isEqualTo(4);
        assertThat(atMaster(MasterCounter.GETS_STARTED)).isEqualTo(4);
        assertThat(first.count()).isEqualTo(4);
        assertThat(first.valueAddress(1)).isEqualTo(first.valueAddress(3)).isEqualTo(second.valueAddress(0));
        release(worker(1), first);
        worker(3).verify(second, "b", "c", "d");
        release(worker(3), second);
    }

    @Test
    @Tag("G3")
    @Tag("G7")
    void shouldRemoveOnlyItselfWhenARevokedFlightEndsBesideANewOne()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle given = got(worker(1), "a");
        cluster.runUntil(() -> 1 == owner(1).transfers().inMotion(), SECOND_NS);
        cancel(worker(1), given);
        cluster.runFor(MILLISECOND_NS);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isEqualTo(1);

        owner(1).toMaster.hold(BatchGetStartRequestDecoder.TEMPLATE_ID);
        final GetHandle next = asking(worker(1), true, null, "a");
        cluster.runFor(MILLISECOND_NS);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS_STARTED)).isEqualTo(2);
        owner(1).transferFaults.held = false;
        cluster.runUntil(() -> 1 == owner(1).get(OwnerCounter.FLIGHTS), SECOND_NS);

        final GetHandle joining = asking(worker(3), true, null, "a");
        cluster.runFor(MILLISECOND_NS);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS_STARTED)).isEqualTo(2);
        assertThat(owner(1).get(OwnerCounter.JOINS)).isEqualTo(1);
        owner(1).toMaster.release(BatchGetStartRequestDecoder.TEMPLATE_ID);
        worker(1).await(next, SECOND_NS);
        worker(3).await(joining, SECOND_NS);
        release(worker(1), readable(worker(1), next, "a"));
        release(worker(3), readable(worker(3), joining, "a"));
    }

    @Test
    @Tag("G4")
    @Tag("API-6")
    void shouldPutAnswersBackAtTheirPositionsBeforeThePrefixIsComputed()
    {
        startCluster(2, 2);
        put(worker(1), "here");
        put(worker(0), "far1", "far2");
        final GetHandle get = got(worker(1), true, groups(2, 2, 1), "far1", "here", "far2", "missing", "here");

        assertThat(get.rawPrefixHitLen()).isEqualTo(3);
        assertThat(get.transferableLen()).isEqualTo(2);
        assertThat(get.prefixHitGroups()).isEqualTo(1);
        assertThat(get.firstMissIndex()).isEqualTo(3);
        assertThat(get.firstMissGroupIndex()).isEqualTo(1);
        release(worker(1), readable(worker(1), get, "far1", "here"));
        assertThat(reachable(worker(1), "missing", "far2")).isZero();
        read(worker(1), "far2", "here", "far1");
    }

    @Test
    @Tag("G5")
    void shouldReleaseAndRevokeTheSuffixAtOnce()
    {
        startCluster(2, 2);
        put(worker(1), "here");
        put(worker(0), "far1", "far2", "far3");
        owner(1).transferFaults.held = true;
        final long holders = owner(1).pool().holders();
        final GetHandle get = got(worker(1), "far1", "missing", "far2", "here", "far3");
        final long startNs = cluster.clock().nanoTime();
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.GETS_IN_FLIGHT), SECOND_NS);

        assertThat(cluster.clock().nanoTime() - startNs).isLessThan(MILLISECOND_NS);
        assertThat(get.transferableLen()).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isEqualTo(1);
        assertThat(owner(1).pool().holders()).isEqualTo(holders + 1);
        assertThat(owner(1).get(OwnerCounter.DESCRIPTORS)).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.SUFFIX_RELEASES)).isEqualTo(3);
        assertThat(owner(1).toMaster.count(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        owner(1).transferFaults.held = false;
        release(worker(1), readable(worker(1), get, "far1"));
    }

    @Test
    @Tag("G6")
    void shouldLetTwoOwnersFetchAKeyAtOnce()
    {
        startCluster(3, 3);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        owner(2).transferFaults.held = true;
        final GetHandle first = got(worker(1), "a");
        final GetHandle second = got(worker(2), "a");
        assertThat(atMaster(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_SUPERSEDED)).isZero();
        owner(1).transferFaults.held = false;
        owner(2).transferFaults.held = false;
        release(worker(1), readable(worker(1), first, "a"));
        release(worker(2), readable(worker(2), second, "a"));
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(3);
    }

    @Test
    @Tag("G7")
    void shouldCountAFlightOnlyWhenItsSourceIsKnownAndReadItOnlyWhenItIsConfirmed()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        owner(1).transferFaults.held = true;
        owner(1).toMaster.hold(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        final GetHandle leader = asking(worker(1), true, null, "a");
        final GetHandle joiner = asking(worker(3), true, null, "a");
        cluster.runFor(20 * MILLISECOND_NS);
        assertThat(leader.state()).isEqualTo(GetHandle.State.STARTING);
        assertThat(joiner.state()).isEqualTo(GetHandle.State.STARTING);

        owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);
        until(leader, GetHandle.State.STARTED);
        until(joiner, GetHandle.State.STARTED);
        assertThat(leader.transferableLen()).isEqualTo(1);
        worker(1).client().getTransfer(leader, -1);
        worker(3).client().getTransfer(joiner, -1);
        cluster.runFor(20 * MILLISECOND_NS);
        owner(1).transferFaults.held = false;
        cluster.runFor(20 * MILLISECOND_NS);
        assertThat(leader.state()).isEqualTo(GetHandle.State.TRANSFERRING);
        assertThat(joiner.state()).isEqualTo(GetHandle.State.TRANSFERRING);

        owner(1).toMaster.release(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        until(leader, GetHandle.State.READABLE);
        until(joiner, GetHandle.State.READABLE);
        assertThat(leader.valueAddress(0)).isEqualTo(joiner.valueAddress(0));
        release(worker(1), leader);
        release(worker(3), joiner);
    }

    @Test
    @Tag("G7")
    void shouldMoveNoPayloadThatNobodyWantsAnyMore()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(1), true, null, "a");
        cluster.runFor(MILLISECOND_NS);
        worker(1).kill();
        cluster.runFor(MILLISECOND_NS);
        owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);
        cluster.runFor(SECOND_NS);

        assertThat(get.isReusable()).isFalse();
        assertThat(owner(1).get(OwnerCounter.DESCRIPTORS)).isZero();
        assertThat(owner(1).get(OwnerCounter.FLIGHTS)).isZero();
        assertThat(atMaster(MasterCounter.GETS_REVOKED)).isEqualTo(1);
    }

    @Test
    @Tag("G7")
    void shouldShowTheSameFailureToEveryWaiter()
    {
        startCluster(2, 4);
        put(worker(0), "a");
        owner(1).transferFaults.failureRate = 1;
        owner(1).transferFaults.held = true;
        final GetHandle leader = got(worker(1), "a");
        final GetHandle joiner = got(worker(3), "a");
        worker(1).client().getTransfer(leader, -1);
        worker(3).client().getTransfer(joiner, -1);
        cluster.runFor(MILLISECOND_NS);
        owner(1).transferFaults.held = false;
        until(leader, GetHandle.State.FAILED);
        until(joiner, GetHandle.State.FAILED);
        assertThat(leader.errorCode()).isEqualTo(joiner.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        owner(1).transferFaults.failureRate = 0;
        read(worker(1), "a");
    }

    @Test
    @Tag("G8")
    void shouldSendOneMessageABatchAndOneConfirmationASource()
    {
        startCluster(3, 3);
        final String[] left = names("left", 20);
        final String[] right = names("right", 20);
        put(worker(0), left);
        put(worker(1), right);
        final String[] all = new String[40];
        for (int i = 0; i < 20; i++)
        {
            all[2 * i] = left[i];
            all[2 * i + 1] = right[i];
        }
        read(worker(2), all);

        assertThat(owner(2).toMaster.count(BatchGetStartRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        assertThat(owner(2).toMaster.count(BatchGetDoneRequestDecoder.TEMPLATE_ID)).isEqualTo(2);
        assertThat(owner(2).get(OwnerCounter.DESCRIPTORS)).isEqualTo(40);

        final String[] gone = names("gone", 10);
        put(worker(0), gone);
        owner(2).transferFaults.failureRate = 1;
        final GetHandle get = got(worker(2), gone);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(2).toMaster.count(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        cancel(worker(2), get);
    }

    @Test
    @Tag("G8")
    void shouldDelayOnlyTheKeysOfADeadSource()
    {
        startCluster(3, 4);
        put(worker(0), "slow");
        put(worker(1), "quick");
        owner(2).transfers().hold(owner(0).ownerId(), true);
        final GetHandle both = got(worker(2), "quick", "slow");
        assertThat(both.transferableLen()).isEqualTo(2);
        assertThat(cluster.runUntil(
            () -> 1 == owner(2).pool().count(SlotState.COMMITTED), SECOND_NS)).isTrue();
        worker(2).client().getTransfer(both, 1);
        until(both, GetHandle.State.READABLE);
        worker(2).verify(both, "quick");
        release(worker(2), both);
        owner(2).transfers().hold(owner(0).ownerId(), false);
        cluster.runFor(SECOND_NS);
    }

    @Test
    @Tag("G10")
    void shouldLetAnUnrelatedKeyProceedWhileALongBatchIsPlanned()
    {
        settings.planSliceKeys(8);
        startCluster(1, 2);
        put(worker(1), "small");
        final String[] large = names("large", 1_000);
        final GetHandle get = asking(worker(0), false, null, large);
        int cycles = 0;
        while (0 == owner(0).get(OwnerCounter.READ_PLANS))
        {
            cluster.step();
        }
        final GetHandle small = asking(worker(1), true, null, "small");
        while (GetHandle.State.STARTED != small.state())
        {
            cluster.step();
            cycles++;
        }
        assertThat(cycles).isLessThan(100);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTING);
        cancel(worker(1), small);
        worker(0).await(get, SECOND_NS);
        assertThat(get.transferableLen()).isZero();
    }

    @Test
    @Tag("GET-1")
    void shouldAnswerAWhollyLocalBatchInTheStartItself()
    {
        startCluster(1, 1);
        put(worker(0), "a", "b");
        worker(0).fromOwner.hold(GetStartResponseDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(0), true, null, "a", "b");
        cluster.runUntil(() -> worker(0).fromOwner.held() > 0, SECOND_NS);
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isEqualTo(2);
        assertThat(owner(0).get(OwnerCounter.READ_PLANS)).isZero();

        worker(0).fromOwner.release(GetStartResponseDecoder.TEMPLATE_ID);
        until(get, GetHandle.State.STARTED);
        assertThat(worker(0).client().getTransfer(get, -1)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        worker(0).verify(get, "a", "b");
        assertThat(worker(0).toOwner.count(GetTransferRequestDecoder.TEMPLATE_ID)).isZero();
        assertThat(owner(0).get(OwnerCounter.FLIGHTS_STARTED)).isZero();
        release(worker(0), get);
    }

    @Test
    @Tag("GET-2")
    void shouldGiveEveryExportAHoldingIdOfItsOwnAndReleaseExactlyThat()
    {
        startCluster(1, 2);
        put(worker(0), "a");
        worker(0).fromOwner.record(GetStartResponseDecoder.TEMPLATE_ID);
        final long holders = owner(0).pool().holders();
        final GetHandle first = readable(worker(0), got(worker(0), "a"), "a");
        final GetHandle second = readable(worker(0), got(worker(0), true, null, "a", "a"), "a", "a");
        assertThat(first.valueAddress(0)).isEqualTo(second.valueAddress(0));
        final List<Long> ids = worker(0).fromOwner.recorded(GetStartResponseDecoder.TEMPLATE_ID).stream()
            .flatMap((message) -> holdingIds(message).stream()).toList();
        assertThat(ids).hasSize(3).doesNotContain(0L).doesNotHaveDuplicates().isSorted();
        assertThat(owner(0).pool().holders()).isEqualTo(holders + 3);

        worker(0).toOwner.duplicate(ReleaseHoldingsDecoder.TEMPLATE_ID, 1);
        release(worker(0), first);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().holders()).isEqualTo(holders + 2);
        worker(0).toOwner.drop(ReleaseHoldingsDecoder.TEMPLATE_ID, 2);
        release(worker(0), second);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().holders()).isEqualTo(holders + 2);
        cluster.runFor(2 * SECOND_NS);
        assertThat(owner(0).pool().holders()).isEqualTo(holders);
        assertThat(worker(0).client().unacknowledgedReleases()).isZero();
    }

    @Test
    @Tag("GET-3")
    void shouldEndAnUnconsumedInlineHandleAtTheClientAfterItsTime()
    {
        startCluster(1, 1);
        put(worker(0), "a");
        final GetHandle get = got(worker(0), "a");
        cluster.runFor(59 * SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isEqualTo(1);
        cluster.runFor(2 * SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(worker(0).client().getTransfer(get, -1)).isNotZero();
        assertThat(owner(0).get(OwnerCounter.HOLDINGS)).isZero();
    }

    @Test
    @Tag("GET-3")
    void shouldEndAnUnconsumedRemoteHandleAtTheOwnerAfterItsTime()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        worker(1).paused(true);
        cluster.runFor(5 * SECOND_NS);
        worker(1).paused(false);
        cluster.runFor(54 * SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HANDLES)).isEqualTo(1);
        cluster.runFor(2 * SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HANDLES)).isZero();
        assertThat(owner(1).get(OwnerCounter.HANDLES_EXPIRED)).isEqualTo(1);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        owner(1).transferFaults.held = false;
    }

    @Test
    @Tag("GET-3")
    void shouldCallAHandleStaleThatEndedBeforeItsAnswerCame()
    {
        final GetHandle get = startedWhenItsHandleHasEnded();
        assertThat(worker(1).client().getTransfer(get, -1)).isZero();
        until(get, GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
    }

    @Test
    @Tag("GET-3")
    void shouldCancelAHandleThatEndedBeforeItsAnswerCame()
    {
        final GetHandle get = startedWhenItsHandleHasEnded();
        cancel(worker(1), get);
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);
        assertThat(get.errorCode()).isZero();
    }

    @Test
    @Tag("GET-3")
    @Tag("API-8")
    void shouldReleaseAnswersThatComeAfterTheirCallGaveUp()
    {
        options.workerSettings = (context) -> context.getTimeoutNs(SECOND_NS);
        startCluster(2, 2);
        put(worker(1), "here");
        put(worker(0), "far");
        worker(1).fromOwner.hold(GetStartResponseDecoder.TEMPLATE_ID);
        owner(1).transferFaults.held = true;
        final GetHandle inline = asking(worker(1), true, null, "here");
        final GetHandle remote = asking(worker(1), true, null, "here", "far");
        until(inline, GetHandle.State.FAILED);
        until(remote, GetHandle.State.FAILED);
        assertThat(inline.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS)).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.HANDLES)).isEqualTo(1);

        worker(1).fromOwner.release(GetStartResponseDecoder.TEMPLATE_ID);
        cluster.runFor(100 * MILLISECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner(1).get(OwnerCounter.HANDLES)).isZero();
        assertThat(worker(1).client().lateAnswers()).isEqualTo(2);
        owner(1).transferFaults.held = false;
    }

    @Test
    @Tag("GET-4")
    void shouldTakeNeitherARouteNorAFlightNorAnotherOwnersPutForALocalHit()
    {
        startCluster(2, 4);
        put(worker(0), "routed");
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan pending = localReady(worker(0), new PutOptions(), "pending");
        owner(1).transferFaults.held = true;
        final GetHandle routed = got(worker(1), "routed");
        assertThat(routed.remoteHits()).isEqualTo(1);
        final GetHandle joined = got(worker(3), "routed");
        assertThat(joined.remoteHits()).isEqualTo(1);
        assertThat(owner(1).get(OwnerCounter.HITS_LOCAL)).isZero();
        assertThat(reachable(worker(1), "pending")).isZero();

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(pending, PutPlan.State.DONE);
        owner(1).transferFaults.held = false;
        cancel(worker(1), routed);
        cancel(worker(3), joined);
    }

    @Test
    @Tag("GET-4")
    void shouldNeverReadFromItself()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        read(worker(1), "a");
        final VirtualOwner restarted = cluster.restartOwner(0);
        cluster.settle();
        final VirtualWorker reader = cluster.restartWorker(0, restarted);
        cluster.settle();
        read(reader, "a");
        assertThat(restarted.get(OwnerCounter.DESCRIPTORS)).isEqualTo(1);
        cluster.restartOwner(1);
        cluster.restartWorker(1, owner(1));
        cluster.settle();
        read(worker(1), "a");
    }

    @Test
    @Tag("GET-6")
    void shouldYieldTheWholePrefixOrFailWithEverythingReleased()
    {
        startCluster(2, 2);
        put(worker(0), "a", "b", "c");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), true, null, "a", "b", "c");
        worker(1).client().getTransfer(get, -1);
        owner(1).transferFaults.tornRate = 0.5;
        owner(1).transferFaults.held = false;
        until(get, GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(worker(1).client().getTransfer(get, -1)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        cluster.runFor(SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner(1).get(OwnerCounter.READ_PLANS)).isZero();
        owner(1).transferFaults.tornRate = 0;
        read(worker(1), "a", "b", "c");
    }

    @Test
    @Tag("API-6")
    void shouldComputeTheResultsOfTheContractsExamples()
    {
        startCluster(1, 1);
        put(worker(0), "0", "1", "3", "4", "5", "6");
        assertResult(true, groups(2, 2), 2, 2, 1, 2, 1, "0", "1", "absent", "3");
        assertResult(false, groups(2, 2), 2, 0, 0, 2, 1, "0", "1", "absent", "3");
        assertResult(true, groups(2, 3), 4, 2, 1, 4, 1, "0", "1", "3", "4", "absent");
        assertResult(true, groups(2, 2), 4, 4, 2, -1, -1, "0", "1", "3", "4");
        assertResult(true, null, 2, 0, 0, 2, 0, "0", "1", "absent");
        assertResult(true, null, 0, 0, 0, 0, 0, "absent");
    }

    @Test
    @Tag("API-5")
    void shouldConsumeOnlyWholeGroupsAndReleaseTheTailAtOnce()
    {
        startCluster(2, 2);
        final String[] names = names("page", 7);
        put(worker(0), "page0", "page1", "page2", "page3");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), true, groups(2, 2, 3), names);
        assertThat(get.transferableLen()).isEqualTo(4);
        for (final int bad : new int[]{0, 1, 3, 5, 7})
        {
            assertThat(worker(1).client().getTransfer(get, bad)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        }
        assertThat(owner(1).get(OwnerCounter.SUFFIX_RELEASES)).isZero();
        assertThat(worker(1).client().getTransfer(get, 2)).isZero();
        cluster.runFor(MILLISECOND_NS);
        assertThat(owner(1).get(OwnerCounter.SUFFIX_RELEASES)).isEqualTo(2);
        owner(1).transferFaults.held = false;
        until(get, GetHandle.State.READABLE);
        assertThat(get.count()).isEqualTo(2);
        worker(1).verify(get, "page0", "page1");
        release(worker(1), get);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(1).pool().count(SlotState.COMMITTED)).isEqualTo(2);
    }

    private GetHandle startedWhenItsHandleHasEnded()
    {
        options.workerSettings = (context) -> context.getTimeoutNs(120 * SECOND_NS);
        startCluster(2, 2);
        put(worker(0), "a");
        worker(1).fromOwner.hold(GetStartResponseDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(1), true, null, "a");
        cluster.runFor(61 * SECOND_NS);
        assertThat(owner(1).get(OwnerCounter.HANDLES_EXPIRED)).isEqualTo(1);
        worker(1).fromOwner.release(GetStartResponseDecoder.TEMPLATE_ID);
        until(get, GetHandle.State.STARTED);
        return get;
    }

    private void assertResult(
        final boolean isBestEffort,
        final AtomicGroups atomicGroups,
        final int raw,
        final int transferable,
        final int hitGroups,
        final int missIndex,
        final int missGroup,
        final String... names)
    {
        final GetHandle get = got(worker(0), isBestEffort, atomicGroups, names);
        assertThat(new int[]{
            get.rawPrefixHitLen(), get.transferableLen(), get.prefixHitGroups(),
            get.firstMissIndex(), get.firstMissGroupIndex()})
            .containsExactly(raw, transferable, hitGroups, missIndex, missGroup);
        assertThat(get.allHit()).isEqualTo(transferable == names.length);
        giveBack(worker(0), get);
    }

    private long[] counts(final OwnerCounter... counters)
    {
        final long[] values = new long[counters.length];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = owner(1).get(counters[i]);
        }
        return values;
    }

    private List<Integer> keysOfStarts(final int ownerIndex)
    {
        return owner(ownerIndex).toMaster.recorded(BatchGetStartRequestDecoder.TEMPLATE_ID).stream()
            .map((message) -> new BatchGetStartRequestDecoder()
                .wrapAndApplyHeader(message, 0, new MessageHeaderDecoder()).keys().count())
            .toList();
    }

    private static List<Long> holdingIds(final UnsafeBuffer message)
    {
        final GetStartResponseDecoder decoder = new GetStartResponseDecoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
        final List<Long> ids = new ArrayList<>();
        decoder.holdings().forEach((holding) -> ids.add(holding.holdingId()));
        return ids;
    }
}
