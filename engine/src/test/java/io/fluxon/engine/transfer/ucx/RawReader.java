package io.fluxon.engine.transfer.ucx;

import io.fluxon.codecs.transfer.MessageHeaderEncoder;
import io.fluxon.codecs.transfer.ReadRequestEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * One that connects like a reader and then says what it likes.
 */
final class RawReader implements AutoCloseable
{
    private static final int MAX_ITEMS = 5;

    private final UcpContext context = new UcpContext(new UcpParams().requestAmFeature());
    private final UcpWorker worker = context.newWorker(new UcpWorkerParams());
    private final UcxTransport source;
    private final UcpEndpointParams params;
    private final UcpEndpoint endpoint;
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReadRequestEncoder request = new ReadRequestEncoder();

    RawReader(final UcxTransport source)
    {
        this.source = source;
        worker.setAmRecvHandler(UcxTransport.READ_ANSWER, (header, length, data, reply) -> UcsConstants.STATUS.UCS_OK);
        params = new UcpEndpointParams()
            .setSocketAddress(UcxAddress.parse(source.address()))
            .setPeerErrorHandlingMode()
            .setErrorHandler((failed, status, text) -> {});
        endpoint = worker.newEndpoint(params);
    }

    /** A request with some bytes changed, and perhaps cut off, as either kind of message. */
    void send(final Random random)
    {
        final int items = random.nextInt(MAX_ITEMS);
        final ReadRequestEncoder.ItemsEncoder encoder = request.wrapAndApplyHeader(message, 0, header)
            .generation(6).submissionId(random.nextInt(3)).itemsCount(items);
        for (int i = 0; i < items; i++)
        {
            encoder.next().valueOffset(random.nextLong() >>> random.nextInt(64)).length(random.nextInt(9) - 2);
        }
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        for (int i = random.nextInt(3); i > 0; i--)
        {
            message.putByte(random.nextInt(length), (byte) random.nextInt());
        }
        final int sent = random.nextBoolean() ? length : random.nextInt(length);
        final boolean isRequest = random.nextInt(4) > 0;
        await(endpoint.sendAmNonBlocking(
            isRequest ? UcxTransport.READ_REQUEST : UcxTransport.READ_ANSWER,
            message.addressOffset(), isRequest ? 0 : sent,
            message.addressOffset(), isRequest ? sent : 0,
            UcpConstants.UCP_AM_SEND_FLAG_EAGER | (random.nextInt(8) > 0 ? UcpConstants.UCP_AM_SEND_FLAG_REPLY : 0),
            null));
    }

    @Override
    public void close()
    {
        await(endpoint.closeNonBlockingForce());
        worker.close();
        context.close();
    }

    private void await(final UcpRequest sending)
    {
        do
        {
            progress();
            source.progress((transfer, status) -> {});
        }
        while (!sending.isCompleted());
    }

    private void progress()
    {
        try
        {
            worker.progress();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }
}
