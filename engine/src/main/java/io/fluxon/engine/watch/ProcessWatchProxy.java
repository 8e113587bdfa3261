package io.fluxon.engine.watch;

import io.fluxon.codecs.data.ProcessGoneDecoder;
import io.fluxon.codecs.data.ProcessSeenDecoder;
import io.fluxon.codecs.data.ProcessUnseenDecoder;
import io.fluxon.codecs.data.UnwatchProcessEncoder;
import io.fluxon.codecs.data.WatchProcessEncoder;
import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * The owner core's way to the {@link ProcessWatchAgent}: one ring there, one back.
 */
public final class ProcessWatchProxy implements ProcessWatch
{
    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer reports;
    private final WatchProcessEncoder watchEncoder = new WatchProcessEncoder();
    private final UnwatchProcessEncoder unwatchEncoder = new UnwatchProcessEncoder();
    private final ProcessGoneDecoder goneDecoder = new ProcessGoneDecoder();
    private final ProcessSeenDecoder seenDecoder = new ProcessSeenDecoder();
    private final ProcessUnseenDecoder unseenDecoder = new ProcessUnseenDecoder();
    private final MessageHandler reportHandler = this::onReport;

    private ProcessListener listener;

    /**
     * A proxy for the near ends of a {@link ProcessWatchAgent}'s rings.
     *
     * @param requests to the agent.
     * @param reports  from the agent.
     */
    public ProcessWatchProxy(final OneToOneRingBuffer requests, final OneToOneRingBuffer reports)
    {
        this.requests = requests;
        this.reports = reports;
    }

    @Override
    public boolean watch(final long sessionId, final long processId, final long startTime)
    {
        final int index = requests.tryClaim(WatchProcessEncoder.TEMPLATE_ID, WatchProcessEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        watchEncoder.wrap(requests.buffer(), index)
            .sessionId(sessionId)
            .processId(processId)
            .processStartTime(startTime);
        requests.commit(index);
        return true;
    }

    @Override
    public boolean unwatch(final long sessionId)
    {
        final int index = requests.tryClaim(UnwatchProcessEncoder.TEMPLATE_ID, UnwatchProcessEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        unwatchEncoder.wrap(requests.buffer(), index).sessionId(sessionId);
        requests.commit(index);
        return true;
    }

    @Override
    public int poll(final ProcessListener listener, final int limit)
    {
        this.listener = listener;
        return reports.read(reportHandler, limit);
    }

    private void onReport(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        switch (templateId)
        {
            case ProcessSeenDecoder.TEMPLATE_ID -> listener.onProcessSeen(seenDecoder.wrap(
                buffer, index, ProcessSeenDecoder.BLOCK_LENGTH, ProcessSeenDecoder.SCHEMA_VERSION).sessionId());
            case ProcessUnseenDecoder.TEMPLATE_ID -> listener.onProcessUnseen(unseenDecoder.wrap(
                buffer, index, ProcessUnseenDecoder.BLOCK_LENGTH, ProcessUnseenDecoder.SCHEMA_VERSION).sessionId());
            case ProcessGoneDecoder.TEMPLATE_ID -> listener.onProcessGone(goneDecoder.wrap(
                buffer, index, ProcessGoneDecoder.BLOCK_LENGTH, ProcessGoneDecoder.SCHEMA_VERSION).sessionId());
            default -> throw new IllegalStateException("unknown record on the process report ring: " + templateId);
        }
    }
}
