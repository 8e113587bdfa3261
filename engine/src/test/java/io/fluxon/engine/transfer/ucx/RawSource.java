package io.fluxon.engine.transfer.ucx;

import io.fluxon.codecs.transfer.MessageHeaderDecoder;
import io.fluxon.codecs.transfer.MessageHeaderEncoder;
import io.fluxon.codecs.transfer.ReadAnswerEncoder;
import io.fluxon.codecs.transfer.ReadRequestDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpAmRecvCallback;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One that is read from like a source, by one reader, and answers all but the first request: each with one short value.
 */
final class RawSource implements AutoCloseable
{
    private static final int ANSWER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ReadAnswerEncoder.BLOCK_LENGTH;

    private final int valueLength;
    private final UcpContext context = new UcpContext(new UcpParams().requestAmFeature());
    private final UcpWorker worker = context.newWorker(new UcpWorkerParams());
    private final Queue<UcpConnectionRequest> connections = new ConcurrentLinkedQueue<>();
    private final Queue<Long> asked = new ArrayDeque<>();
    private final List<UcpRequest> sends = new ArrayList<>();
    private final UcpAmRecvCallback requestHandler = this::onRequest;
    private final UcpListenerParams listenerParams = new UcpListenerParams()
        .setSockAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .setConnectionHandler(connections::add);
    private final UcpListener listener = worker.newListener(listenerParams);
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer answers;
    private UcpEndpointParams params;
    private UcpEndpoint endpoint;
    private int requests;

    RawSource(final int valueLength)
    {
        this.valueLength = valueLength;
        answers = new UnsafeBuffer(ByteBuffer.allocateDirect(ANSWER_LENGTH + valueLength));
        worker.setAmRecvHandler(UcxTransport.READ_REQUEST, requestHandler, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    }

    String address()
    {
        return UcxAddress.text(InetAddress.getLoopbackAddress(), listener.getAddress().getPort());
    }

    int requests()
    {
        return requests;
    }

    void progress()
    {
        try
        {
            worker.progress();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
        if (null == endpoint && !connections.isEmpty())
        {
            params = new UcpEndpointParams()
                .setConnectionRequest(connections.poll())
                .setPeerErrorHandlingMode()
                .setErrorHandler((failed, status, text) -> {});
            endpoint = worker.newEndpoint(params);
        }
        sends.removeIf(UcpRequest::isCompleted);
        if (null != endpoint && sends.isEmpty() && !asked.isEmpty())
        {
            answer(asked.poll());
        }
    }

    @Override
    public void close()
    {
        listener.close();
        if (null != endpoint)
        {
            final UcpRequest closing = endpoint.closeNonBlockingForce();
            while (!closing.isCompleted() || !sends.isEmpty())
            {
                asked.clear();
                progress();
            }
        }
        worker.close();
        context.close();
    }

    private void answer(final long submissionId)
    {
        new ReadAnswerEncoder().wrapAndApplyHeader(answers, 0, new MessageHeaderEncoder())
            .submissionId(submissionId).item(0).status(0);
        sends.add(endpoint.sendAmNonBlocking(UcxTransport.READ_ANSWER, answers.addressOffset(), ANSWER_LENGTH,
            answers.addressOffset() + ANSWER_LENGTH, valueLength, UcpConstants.UCP_AM_SEND_FLAG_EAGER, null));
    }

    private int onRequest(
        final long headerAddress, final long headerLength, final UcpAmData data, final UcpEndpoint replyEndpoint)
    {
        message.wrap(data.getDataAddress(), (int) data.getLength());
        final long submissionId =
            new ReadRequestDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder()).submissionId();
        if (requests++ > 0)
        {
            asked.add(submissionId);
        }
        return UcsConstants.STATUS.UCS_OK;
    }
}
