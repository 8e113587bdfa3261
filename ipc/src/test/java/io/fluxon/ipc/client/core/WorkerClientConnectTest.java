package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerClientConnectTest extends WorkerClientTestBase
{
    @Test
    void shouldBeReadyWhenTheOwnerAnswersAndTheSegmentIsMapped()
    {
        connect();

        assertThat(client.generation()).isEqualTo(ScriptedOwner.GENERATION);
        assertThat(client.sessionId()).isEqualTo(ScriptedOwner.SESSION_ID);
        assertThat(client.ownerId()).isEqualTo(3);
        assertThat(client.nodeId()).isEqualTo("node0");
        assertThat(client.segmentAddress()).isEqualTo(segment.address());
        assertThat(client.segmentLength()).isEqualTo(segment.byteSize());
        assertThat(client.maxKeysPerBatch()).isEqualTo(64);
    }

    @Test
    void shouldNameItselfWhenConnecting()
    {
        ctx.clientName("rank3").processStartTime(99).expectedGeneration(77);
        client = new WorkerClient(ctx);
        client.poll();

        final ConnectRequestDecoder request = new ConnectRequestDecoder().wrapAndApplyHeader(
            owner.take(ConnectRequestDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());

        assertThat(request.generation()).isEqualTo(77);
        assertThat(request.sessionId()).isZero();
        assertThat(request.protocolVersion()).isEqualTo(WorkerClientContext.PROTOCOL_VERSION);
        assertThat(request.responseStreamId()).isEqualTo(1234);
        assertThat(request.processId()).isEqualTo(42);
        assertThat(request.processStartTime()).isEqualTo(99);
        assertThat(request.plans().count()).isZero();
        assertThat(request.holdings().count()).isZero();
        assertThat(request.requests().count()).isZero();
        assertThat(request.clientName()).isEqualTo("rank3");
    }

    @Test
    @Tag("API-8")
    void shouldCloseWithStageConnectWhenTheOwnerDoesNotAnswer()
    {
        client = new WorkerClient(ctx);
        client.poll();
        final long id = owner.takeId(ConnectRequestDecoder.TEMPLATE_ID);

        pass(9, TimeUnit.SECONDS);
        assertThat(client.state()).isEqualTo(WorkerClient.State.CONNECTING);
        assertThat(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID)).isEqualTo(id);

        pass(1, TimeUnit.SECONDS);
        assertClosed(ErrorCode.TRANSPORT);
        assertThat(client.stage()).isEqualTo(WaitStage.CONNECT);
        assertThat(client.errorMessage()).contains("10000 ms");
        assertThat(client.poll()).isZero();
        client.close();
        assertThat(client.isReleased()).isTrue();
        assertThat(owner.isClosed).isTrue();
    }

    @Test
    void shouldConnectWhenTheOwnerIsThereLater()
    {
        owner.offerResult = ControlChannel.NOT_CONNECTED;
        client = new WorkerClient(ctx);
        client.poll();
        pass(3, TimeUnit.SECONDS);
        owner.offerResult = 1;
        pass(1, TimeUnit.MILLISECONDS);

        owner.connectResponse(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID), 0, "");
        client.poll();

        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);
    }

    @Test
    void shouldCloseWithTheOwnersReasonWhenRefused()
    {
        answerConnect(ErrorCode.UNAUTHORIZED, "no more sessions");

        assertClosed(ErrorCode.UNAUTHORIZED);
        assertThat(client.errorMessage()).contains("no more sessions");
    }

    @Test
    void shouldCloseWhenRefusedByStatusAlone()
    {
        client = new WorkerClient(ctx);
        client.poll();
        owner.status(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID), ErrorCode.OWNER_GENERATION_MISMATCH, "older");
        client.poll();

        assertClosed(ErrorCode.OWNER_GENERATION_MISMATCH);
    }

    @Test
    void shouldCloseWhenTheOwnerSpeaksAnotherVersion()
    {
        owner.protocolVersion = 2;
        answerConnect(0, "");

        assertClosed(ErrorCode.PROTOCOL);
        assertThat(owner.count(SessionCloseDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    @Test
    void shouldCloseWhenTheOwnerHasAnotherGeneration()
    {
        ctx.expectedGeneration(76);
        answerConnect(0, "");

        assertClosed(ErrorCode.OWNER_GENERATION_MISMATCH);
        assertThat(client.errorMessage()).contains("77").contains("76");
    }

    @Test
    void shouldCloseWhenTheSegmentCannotBeMapped()
    {
        ctx.segmentMapper((path, generation, mapOffset, length) -> SegmentMapper.NOT_MAPPED);
        answerConnect(0, "");

        assertClosed(ErrorCode.TRANSPORT);
        assertThat(client.errorMessage()).contains("/segment");
        assertThat(owner.count(SessionCloseDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    @Test
    void shouldCloseWhenTheLayoutCannotBe()
    {
        owner.arenaLength = ScriptedOwner.SEGMENT_LENGTH;
        answerConnect(0, "");

        assertClosed(ErrorCode.PROTOCOL);
    }

    @Test
    void shouldIgnoreAnAnswerToAnotherRequest()
    {
        client = new WorkerClient(ctx);
        client.poll();
        owner.connectResponse(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID) + 1, 0, "");
        client.poll();

        assertThat(client.state()).isEqualTo(WorkerClient.State.CONNECTING);
        assertThat(client.ignoredMessages()).isEqualTo(1);
    }

    @Test
    void shouldRefuseCallsWhenNotReady()
    {
        client = new WorkerClient(ctx);

        assertThat(client.putStart(put, keys(1), 1, null)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(client.getStart(get, keys(1), true, null)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(put.state()).isEqualTo(PutPlan.State.IDLE);
        assertThat(client.refusal()).isNotEmpty();
    }

    @Test
    void shouldKeepTheSessionAlive()
    {
        connect();
        passAlive(5, TimeUnit.SECONDS);

        assertThat(owner.count(KeepAliveDecoder.TEMPLATE_ID)).isEqualTo(5);
    }

    @Test
    @Tag("LIFE-2")
    void shouldCloseWhenTheOwnerIsSilentForAWholeTimeout()
    {
        connect();
        startPut(put, 2, 9);
        startInline(get, 2, 100);
        final GetHandle asked = new GetHandle(4);
        assertThat(client.getStart(asked, keys(2), true, null)).isZero();
        final PutPlan committed = new PutPlan(1);
        startPut(committed, 1, 10);
        commitPut(committed);

        for (int i = 0; i < 9_900; i++)
        {
            pass(1, TimeUnit.MILLISECONDS);
        }
        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);
        for (int i = 0; i < 200; i++)
        {
            pass(1, TimeUnit.MILLISECONDS);
        }

        assertClosed(ErrorCode.TRANSPORT);
        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(put.planAddress()).isZero();
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(asked.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(asked.isPending()).isFalse();
        assertThat(committed.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(client.liveOperations()).isZero();
        assertThat(client.outstanding()).isZero();
        assertThat(client.getTransfer(get, -1)).isEqualTo(ErrorCode.TRANSPORT);
    }

    @Test
    @Tag("LIFE-2")
    void shouldNotForgetTheOwnerWhenItWasTheClientThatStood()
    {
        connect();

        nowNs += TimeUnit.MINUTES.toNanos(5);
        client.poll();
        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);

        owner.keepAlive();
        passAlive(20, TimeUnit.SECONDS);
        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);
    }

    @Test
    void shouldEndEveryOperationWhenTheOwnerEndsTheSession()
    {
        connect();
        startInline(get, 1, 100);
        owner.sessionClose(ErrorCode.SHUTDOWN);
        client.poll();

        assertClosed(ErrorCode.TRANSPORT);
        assertThat(client.errorMessage()).contains("SHUTDOWN");
        assertThat(get.errorCode()).isEqualTo(ErrorCode.TRANSPORT);
    }

    @Test
    void shouldEndEveryOperationWithMismatchWhenTheOwnerHasANewGeneration()
    {
        connect();
        startInline(get, 1, 100);
        owner.generation++;
        owner.keepAlive();
        client.poll();

        assertClosed(ErrorCode.OWNER_GENERATION_MISMATCH);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.OWNER_GENERATION_MISMATCH);
    }

    @Test
    void shouldEndWithMismatchWhenTheOwnerSaysSo()
    {
        connect();
        assertThat(client.getStart(get, keys(1), true, null)).isZero();
        owner.status(0, ErrorCode.OWNER_GENERATION_MISMATCH, "");
        client.poll();

        assertClosed(ErrorCode.OWNER_GENERATION_MISMATCH);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.OWNER_GENERATION_MISMATCH);
    }

    @Test
    void shouldIgnoreMessagesOfAnotherSessionAndOfAnOlderGeneration()
    {
        connect();
        owner.sessionId++;
        owner.sessionClose(0);
        owner.sessionId--;
        owner.generation--;
        owner.keepAlive();
        client.poll();

        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);
        assertThat(client.ignoredMessages()).isEqualTo(2);
    }

    @Test
    void shouldTellTheOwnerAndEndEveryOperationWhenClosed()
    {
        connect();
        startInline(get, 1, 100);
        client.close();
        client.close();

        assertClosed(ErrorCode.SHUTDOWN);
        assertThat(owner.count(SessionCloseDecoder.TEMPLATE_ID)).isEqualTo(1);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.SHUTDOWN);
        assertThat(client.releaseViews(get)).isEqualTo(ErrorCode.SHUTDOWN);
    }

    @Test
    @Tag("SLOT-7")
    void shouldTellTheOwnerWhenClosedAfterTheOwnerHadEndedTheSession()
    {
        connect();
        owner.sessionClose(ErrorCode.STALE_GET_PLAN);
        client.poll();
        assertClosed(ErrorCode.TRANSPORT);
        assertThat(client.isReleased()).isFalse();
        assertThat(owner.isClosed).isFalse();

        client.close();

        assertThat(client.isReleased()).isTrue();
        assertThat(owner.isClosed).isTrue();
        final SessionCloseDecoder close = new SessionCloseDecoder().wrapAndApplyHeader(
            owner.take(SessionCloseDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        assertThat(close.sessionId()).isEqualTo(ScriptedOwner.SESSION_ID);
        assertThat(close.generation()).isEqualTo(ScriptedOwner.GENERATION);
        assertClosed(ErrorCode.TRANSPORT);
    }

    @Test
    @Tag("LIFE-1")
    void shouldTellTheOwnerWhichRequestToConnectItHasGivenUp()
    {
        client = new WorkerClient(ctx);
        client.poll();
        final long connectId = owner.takeId(ConnectRequestDecoder.TEMPLATE_ID);
        client.close();

        final SessionCloseDecoder close = new SessionCloseDecoder().wrapAndApplyHeader(
            owner.take(SessionCloseDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        assertThat(close.sessionId()).isZero();
        assertThat(close.correlationId()).isEqualTo(connectId);
        assertThat(close.processId()).isEqualTo(ctx.processId());
        assertThat(client.isReleased()).isTrue();
    }

    @Test
    @Tag("LIFE-1")
    void shouldOweTheOwnerTheCloseWhileTheChannelIsNotConnected()
    {
        connect();
        owner.offerResult = ControlChannel.NOT_CONNECTED;
        client.close();
        assertClosed(ErrorCode.SHUTDOWN);
        assertThat(client.isReleased()).isFalse();

        owner.offerResult = 1;
        client.close();
        assertThat(client.isReleased()).isTrue();
        assertThat(owner.count(SessionCloseDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldOweTheOwnerTheCloseWhileTheChannelIsFull()
    {
        connect();
        owner.offerResult = ControlChannel.BACK_PRESSURED;
        client.close();
        assertClosed(ErrorCode.SHUTDOWN);
        assertThat(client.isReleased()).isFalse();

        owner.offerResult = 1;
        client.close();
        client.close();
        assertThat(client.isReleased()).isTrue();
        assertThat(owner.count(SessionCloseDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    @Test
    @Tag("API-8")
    void shouldEndAWaitThatItsHostGivesUp()
    {
        connect();
        assertThat(client.putStart(put, keys(1), 100, null)).isZero();
        final long id = owner.takeId(PutStartRequestDecoder.TEMPLATE_ID);
        client.giveUp(put);
        client.giveUp(put);

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(put.stage()).isEqualTo(WaitStage.ANSWER);
        assertThat(client.getStart(get, keys(1), true, null)).isZero();
        client.giveUp(get);
        assertThat(get.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);

        owner.putStart(id, 0, Stage.NONE, 9, new long[]{ScriptedOwner.slot(0)});
        client.poll();
        owner.take(PutAbortRequestDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldCloseWhenTheChannelIsClosed()
    {
        connect();
        owner.offerResult = ControlChannel.CLOSED;
        passAlive(2, TimeUnit.SECONDS);

        assertClosed(ErrorCode.TRANSPORT);
    }

    private void answerConnect(final int status, final String message)
    {
        client = new WorkerClient(ctx);
        client.poll();
        owner.connectResponse(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID), status, message);
        client.poll();
    }

    private void assertClosed(final int code)
    {
        assertThat(client.state()).isEqualTo(WorkerClient.State.CLOSED);
        assertThat(client.errorCode()).isEqualTo(code);
    }
}
