package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ClientRole;
import io.fluxon.codecs.control.ConnectRequestEncoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.ExistsRequestEncoder;
import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.codecs.control.GetCancelRequestEncoder;
import io.fluxon.codecs.control.GetStartRequestEncoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestEncoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestEncoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestEncoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsEncoder;
import io.fluxon.codecs.control.SessionCloseEncoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker that speaks raw messages.
 */
final class TestWorker
{
    static final long VALUE_LENGTH = 4000;
    private static final long IDS_OF_A_WORKER = 1_000_000;

    private final OwnerFixture owner;
    private final int processId;
    private int streamId;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    long sessionId;
    long lastRequestId;
    long connectId;
    long resumeGeneration = OwnerFixture.GENERATION;
    int options;
    int[] groups = {};
    long cohortId;
    int cohortRank;
    int cohortSize;
    long valueLength = VALUE_LENGTH;
    long timeoutNs;
    boolean isReplicaWished;

    TestWorker(final OwnerFixture owner, final int streamId)
    {
        this.owner = owner;
        this.streamId = streamId;
        processId = streamId;
        lastRequestId = IDS_OF_A_WORKER * owner.workers++;
    }

    static TestWorker connected(final OwnerFixture owner, final int streamId)
    {
        final TestWorker worker = new TestWorker(owner, streamId);
        worker.connect(0);
        owner.run();
        final ConnectResponseDecoder response =
            worker.next(new ConnectResponseDecoder(), ConnectResponseDecoder.TEMPLATE_ID);
        assertThat(response.status()).isZero();
        worker.sessionId = response.sessionId();

        return worker;
    }

    int streamId()
    {
        return streamId;
    }

    void connect(final long generation)
    {
        connectId = ++lastRequestId;
        connectAs(connectId, generation);
    }

    void connectAs(final long requestId, final long generation)
    {
        final ConnectRequestEncoder request = new ConnectRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(0)
            .correlationId(requestId)
            .protocolVersion(1)
            .responseStreamId(streamId)
            .processId(processId)
            .processStartTime(1)
            .role(ClientRole.WORKER);
        request.plansCount(0);
        request.holdingsCount(0);
        request.requestsCount(0);
        request.clientName("test");
        send(request.encodedLength());
    }

    /** Asks to resume a session by another stream, naming what is in use. */
    void resume(
        final int newStreamId,
        final int ofProcessId,
        final long requestId,
        final long[] plans,
        final long[] holdings,
        final long[] requests)
    {
        streamId = newStreamId;
        final ConnectRequestEncoder request = new ConnectRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(resumeGeneration)
            .sessionId(sessionId)
            .correlationId(requestId)
            .protocolVersion(1)
            .responseStreamId(newStreamId)
            .processId(ofProcessId)
            .processStartTime(1)
            .role(ClientRole.WORKER);
        final ConnectRequestEncoder.PlansEncoder plansEncoder = request.plansCount(plans.length);
        for (final long plan : plans)
        {
            plansEncoder.next().planId(plan);
        }
        final ConnectRequestEncoder.HoldingsEncoder holdingsEncoder = request.holdingsCount(holdings.length);
        for (final long holding : holdings)
        {
            holdingsEncoder.next().firstHoldingId(holding).holdingCount(1);
        }
        final ConnectRequestEncoder.RequestsEncoder requestsEncoder = request.requestsCount(requests.length);
        for (final long open : requests)
        {
            requestsEncoder.next().requestId(open);
        }
        request.clientName("test");
        send(request.encodedLength());
    }

    long putStart(final String... keys)
    {
        final PutStartRequestEncoder request = new PutStartRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(++lastRequestId)
            .valueLength(valueLength)
            .cohortId(cohortId)
            .cohortRank(cohortRank)
            .cohortSize(cohortSize)
            .pathDepth(-1)
            .pathTurn(-1)
            .timeoutNs(timeoutNs);
        buffer.putShort(
            MessageHeaderEncoder.ENCODED_LENGTH + PutStartRequestEncoder.optionsEncodingOffset(), (short)options);
        final PutStartRequestEncoder.AtomicGroupsEncoder groupEncoder = request.atomicGroupsCount(groups.length);
        for (final int group : groups)
        {
            groupEncoder.next().keyCount(group);
        }
        final PutStartRequestEncoder.KeysEncoder keyEncoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            keyEncoder.next().replicaWish((short)(isReplicaWished ? 1 : 0)).putKey(bytes, 0, bytes.length);
        }
        request.putParentKey(new byte[0], 0, 0);
        send(request.encodedLength());

        return lastRequestId;
    }

    long startedPut(final String... keys)
    {
        putStart(keys);
        owner.run();
        final PutStartResponseDecoder response = putStartResponse();
        assertThat(response.status()).isZero();

        return response.planId();
    }

    PutStartResponseDecoder putStartResponse()
    {
        return next(new PutStartResponseDecoder(), PutStartResponseDecoder.TEMPLATE_ID);
    }

    long commit(final long planId)
    {
        return commitAs(++lastRequestId, planId);
    }

    long commitAs(final long requestId, final long planId)
    {
        send(new PutCommitRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(requestId)
            .planId(planId)
            .encodedLength());

        return requestId;
    }

    int commitLocal()
    {
        return next(new PutCommitLocalDecoder(), PutCommitLocalDecoder.TEMPLATE_ID).status();
    }

    List<Integer> commitResult()
    {
        final List<Integer> codes = new ArrayList<>();
        for (final PutCommitResultDecoder.ResultsDecoder result :
            next(new PutCommitResultDecoder(), PutCommitResultDecoder.TEMPLATE_ID).results())
        {
            codes.add(result.code());
        }

        return codes;
    }

    void abort(final long planId)
    {
        send(new PutAbortRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(++lastRequestId)
            .planId(planId)
            .encodedLength());
    }

    int status()
    {
        return next(new StatusResponseDecoder(), StatusResponseDecoder.TEMPLATE_ID).status();
    }

    long getStart(final boolean bestEffort, final String... keys)
    {
        return getStartAs(++lastRequestId, bestEffort, keys);
    }

    long getStartAs(final long requestId, final boolean bestEffort, final String... keys)
    {
        final GetStartRequestEncoder request = new GetStartRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(requestId)
            .timeoutNs(timeoutNs)
            .prefixBestEffort((short)(bestEffort ? 1 : 0));
        final GetStartRequestEncoder.AtomicGroupsEncoder groupEncoder = request.atomicGroupsCount(groups.length);
        for (final int group : groups)
        {
            groupEncoder.next().keyCount(group);
        }
        final GetStartRequestEncoder.KeysEncoder keyEncoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            keyEncoder.next().putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());

        return requestId;
    }

    GetStartResponseDecoder getStartResponse()
    {
        return next(new GetStartResponseDecoder(), GetStartResponseDecoder.TEMPLATE_ID);
    }

    void getTransfer(final long handle, final int prefixLen)
    {
        send(new GetTransferRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(++lastRequestId)
            .handle(handle)
            .consumePrefixLen(prefixLen)
            .timeoutNs(timeoutNs)
            .encodedLength());
    }

    GetTransferResponseDecoder getTransferResponse()
    {
        return next(new GetTransferResponseDecoder(), GetTransferResponseDecoder.TEMPLATE_ID);
    }

    void cancel(final long handle)
    {
        send(new GetCancelRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(++lastRequestId)
            .handle(handle)
            .encodedLength());
    }

    void release(final Long... holdings)
    {
        final ReleaseHoldingsEncoder request = new ReleaseHoldingsEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(0);
        final ReleaseHoldingsEncoder.HoldingsEncoder encoder = request.holdingsCount(holdings.length);
        for (final long holding : holdings)
        {
            encoder.next().holdingId(holding);
        }
        send(request.encodedLength());
    }

    void exists(final String... keys)
    {
        final ExistsRequestEncoder request = new ExistsRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(++lastRequestId)
            .timeoutNs(timeoutNs);
        final ExistsRequestEncoder.KeysEncoder keyEncoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            keyEncoder.next().putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    ExistsResponseDecoder existsResponse()
    {
        return next(new ExistsResponseDecoder(), ExistsResponseDecoder.TEMPLATE_ID);
    }

    void keepAlive()
    {
        keepAlive(0, 0);
    }

    /** Says that every lower request has its answer, and every lower commit its results. */
    void keepAlive(final long answeredBelow, final long resultsBelow)
    {
        keepAliveAs(Math.max(answeredBelow, resultsBelow), answeredBelow, resultsBelow);
    }

    /** Lists requests that have no answer though they are below the mark. */
    void keepAliveAs(
        final long requestId, final long answeredBelow, final long resultsBelow, final long... unanswered)
    {
        final KeepAliveEncoder keepAlive = new KeepAliveEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(requestId)
            .answeredBelow(answeredBelow)
            .resultsBelow(resultsBelow);
        final KeepAliveEncoder.UnansweredEncoder list = keepAlive.unansweredCount(unanswered.length);
        for (final long id : unanswered)
        {
            list.next().requestId(id);
        }
        keepAlive.unfinishedCount(0);
        send(keepAlive.encodedLength());
    }

    void close()
    {
        closeAs(streamId, processId, 1);
    }

    /** Wants the session no more that it has asked for and not got. */
    void giveUpConnect()
    {
        send(new SessionCloseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(0)
            .sessionId(0)
            .correlationId(connectId)
            .processId(processId)
            .processStartTime(1)
            .status(0)
            .encodedLength());
    }

    /** Ends the session over some connection, in the name of some process. */
    void closeAs(final int newStreamId, final int ofProcessId, final long ofStartTime)
    {
        streamId = newStreamId;
        send(new SessionCloseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION)
            .sessionId(sessionId)
            .correlationId(0)
            .processId(ofProcessId)
            .processStartTime(ofStartTime)
            .status(0)
            .encodedLength());
    }

    void die()
    {
        owner.watch.die(sessionId);
    }

    /** Keys are committed and confirmed by the master. */
    void put(final String... keys)
    {
        final long planId = startedPut(keys);
        commit(planId);
        owner.run();
        owner.master.answerAll();
        owner.run();
        assertThat(commitLocal()).isZero();
        assertThat(commitResult()).containsOnly(0);
        owner.master.answerAll();
    }

    boolean hasMessage()
    {
        skipKeepAlives();

        return !wire().messages.isEmpty();
    }

    int nextTemplateId()
    {
        skipKeepAlives();
        headerDecoder.wrap(wire().messages.peekFirst(), 0);

        return headerDecoder.templateId();
    }

    void drop()
    {
        wire().messages.clear();
    }

    <T extends org.agrona.sbe.MessageDecoderFlyweight> T next(final T decoder, final int templateId)
    {
        skipKeepAlives();
        final DirectBuffer message = wire().messages.pollFirst();
        assertThat(message).as("message %d", templateId).isNotNull();
        headerDecoder.wrap(message, 0);
        assertThat(headerDecoder.templateId()).isEqualTo(templateId);
        decoder.wrap(
            message, MessageHeaderDecoder.ENCODED_LENGTH, headerDecoder.blockLength(), headerDecoder.version());

        return decoder;
    }

    private void skipKeepAlives()
    {
        while (!wire().messages.isEmpty() &&
            KeepAliveDecoder.TEMPLATE_ID == headerDecoder.wrap(wire().messages.peekFirst(), 0).templateId())
        {
            wire().messages.pollFirst();
        }
    }

    private Wire wire()
    {
        return owner.sessions.get(streamId);
    }

    private void send(final int encodedLength)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
        owner.toOwner.put(copy, 0, copy.capacity());
    }
}
