package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyCompletionDecoder;
import io.fluxon.codecs.data.CopyDescriptorEncoder;
import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyRecordedDecoder;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CopyCommand;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * The way to a {@link CopyAgent}: one ring there, one back. Belongs to one thread.
 */
public final class CopyProxy
{
    /** No event. */
    public static final long NONE = 0;

    private final RingBuffer descriptors;
    private final RingBuffer completions;
    private final CopyDescriptorEncoder descriptorEncoder = new CopyDescriptorEncoder();
    private final CopyCompletionDecoder completionDecoder = new CopyCompletionDecoder();
    private final CopyRecordedDecoder recordedDecoder = new CopyRecordedDecoder();
    private final MessageHandler completionHandler = this::onMessage;
    private CopyListener listener;

    /**
     * A proxy for the near ends of an agent's rings.
     *
     * @param descriptors to the agent.
     * @param completions from the agent.
     */
    public CopyProxy(final RingBuffer descriptors, final RingBuffer completions)
    {
        this.descriptors = descriptors;
        this.completions = completions;
    }

    /**
     * Offers a copy.
     *
     * @param token       that its end is reported with.
     * @param stream      it belongs to, 0 or more; copies of one stream and direction are merged, in no order.
     * @param direction   restore goes before backup.
     * @param strategy    AUTO, or the one wanted.
     * @param afterEvent  CUevent that it waits for, or {@link #NONE}.
     * @param layerEvents address of one CUevent a layer, to be recorded behind the layer, or {@link #NONE}.
     * @param command     what to copy; its memory is free again when this returns, the arrays it names when the copy
     *                    has ended.
     * @return false when the ring is full: offer it again later.
     */
    public boolean offer(
        final long token,
        final int stream,
        final CopyDirection direction,
        final CopyStrategy strategy,
        final long afterEvent,
        final long layerEvents,
        final CopyCommand command)
    {
        final int length = CopyDescriptorEncoder.BLOCK_LENGTH + CopyDescriptorEncoder.commandHeaderLength() +
            command.length();
        final int index = descriptors.tryClaim(CopyDescriptorEncoder.TEMPLATE_ID, length);
        if (index < 0)
        {
            return false;
        }
        descriptorEncoder.wrap(descriptors.buffer(), index)
            .token(token)
            .afterEvent(afterEvent)
            .layerEvents(layerEvents)
            .stream(stream)
            .direction(direction)
            .strategy(strategy)
            .putCommand(command.buffer(), 0, command.length());
        descriptors.commit(index);
        return true;
    }

    /**
     * Takes what the agent reported.
     *
     * @param listener of it.
     * @param limit    of reports.
     * @return how many there were.
     */
    public int poll(final CopyListener listener, final int limit)
    {
        this.listener = listener;
        return completions.read(completionHandler, limit);
    }

    private void onMessage(final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (CopyCompletionDecoder.TEMPLATE_ID == templateId)
        {
            completionDecoder.wrap(
                buffer, index, CopyCompletionDecoder.BLOCK_LENGTH, CopyCompletionDecoder.SCHEMA_VERSION);
            final String reason = 0 == completionDecoder.reasonLength() ? "" : completionDecoder.reason();
            listener.onCopied(completionDecoder.token(), completionDecoder.status(), reason);
        }
        else if (CopyRecordedDecoder.TEMPLATE_ID == templateId)
        {
            listener.onRecorded(recordedDecoder.wrap(
                buffer, index, CopyRecordedDecoder.BLOCK_LENGTH, CopyRecordedDecoder.SCHEMA_VERSION).token());
        }
    }
}
