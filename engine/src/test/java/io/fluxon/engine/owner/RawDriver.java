package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.GetCancelRequestEncoder;
import io.fluxon.codecs.control.GetStartRequestEncoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.HeartbeatAckEncoder;
import io.fluxon.codecs.control.HeartbeatDecoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.PutCommitRequestEncoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsEncoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A worker and a master that allocate nothing: each round puts a key that the master then refuses, reads a value that
 * is here, and reads one that another owner has but whose confirmation comes too late, so that the owner ends as it
 * began.
 */
final class RawDriver
{
    private static final int BLOCK = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int ROUNDS_EACH_KEEP_ALIVE = 16;
    private static final byte[] PUT_KEY = {'p'};
    private static final byte[] REMOTE_KEY = {'r'};
    private static final byte[] LOCAL_KEY = {'h', 'e', 'r', 'e'};

    private final OwnerFixture owner;
    private final TestWorker worker;
    private final Wire responses;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHandler onWorkerMessage = this::onWorkerMessage;
    private final MessageHandler onMasterMessage = this::onMasterMessage;
    private final KeepAliveEncoder keepAlive = new KeepAliveEncoder();
    private final PutStartRequestEncoder putStart = new PutStartRequestEncoder();
    private final PutCommitRequestEncoder putCommit = new PutCommitRequestEncoder();
    private final GetStartRequestEncoder getStart = new GetStartRequestEncoder();
    private final GetCancelRequestEncoder getCancel = new GetCancelRequestEncoder();
    private final ReleaseHoldingsEncoder release = new ReleaseHoldingsEncoder();
    private final PutStartResponseDecoder putStarted = new PutStartResponseDecoder();
    private final GetStartResponseDecoder getStarted = new GetStartResponseDecoder();
    private final ReserveResponseEncoder reserved = new ReserveResponseEncoder();
    private final PublishResponseEncoder published = new PublishResponseEncoder();
    private final BatchGetStartResponseEncoder batchStarted = new BatchGetStartResponseEncoder();
    private final BatchGetDoneResponseEncoder batchDone = new BatchGetDoneResponseEncoder();
    private final OperationAckEncoder ack = new OperationAckEncoder();
    private final HeartbeatAckEncoder heartbeatAck = new HeartbeatAckEncoder();
    private boolean isRoundOver;
    int puts;
    int inlineGets;
    int remoteGets;

    RawDriver(final OwnerFixture owner, final TestWorker worker)
    {
        this.owner = owner;
        this.worker = worker;
        responses = owner.sessions.get(1001);
        owner.transfers.isAutomatic = true;
    }

    void run(final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            owner.nowNs += 1000;
            isRoundOver = false;
            if (0 == i % ROUNDS_EACH_KEEP_ALIVE)
            {
                sendKeepAlive();
            }
            sendPutStart();
            for (int cycle = 0; !isRoundOver && cycle < 1000; cycle++)
            {
                owner.agent.doWork();
                responses.poll(onWorkerMessage, 10);
                owner.ownerToMaster.poll(onMasterMessage, 10);
            }
        }
    }

    private void onWorkerMessage(
        final long connectionId, final DirectBuffer message, final int offset, final int length)
    {
        switch (message.getShort(2, LITTLE_ENDIAN))
        {
            case PutStartResponseDecoder.TEMPLATE_ID -> sendCommit(putStarted.wrap(
                message, BLOCK, PutStartResponseDecoder.BLOCK_LENGTH, 1).planId());
            case PutCommitResultDecoder.TEMPLATE_ID ->
            {
                puts++;
                sendGetStart(LOCAL_KEY);
            }
            case GetStartResponseDecoder.TEMPLATE_ID -> onGetStarted(getStarted.wrap(
                message, BLOCK, GetStartResponseDecoder.BLOCK_LENGTH, 1));
            case StatusResponseDecoder.TEMPLATE_ID ->
            {
                if (0 != message.getLong(BLOCK + 2 * Long.BYTES, LITTLE_ENDIAN))
                {
                    remoteGets++;
                    isRoundOver = true;
                }
            }
            default ->
            {
            }
        }
    }

    private void onGetStarted(final GetStartResponseDecoder response)
    {
        final long handle = response.handle();
        if (0 != handle)
        {
            for (int i = 0; i < 8; i++)
            {
                owner.agent.doWork();
                owner.ownerToMaster.poll(onMasterMessage, 10);
            }
            sendCancel(handle);
        }
        else
        {
            inlineGets++;
            sendRelease(response.holdings().next().holdingId());
            sendGetStart(REMOTE_KEY);
        }
    }

    private void onMasterMessage(
        final long connectionId, final DirectBuffer message, final int offset, final int length)
    {
        final long operationId = message.getLong(24, LITTLE_ENDIAN);
        final long sessionId = owner.master.sessionId;
        switch (message.getShort(2, LITTLE_ENDIAN))
        {
            case ReserveRequestDecoder.TEMPLATE_ID ->
            {
                reserved.wrapAndApplyHeader(buffer, 0, header)
                    .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(operationId)
                    .resultsCount(1).next().code(0);
                toOwner(reserved.encodedLength());
            }
            case PublishRequestDecoder.TEMPLATE_ID ->
            {
                published.wrapAndApplyHeader(buffer, 0, header)
                    .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(operationId)
                    .resultsCount(1).next().code(-ErrorCode.KEY_ALREADY_EXISTS);
                toOwner(published.encodedLength());
            }
            case BatchGetStartRequestDecoder.TEMPLATE_ID ->
            {
                batchStarted.wrapAndApplyHeader(buffer, 0, header)
                    .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(operationId)
                    .itemsCount(1).next()
                    .code(0).sourceOwnerId(9).sourceGeneration(2).sourceOffset(4096)
                    .valueLength(TestWorker.VALUE_LENGTH).checksum(OwnerFixture.RIGHT_CHECKSUM);
                toOwner(batchStarted.encodedLength());
            }
            case BatchGetDoneRequestDecoder.TEMPLATE_ID ->
            {
                batchDone.wrapAndApplyHeader(buffer, 0, header)
                    .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(operationId)
                    .itemsCount(1).next().code(ErrorCode.STALE_GET_PLAN);
                toOwner(batchDone.encodedLength());
            }
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID -> toOwner(ack.wrapAndApplyHeader(buffer, 0, header)
                .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(operationId).status(0)
                .encodedLength());
            case HeartbeatDecoder.TEMPLATE_ID -> toOwner(heartbeatAck.wrapAndApplyHeader(buffer, 0, header)
                .generation(TestMaster.EPOCH).sessionId(sessionId).correlationId(0).peerVersion(0)
                .encodedLength());
            default -> throw new AssertionError("request " + message.getShort(2, LITTLE_ENDIAN));
        }
    }

    private void sendKeepAlive()
    {
        keepAlive.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(worker.lastRequestId + 1)
            .answeredBelow(worker.lastRequestId + 1).resultsBelow(worker.lastRequestId + 1);
        keepAlive.unansweredCount(0);
        keepAlive.unfinishedCount(0);
        fromWorker(keepAlive.encodedLength());
    }

    private void sendPutStart()
    {
        putStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(++worker.lastRequestId)
            .valueLength(TestWorker.VALUE_LENGTH).pathDepth(-1).pathTurn(-1).timeoutNs(0);
        buffer.putShort(BLOCK + PutStartRequestEncoder.optionsEncodingOffset(), (short)0);
        putStart.atomicGroupsCount(0);
        putStart.keysCount(1).next().replicaWish((short)0).putKey(PUT_KEY, 0, PUT_KEY.length);
        putStart.putParentKey(PUT_KEY, 0, 0);
        fromWorker(putStart.encodedLength());
    }

    private void sendCommit(final long planId)
    {
        fromWorker(putCommit.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(++worker.lastRequestId)
            .planId(planId).encodedLength());
    }

    private void sendGetStart(final byte[] key)
    {
        getStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(++worker.lastRequestId)
            .timeoutNs(0).prefixBestEffort((short)0);
        getStart.atomicGroupsCount(0);
        getStart.keysCount(1).next().putKey(key, 0, key.length);
        fromWorker(getStart.encodedLength());
    }

    private void sendCancel(final long handle)
    {
        fromWorker(getCancel.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(++worker.lastRequestId)
            .handle(handle).encodedLength());
    }

    private void sendRelease(final long holdingId)
    {
        release.wrapAndApplyHeader(buffer, 0, header)
            .generation(OwnerFixture.GENERATION).sessionId(worker.sessionId).correlationId(0)
            .holdingsCount(1).next().holdingId(holdingId);
        fromWorker(release.encodedLength());
    }

    private void fromWorker(final int encodedLength)
    {
        owner.toOwner.put(buffer, 0, BLOCK + encodedLength);
    }

    private void toOwner(final int encodedLength)
    {
        owner.masterToOwner.put(buffer, 0, BLOCK + encodedLength);
    }
}
