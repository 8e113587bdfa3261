package io.fluxon.engine.transfer.ucx;

import io.fluxon.codecs.transfer.MessageHeaderEncoder;
import io.fluxon.codecs.transfer.ReadAnswerEncoder;
import io.fluxon.codecs.transfer.ReadRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.ErrorHandler;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;

import java.nio.ByteBuffer;

/**
 * One that reads here: the endpoint of its connection, what it has asked for, and the few values that are on their way
 * to it. Everything that UCX was given is kept until UCX has let go of it.
 */
final class UcxGuest
{
    /** Values on their way to one guest at once. */
    static final int WINDOW = 8;

    /** Items that one guest has asked for at once; one that asks for more does not keep to the protocol. */
    private static final int MAX_ITEMS = 1 << 16;
    private static final int LONGS_PER_ITEM = 4;
    private static final int ANSWER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ReadAnswerEncoder.BLOCK_LENGTH;

    private final UcxLocal local;
    private final ErrorHandler errorHandler;
    private final UcpEndpointParams params;
    private final UcpEndpoint endpoint;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReadAnswerEncoder answer = new ReadAnswerEncoder();
    private final LongArrayQueue asked = new LongArrayQueue(Long.MIN_VALUE);
    private final UcpRequest[] sends = new UcpRequest[WINDOW];
    private final UnsafeBuffer answers = new UnsafeBuffer(ByteBuffer.allocateDirect(WINDOW * ANSWER_LENGTH));
    private int inFlight;
    private boolean isGone;
    private boolean isClosing;
    private UcpRequest closing;

    UcxGuest(
        final UcpWorker worker,
        final UcpConnectionRequest request,
        final UcxLocal local,
        final ErrorHandler errorHandler)
    {
        this.local = local;
        this.errorHandler = errorHandler;
        params = new UcpEndpointParams()
            .setConnectionRequest(request)
            .setPeerErrorHandlingMode()
            .setErrorHandler((failed, status, text) -> leave());
        endpoint = worker.newEndpoint(params);
    }

    /** UCX's name for its endpoint, by which its requests are known. */
    long endpointId()
    {
        return endpoint.getNativeId();
    }

    /** Its endpoint is to be closed. */
    void leave()
    {
        isGone = true;
    }

    /** It has gone, and UCX has let go of it. */
    boolean isOver()
    {
        return isClosing && 0 == inFlight && (null == closing || closing.isCompleted());
    }

    /** It asks for values. Called from within UCX. */
    void onRequest(final ReadRequestDecoder request, final boolean isForThisGeneration)
    {
        final long submissionId = request.submissionId();
        final ReadRequestDecoder.ItemsDecoder items = request.items();
        if (asked.size() / LONGS_PER_ITEM + items.count() > MAX_ITEMS)
        {
            leave();
            return;
        }
        for (int i = 0; items.hasNext(); i++)
        {
            items.next();
            final boolean isValue = isForThisGeneration && local.contains(items.valueOffset(), items.length());
            asked.addLong(submissionId);
            asked.addLong(i);
            asked.addLong(isValue ? items.valueOffset() : isForThisGeneration ? -1 : 0);
            asked.addLong(isValue ? items.length() : 0);
        }
    }

    int doWork()
    {
        if (isGone && !isClosing)
        {
            isClosing = true;
            asked.clear();
            closing = Endpoints.close(endpoint, errorHandler);
        }
        if (0 == inFlight && asked.isEmpty())
        {
            return 0;
        }
        return send();
    }

    private int send()
    {
        int workCount = 0;
        for (int i = 0; i < WINDOW; i++)
        {
            if (null != sends[i] && sends[i].isCompleted())
            {
                sends[i] = null;
                inFlight--;
                workCount++;
            }
            if (null == sends[i] && !asked.isEmpty() && !isGone)
            {
                send(i);
                workCount++;
            }
        }
        return workCount;
    }

    private void send(final int place)
    {
        final int offset = place * ANSWER_LENGTH;
        final long submissionId = asked.pollLong();
        final int item = (int) asked.pollLong();
        final long valueOffset = asked.pollLong();
        final long length = asked.pollLong();
        final int status = length > 0 ? 0 : valueOffset < 0 ? ErrorCode.INVALID_ARGUMENT : ErrorCode.TRANSPORT;
        answer.wrapAndApplyHeader(answers, offset, header).submissionId(submissionId).item(item).status(status);
        try
        {
            sends[place] = endpoint.sendAmNonBlocking(
                UcxTransport.READ_ANSWER, answers.addressOffset() + offset, ANSWER_LENGTH,
                length > 0 ? local.addressOf(valueOffset) : 0, length, 0, null);
            inFlight++;
        }
        catch (final UcxException ex)
        {
            leave();
        }
    }
}
