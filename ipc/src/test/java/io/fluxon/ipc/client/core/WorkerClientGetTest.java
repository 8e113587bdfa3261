package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.plan.PlanBlob;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkerClientGetTest extends WorkerClientTestBase
{
    @BeforeEach
    void before()
    {
        connect();
    }

    @Test
    @Tag("GET-1")
    @Tag("PLAN-1")
    void shouldReadAWhollyLocalBatchWithoutASecondMessage()
    {
        startInline(get, 3, 100);
        assertThat(get.allHit()).isTrue();
        assertThat(get.transferableLen()).isEqualTo(3);
        assertThat(get.planAddress()).isZero();
        owner.received.clear();

        assertThat(client.getTransfer(get, -1)).isZero();

        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        assertThat(owner.received).isEmpty();
        assertThat(get.count()).isEqualTo(3);
        final PlanBlob blob = new PlanBlob().wrap(get.planAddress(), 64);
        assertThat(blob.count()).isEqualTo(3);
        for (int i = 0; i < 3; i++)
        {
            final long expected = segment.address() + ScriptedOwner.slot(i) - ScriptedOwner.MAP_OFFSET;
            assertThat(get.valueAddress(i)).isEqualTo(expected);
            assertThat(blob.valuePtr(i)).isEqualTo(expected);
            assertThat(get.valueLength(i)).isEqualTo(100 + i);
        }
        assertThat(client.planAt(get.planAddress())).isSameAs(get);
    }

    @Test
    @Tag("GET-2")
    void shouldReleaseTheExactHoldingsOfAReadPlan()
    {
        startInline(get, 3, 100);
        client.getTransfer(get, -1);
        final long planAddress = get.planAddress();

        assertThat(client.releaseViews(get)).isZero();

        assertThat(get.state()).isEqualTo(GetHandle.State.RELEASED);
        assertThat(get.count()).isZero();
        assertThat(client.planAt(planAddress)).isNull();
        assertThatThrownBy(() -> get.valueAddress(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(owner.takeReleases()).isEmpty();
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L, 102L);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-2")
    void shouldReleaseInBatchesOfAMillisecondOr256()
    {
        final GetHandle[] gets = new GetHandle[5];
        for (int i = 0; i < gets.length; i++)
        {
            gets[i] = new GetHandle(64);
            startInline(gets[i], 60, 1000 * (i + 1));
            client.getTransfer(gets[i], -1);
        }
        for (int i = 0; i < 4; i++)
        {
            client.releaseViews(gets[i]);
            pass(100, TimeUnit.MICROSECONDS);
        }
        assertThat(owner.count(ReleaseHoldingsDecoder.TEMPLATE_ID)).isZero();

        client.releaseViews(gets[4]);
        client.poll();
        assertThat(owner.count(ReleaseHoldingsDecoder.TEMPLATE_ID)).isEqualTo(1);
        assertThat(owner.takeReleases()).hasSize(256);
        assertThat(client.unsentReleases()).isEqualTo(44);

        pass(999, TimeUnit.MICROSECONDS);
        assertThat(owner.count(ReleaseHoldingsDecoder.TEMPLATE_ID)).isZero();
        pass(1, TimeUnit.MICROSECONDS);
        assertThat(owner.takeReleases()).hasSize(44);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-2")
    void shouldRepeatReleasesUntilTheOwnerAcknowledgesThem()
    {
        startInline(get, 2, 100);
        client.getTransfer(get, -1);
        client.releaseViews(get);
        pass(1, TimeUnit.MILLISECONDS);
        final UnsafeBuffer lost = owner.take(ReleaseHoldingsDecoder.TEMPLATE_ID);
        assertThat(client.unsentReleases()).isZero();
        assertThat(client.unacknowledgedReleases()).isEqualTo(1);
        assertThat(client.outstanding()).isZero();

        passAlive(250, TimeUnit.MILLISECONDS);
        final UnsafeBuffer repeated = owner.take(ReleaseHoldingsDecoder.TEMPLATE_ID);
        assertThat(repeated).isEqualTo(lost);
        passAlive(500, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        client.poll();
        assertThat(client.unacknowledgedReleases()).isZero();
        passAlive(5, TimeUnit.SECONDS);
        assertThat(owner.count(ReleaseHoldingsDecoder.TEMPLATE_ID)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldHoldReleasesBackWhileTooManyAreNotAcknowledged()
    {
        for (int i = 0; i < 70; i++)
        {
            startInline(get, 2, 100 + 2 * i);
            client.getTransfer(get, -1);
            client.releaseViews(get);
            pass(1, TimeUnit.MILLISECONDS);
        }
        assertThat(client.unacknowledgedReleases()).isEqualTo(64);
        assertThat(client.unsentReleases()).isEqualTo(12);

        passAlive(400, TimeUnit.MILLISECONDS);
        assertThat(Set.copyOf(owner.takeReleases())).hasSize(128);
        passAlive(10, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).hasSize(12);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-2")
    void shouldKeepReleasesWhenTheChannelIsFull()
    {
        startInline(get, 2, 100);
        client.getTransfer(get, -1);
        client.releaseViews(get);
        owner.offerResult = ControlChannel.BACK_PRESSURED;
        pass(5, TimeUnit.MILLISECONDS);
        owner.offerResult = 1;
        pass(5, TimeUnit.MILLISECONDS);

        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
    }

    @Test
    @Tag("API-5")
    void shouldConsumeAPrefixAndReleaseTheTailAtOnce()
    {
        assertThat(client.getStart(get, keys(7), true, groups(2, 2, 3))).isZero();
        owner.getStartInline(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 5, 4, 100);
        client.poll();
        assertThat(get.allHit()).isFalse();

        for (final int bad : new int[]{0, 1, 3, 5, 7, -2})
        {
            assertRefused(client.getTransfer(get, bad));
            assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        }
        assertThat(client.getTransfer(get, 2)).isZero();
        pass(1, TimeUnit.MILLISECONDS);

        assertThat(get.count()).isEqualTo(2);
        assertThat(owner.takeReleases()).containsExactly(102L, 103L);
        client.releaseViews(get);
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    @Tag("API-6")
    void shouldHaveTheOwnersResult()
    {
        assertThat(client.getStart(get, keys(4), true, groups(2, 2))).isZero();
        owner.getStart(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, GetKind.REMOTE, 8, 2, 2, 0);
        client.poll();

        assertThat(get.rawPrefixHitLen()).isEqualTo(2);
        assertThat(get.transferableLen()).isEqualTo(2);
        assertThat(get.firstMissIndex()).isEqualTo(2);
        assertThat(get.remoteHits()).isEqualTo(2);
        assertThat(get.keyCount()).isEqualTo(4);
        assertThat(get.allHit()).isFalse();
    }

    @Test
    @Tag("API-1")
    void shouldRefuseBadArgumentsBeforeAnythingIsSent()
    {
        owner.received.clear();
        assertRefused(client.getStart(get, keys.clear(), true, null));
        assertRefused(client.getStart(get, null, true, null));
        assertRefused(client.getStart(get, keys(65), true, null));
        assertRefused(client.getStart(get, keys(1).add(""), true, null));
        assertRefused(client.getStart(get, keys(1).add("k".repeat(513)), true, null));
        assertRefused(client.getStart(get, keys(3), true, groups(1, 1)));
        assertRefused(client.getStart(get, keys(3), true, groups(0, 3)));
        assertRefused(client.getStart(get, keys(3), true, groups(Integer.MAX_VALUE, Integer.MAX_VALUE, 5)));
        assertRefused(client.getStart(get, keys(3), true, groups()));
        assertRefused(client.getStart(get, keys(3), true, null, -1));
        assertRefused(client.getStart(null, keys(3), true, null));

        assertThat(owner.received).isEmpty();
        assertThat(get.state()).isEqualTo(GetHandle.State.IDLE);
    }

    @Test
    @Tag("API-7")
    void shouldAllowDuplicateKeys()
    {
        assertThat(client.getStart(get, keys(1).add("key0"), true, null)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldRefuseCallsInTheWrongStateAndLeaveTheHandleAlive()
    {
        assertRefused(client.getTransfer(get, -1));
        assertRefused(client.cancelGetTransfer(get));
        assertRefused(client.releaseViews(get));
        assertRefused(client.releaseViews(null));

        startInline(get, 2, 100);
        assertRefused(client.releaseViews(get));
        assertRefused(client.getStart(get, keys(1), true, null));
        assertThat(client.getTransfer(get, -1)).isZero();
        assertRefused(client.getTransfer(get, -1));
        assertRefused(client.cancelGetTransfer(get));
        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        assertThat(client.releaseViews(get)).isZero();
        assertRefused(client.releaseViews(get));
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
    }

    @Test
    void shouldEndAnEmptyHandleWithKeyNotFound()
    {
        assertThat(client.getStart(get, keys(2), true, null)).isZero();
        owner.getStartRemote(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, 1, 0);
        client.poll();
        assertRefused(client.getTransfer(get, 1));
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);

        assertThat(client.getTransfer(get, -1)).isEqualTo(ErrorCode.KEY_NOT_FOUND);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertNothingHeld();
    }

    @Test
    void shouldCancelAnEmptyHandleWithoutAMessage()
    {
        assertThat(client.getStart(get, keys(2), true, null)).isZero();
        owner.getStartRemote(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, 1, 0);
        client.poll();
        owner.received.clear();

        assertThat(client.cancelGetTransfer(get)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);
        assertThat(owner.received).isEmpty();
    }

    @Test
    void shouldHoldNothingAndBeReusableWhenNothingCanBeHad()
    {
        assertThat(client.getStart(get, keys(2), true, null)).isZero();
        owner.getStartRemote(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, 1, 0);
        client.poll();
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        assertThat(get.isReusable()).isTrue();
        assertNothingHeld();

        startInline(get, 1, 100);
        assertThat(get.isReusable()).isFalse();
        assertThat(client.getTransfer(get, -1)).isZero();
    }

    @Test
    @Tag("GET-3")
    void shouldForgetARemoteHandleThatTheOwnerHasEndedByTime()
    {
        startRemote(get, 2, 8);
        passAlive(60, TimeUnit.SECONDS);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        passAlive(1, TimeUnit.SECONDS);

        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(owner.takeReleases()).isEmpty();
        assertNothingHeld();
    }

    @Test
    @Tag("GET-3")
    void shouldCallAHandleStaleThatTheOwnerDoesNotKnowAnyMore()
    {
        startRemote(get, 2, 8);
        assertThat(client.getTransfer(get, -1)).isZero();
        owner.getTransfer(
            owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID), ErrorCode.INVALID_ARGUMENT, Stage.NONE, 0, 0);
        client.poll();

        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(client.expiredHandles()).isEqualTo(1);
    }

    @Test
    @Tag("API-5")
    void shouldNotHideThatTheOwnerRefusesTheArgumentsOfAHandleThatLives()
    {
        startRemote(get, 2, 8);
        assertThat(client.getTransfer(get, 2)).isZero();
        owner.getTransfer(
            owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID), ErrorCode.INVALID_ARGUMENT, Stage.NONE, 8, 0);
        client.poll();

        assertThat(get.errorCode()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(get.errorMessage()).isEqualTo("owner says 118");
        assertThat(client.expiredHandles()).isZero();
        assertThat(owner.count(GetCancelRequestDecoder.TEMPLATE_ID)).as("what it has is given back").isEqualTo(1);
    }

    @Test
    void shouldWaitForATransferLongerThanAHandleLives()
    {
        startRemote(get, 2, 8);
        assertThat(client.getTransfer(get, -1, TimeUnit.SECONDS.toNanos(100))).isZero();
        passAlive(90, TimeUnit.SECONDS);

        assertThat(get.state()).isEqualTo(GetHandle.State.TRANSFERRING);
    }

    @ParameterizedTest
    @Tag("GET-1")
    @ValueSource(longs = {
        0, ScriptedOwner.MAP_OFFSET, ScriptedOwner.ARENA_OFFSET, ScriptedOwner.ARENA_OFFSET + 64,
        ScriptedOwner.SEGMENT_LENGTH - 100, ScriptedOwner.SEGMENT_LENGTH, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldReleaseEverythingWhenAHoldingIsOutsideTheSegment(final long offset)
    {
        assertThat(client.getStart(get, keys(2), true, null)).isZero();
        owner.getStart(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, GetKind.INLINE, 0, 2, 2, 100,
            ScriptedOwner.slot(0), offset);
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(client.protocolErrors()).isEqualTo(1);
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-1")
    void shouldRefuseAResultThatDoesNotFitTheBatch()
    {
        refuseResult(GetKind.INLINE, 0, 2, 3, slots(3));
        refuseResult(GetKind.INLINE, 0, 5, 4, slots(4));
        refuseResult(GetKind.INLINE, 0, 4, 3, slots(3));
        refuseResult(GetKind.INLINE, 0, 4, 4, slots(3));
        refuseResult(GetKind.INLINE, 0, 4, -2, slots(0));
        refuseResult(GetKind.REMOTE, 0, 4, 4, slots(0));
        refuseResult(GetKind.REMOTE, 8, 4, 4, slots(1));
        refuseResult(GetKind.NULL_VAL, 0, 4, 4, slots(4));
    }

    @Test
    @Tag("GET-1")
    void shouldRefuseAPartOfTheBatchWhenAllWasAskedFor()
    {
        assertThat(client.getStart(get, keys(4), false, groups(2, 2))).isZero();
        owner.getStartInline(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 2, 2, 100);
        client.poll();

        assertThat(get.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
    }

    @Test
    @Tag("GET-3")
    void shouldEndAnInlineHandleByTimeAndRefuseTheLateTransfer()
    {
        startInline(get, 2, 100);
        passAlive(59, TimeUnit.SECONDS);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        passAlive(1, TimeUnit.SECONDS);

        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(client.expiredHandles()).isEqualTo(1);
        assertRefused(client.getTransfer(get, -1));
        passAlive(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-3")
    void shouldRefuseTheLateTransferAlsoWhenNotPolledMeanwhile()
    {
        startInline(get, 2, 100);
        nowNs += ScriptedOwner.HANDLE_TTL_NS;

        assertThat(client.getTransfer(get, -1)).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
    }

    @Test
    @Tag("GET-3")
    void shouldHoldAReadPlanForAsLongAsItIsUsed()
    {
        startInline(get, 2, 100);
        client.getTransfer(get, -1);
        passAlive(200, TimeUnit.SECONDS);

        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        assertThat(owner.takeReleases()).isEmpty();
    }

    @Test
    @Tag("GET-3")
    void shouldReleaseAnInlineAnswerThatComesAfterItsCallGaveUp()
    {
        assertThat(client.getStart(get, keys(2), true, null, TimeUnit.SECONDS.toNanos(1))).isZero();
        final long id = owner.takeId(GetStartRequestDecoder.TEMPLATE_ID);
        passAlive(2, TimeUnit.SECONDS);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(get.stage()).isEqualTo(WaitStage.ANSWER);
        assertThat(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID)).isEqualTo(id);

        owner.getStartInline(id, 2, 2, 100);
        owner.getStartInline(id, 2, 2, 100);
        client.poll();
        passAlive(2, TimeUnit.MILLISECONDS);

        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertThat(client.lateAnswers()).isEqualTo(1);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-3")
    void shouldCancelARemoteAnswerThatComesAfterItsCallGaveUp()
    {
        assertThat(client.getStart(get, keys(2), true, null)).isZero();
        final long id = owner.takeId(GetStartRequestDecoder.TEMPLATE_ID);
        assertThat(client.cancelGetTransfer(get)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);
        startInline(get, 1, 50);

        owner.getStartRemote(id, 8, 2, 2);
        client.poll();
        final UnsafeBuffer cancel = owner.take(GetCancelRequestDecoder.TEMPLATE_ID);
        assertThat(handleOf(cancel)).isEqualTo(8);
        passAlive(300, TimeUnit.MILLISECONDS);
        assertThat(owner.take(GetCancelRequestDecoder.TEMPLATE_ID)).isEqualTo(cancel);
        owner.status(ScriptedOwner.correlationId(cancel), 0, "");
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        client.cancelGetTransfer(get);
        assertNothingHeld();
    }

    @Test
    void shouldReadARemotePrefixWhenItHasCome()
    {
        startRemote(get, 3, 8);
        assertThat(get.remoteHits()).isEqualTo(3);
        assertThat(client.getTransfer(get, 2)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.TRANSFERRING);
        assertThat(get.isPending()).isTrue();
        final GetTransferRequestDecoder request = new GetTransferRequestDecoder().wrapAndApplyHeader(
            owner.take(GetTransferRequestDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        assertThat(request.handle()).isEqualTo(8);
        assertThat(request.consumePrefixLen()).isEqualTo(2);

        owner.getTransfer(request.correlationId(), 0, Stage.NONE, 8, 100, slots(2));
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        assertThat(get.count()).isEqualTo(2);
        assertThat(client.planAt(get.planAddress())).isSameAs(get);
        client.releaseViews(get);
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-6")
    @Tag("API-8")
    void shouldConsumeTheHandleWhenTheTransferFails()
    {
        startRemote(get, 3, 8);
        client.getTransfer(get, -1);
        owner.getTransfer(owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID), ErrorCode.GET_TIMEOUT, Stage.TRANSFER,
            8, 0);
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(get.stage()).isEqualTo(WaitStage.TRANSFER);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-3")
    void shouldReleaseATransferThatComesAfterItsCallGaveUp()
    {
        startRemote(get, 2, 8);
        client.getTransfer(get, -1, TimeUnit.SECONDS.toNanos(1));
        final long id = owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID);
        passAlive(2, TimeUnit.SECONDS);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);

        owner.getTransfer(id, 0, Stage.NONE, 8, 100, slots(2));
        client.poll();
        passAlive(2, TimeUnit.MILLISECONDS);

        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    void shouldReleaseATransferThatComesAfterTheCancel()
    {
        startRemote(get, 2, 8);
        client.getTransfer(get, -1);
        final long id = owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID);
        assertThat(client.cancelGetTransfer(get)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);

        owner.getTransfer(id, 0, Stage.NONE, 8, 100, slots(2));
        client.poll();
        pass(2, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    @Tag("GET-1")
    void shouldReleaseEverythingWhenATransferNamesAValueOutsideTheSegment()
    {
        startRemote(get, 2, 8);
        client.getTransfer(get, -1);
        owner.getTransfer(owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID), 0, Stage.NONE, 8, 100,
            ScriptedOwner.slot(0), ScriptedOwner.SEGMENT_LENGTH);
        client.poll();

        assertThat(get.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        pass(1, TimeUnit.MILLISECONDS);
        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    void shouldCancelARemoteHandle()
    {
        startRemote(get, 2, 8);
        assertThat(client.cancelGetTransfer(get)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLING);
        assertRefused(client.getTransfer(get, -1));
        owner.status(owner.takeId(GetCancelRequestDecoder.TEMPLATE_ID), 0, "");
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);
        assertNothingHeld();
    }

    @Test
    void shouldReleaseTheHoldingsOfACancelledInlineHandle()
    {
        startInline(get, 2, 100);
        assertThat(client.cancelGetTransfer(get)).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.CANCELLED);
        pass(1, TimeUnit.MILLISECONDS);

        assertThat(owner.takeReleases()).containsExactly(100L, 101L);
        assertNothingHeld();
    }

    @Test
    void shouldTransferAgainLaterWhenTheOwnerIsBusy()
    {
        startRemote(get, 2, 8);
        client.getTransfer(get, -1);
        final long id = owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID);
        owner.status(id, ErrorCode.BACK_PRESSURED, "busy");
        client.poll();
        passAlive(300, TimeUnit.MILLISECONDS);

        assertThat(get.state()).isEqualTo(GetHandle.State.TRANSFERRING);
        assertThat(owner.takeId(GetTransferRequestDecoder.TEMPLATE_ID)).isEqualTo(id);
    }

    @Test
    @Tag("BOUND-1")
    void shouldBeBackPressuredWhenTooManyReadsHoldSomething()
    {
        ctx.maxReads(2);
        connect();
        startInline(get, 1, 100);
        startInline(new GetHandle(1), 1, 200);
        final GetHandle third = new GetHandle(1);

        assertThat(client.getStart(third, keys(1), true, null)).isEqualTo(ErrorCode.BACK_PRESSURED);
        client.cancelGetTransfer(get);
        assertThat(client.getStart(third, keys(1), true, null)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldBeBackPressuredWhenTooManyAnswersAreOutstandingForCallsThatGaveUp()
    {
        for (int i = 0; i < 64; i++)
        {
            assertThat(client.getStart(get, keys(1), true, null)).isZero();
            client.cancelGetTransfer(get);
        }
        assertThat(client.getStart(get, keys(1), true, null)).isEqualTo(ErrorCode.BACK_PRESSURED);
        owner.getStart(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), ErrorCode.SHUTDOWN, GetKind.INLINE, 0, 0, 0,
            0);
        client.poll();
        assertThat(client.getStart(get, keys(1), true, null)).isZero();
    }

    @Test
    void shouldAskWhichKeysExist()
    {
        final ExistsCall call = new ExistsCall(8);
        assertRefused(client.exists(call, keys.clear()));
        assertThat(client.exists(call, keys(3))).isZero();
        assertThat(call.state()).isEqualTo(ExistsCall.State.ASKED);
        owner.exists(owner.takeId(ExistsRequestDecoder.TEMPLATE_ID), 0, 1, 1, 0, 1);
        client.poll();

        assertThat(call.state()).isEqualTo(ExistsCall.State.DONE);
        assertThat(call.leadingCount()).isEqualTo(1);
        assertThat(call.exists(0)).isTrue();
        assertThat(call.exists(1)).isFalse();
        assertThat(call.exists(2)).isTrue();
        assertThatThrownBy(() -> call.exists(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertNothingHeld();
    }

    @Test
    @Tag("API-8")
    void shouldEndTheQuestionWhichKeysExistByTime()
    {
        final ExistsCall call = new ExistsCall(8);
        assertThat(client.exists(call, keys(3), TimeUnit.SECONDS.toNanos(1))).isZero();
        passAlive(2, TimeUnit.SECONDS);

        assertThat(call.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(call.isReusable()).isTrue();
        assertNothingHeld();
    }

    @Test
    void shouldRefuseAnAnswerWhichKeysExistThatDoesNotFit()
    {
        final ExistsCall call = new ExistsCall(8);
        client.exists(call, keys(3));
        owner.exists(owner.takeId(ExistsRequestDecoder.TEMPLATE_ID), 0, 3, 1, 0, 1);
        client.poll();
        assertThat(call.errorCode()).isEqualTo(ErrorCode.PROTOCOL);

        client.exists(call, keys(1));
        owner.exists(owner.takeId(ExistsRequestDecoder.TEMPLATE_ID), 0, 2, 1, 1);
        client.poll();
        assertThat(call.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        assertNothingHeld();
    }

    @Test
    void shouldFailACallThatTheOwnerDidNotUnderstand()
    {
        client.getStart(get, keys(1), true, null);
        owner.status(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), ErrorCode.PROTOCOL, "what?");
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(get.errorMessage()).isEqualTo("what?");
        assertNothingHeld();
    }

    @Test
    void shouldIgnoreAnAnswerOfAnotherKind()
    {
        client.getStart(get, keys(1), true, null);
        final long id = owner.takeId(GetStartRequestDecoder.TEMPLATE_ID);
        owner.putStart(id, 0, Stage.NONE, 9, ScriptedOwner.slot(0));
        owner.commitLocal(id, 9, 0);
        owner.commitResult(id, 9, 0);
        owner.getTransfer(id, 0, Stage.NONE, 8, 100, slots(1));
        owner.exists(id, 0, 0, 0);
        client.poll();

        assertThat(get.state()).isEqualTo(GetHandle.State.STARTING);
        assertThat(client.ignoredMessages()).isEqualTo(5);
    }

    private void refuseResult(
        final GetKind kind, final long handle, final int raw, final int transferable, final long[] offsets)
    {
        assertThat(client.getStart(get, keys(4), true, groups(2, 2))).isZero();
        owner.getStart(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), 0, kind, handle, raw, transferable, 100,
            offsets);
        client.poll();
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        pass(2, TimeUnit.MILLISECONDS);
        final List<Long> released = owner.takeReleases();
        assertThat(released).hasSize(offsets.length);
        if (GetKind.INLINE != kind && 0 != handle)
        {
            owner.status(owner.takeId(GetCancelRequestDecoder.TEMPLATE_ID), 0, "");
        }
        assertNothingHeld();
    }

    private static long[] slots(final int count)
    {
        final long[] offsets = new long[count];
        for (int i = 0; i < count; i++)
        {
            offsets[i] = ScriptedOwner.slot(i);
        }
        return offsets;
    }

    private static long handleOf(final UnsafeBuffer cancel)
    {
        return new GetCancelRequestDecoder().wrapAndApplyHeader(cancel, 0, new MessageHeaderDecoder()).handle();
    }
}
