package io.fluxon.engine.checksum;

import io.fluxon.codecs.data.ChecksumCompletionDecoder;
import io.fluxon.codecs.data.ChecksumRequestEncoder;
import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.ChecksumQueue;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * The owner core's way to the {@link ChecksumAgent}: one ring there, one back, no allocation per request.
 */
public final class ChecksumProxy implements ChecksumQueue
{
    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer completions;
    private final ChecksumRequestEncoder requestEncoder = new ChecksumRequestEncoder();
    private final ChecksumCompletionDecoder completionDecoder = new ChecksumCompletionDecoder();
    private final MessageHandler completionHandler = this::onCompletion;

    private ChecksumListener listener;

    /**
     * A proxy for the near ends of a {@link ChecksumAgent}'s rings.
     *
     * @param requests    to the agent.
     * @param completions from the agent.
     */
    public ChecksumProxy(final OneToOneRingBuffer requests, final OneToOneRingBuffer completions)
    {
        this.requests = requests;
        this.completions = completions;
    }

    @Override
    public boolean offer(final long token, final long offset, final long length)
    {
        final int index = requests.tryClaim(ChecksumRequestEncoder.TEMPLATE_ID, ChecksumRequestEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        requestEncoder.wrap(requests.buffer(), index).token(token).valueOffset(offset).length(length);
        requests.commit(index);
        return true;
    }

    @Override
    public int poll(final ChecksumListener listener, final int limit)
    {
        this.listener = listener;
        return completions.read(completionHandler, limit);
    }

    private void onCompletion(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        completionDecoder.wrap(
            buffer, index, ChecksumCompletionDecoder.BLOCK_LENGTH, ChecksumCompletionDecoder.SCHEMA_VERSION);
        listener.onChecksumCompleted(completionDecoder.token(), completionDecoder.checksum());
    }
}
