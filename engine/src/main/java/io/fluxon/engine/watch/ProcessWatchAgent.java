package io.fluxon.engine.watch;

import io.fluxon.codecs.data.ProcessGoneEncoder;
import io.fluxon.codecs.data.ProcessSeenEncoder;
import io.fluxon.codecs.data.ProcessUnseenEncoder;
import io.fluxon.codecs.data.UnwatchProcessDecoder;
import io.fluxon.codecs.data.WatchProcessDecoder;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * Looks each watched process up, says whether it is visible at all, then looks again every {@value #INTERVAL_MS} ms and
 * reports, once a session, those that are gone: that were seen, and whose id names no process any more, or one with
 * another start time. What the system does not tell proves nothing, so a report is never a guess (contract SLOT-7).
 */
public final class ProcessWatchAgent implements Agent
{
    /** Time between two looks at the same process. */
    public static final long INTERVAL_MS = 250;

    private static final long INTERVAL_NS = INTERVAL_MS * 1_000_000;
    private static final int REQUEST_LIMIT = 64;

    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer reports;
    private final NanoClock clock;
    private final ProcessProbe probe;
    private final Long2ObjectHashMap<Watched> watchedBySession = new Long2ObjectHashMap<>();
    private final WatchProcessDecoder watchDecoder = new WatchProcessDecoder();
    private final UnwatchProcessDecoder unwatchDecoder = new UnwatchProcessDecoder();
    private final ProcessGoneEncoder goneEncoder = new ProcessGoneEncoder();
    private final ProcessSeenEncoder seenEncoder = new ProcessSeenEncoder();
    private final ProcessUnseenEncoder unseenEncoder = new ProcessUnseenEncoder();
    private final MessageHandler requestHandler = this::onRequest;

    private long nextLookNs;

    /**
     * An agent for the far ends of a {@link ProcessWatchProxy}'s rings.
     *
     * @param requests from the owner.
     * @param reports  to the owner.
     * @param clock    that times the looks.
     * @param probe    that looks processes up.
     */
    public ProcessWatchAgent(
        final OneToOneRingBuffer requests,
        final OneToOneRingBuffer reports,
        final NanoClock clock,
        final ProcessProbe probe)
    {
        this.requests = requests;
        this.reports = reports;
        this.clock = clock;
        this.probe = probe;
        this.nextLookNs = clock.nanoTime();
    }

    @Override
    public int doWork()
    {
        int workCount = requests.read(requestHandler, REQUEST_LIMIT);
        final long nowNs = clock.nanoTime();
        if (workCount > 0 || nowNs - nextLookNs >= 0)
        {
            nextLookNs = nowNs + INTERVAL_NS;
            workCount += look();
        }
        return workCount;
    }

    @Override
    public String roleName()
    {
        return "process-watch";
    }

    private void onRequest(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        switch (templateId)
        {
            case WatchProcessDecoder.TEMPLATE_ID ->
            {
                watchDecoder.wrap(buffer, index, WatchProcessDecoder.BLOCK_LENGTH, WatchProcessDecoder.SCHEMA_VERSION);
                watchedBySession.put(
                    watchDecoder.sessionId(),
                    new Watched(watchDecoder.processId(), watchDecoder.processStartTime()));
            }
            case UnwatchProcessDecoder.TEMPLATE_ID ->
            {
                unwatchDecoder.wrap(
                    buffer, index, UnwatchProcessDecoder.BLOCK_LENGTH, UnwatchProcessDecoder.SCHEMA_VERSION);
                watchedBySession.remove(unwatchDecoder.sessionId());
            }
            default -> throw new IllegalStateException("unknown record on the process watch ring: " + templateId);
        }
    }

    private int look()
    {
        int workCount = 0;
        final Long2ObjectHashMap<Watched>.EntryIterator iterator = watchedBySession.entrySet().iterator();
        while (iterator.hasNext())
        {
            iterator.next();
            final Watched watched = iterator.getValue();
            final Watched.State state = watched.look(probe);
            if (!watched.isReported() && report(iterator.getLongKey(), state))
            {
                watched.reported();
                workCount++;
                if (Watched.State.SEEN != state)
                {
                    iterator.remove();
                }
            }
        }
        return workCount;
    }

    private boolean report(final long sessionId, final Watched.State state)
    {
        final int templateId = switch (state)
        {
            case SEEN -> ProcessSeenEncoder.TEMPLATE_ID;
            case UNSEEN -> ProcessUnseenEncoder.TEMPLATE_ID;
            default -> ProcessGoneEncoder.TEMPLATE_ID;
        };
        final int index = reports.tryClaim(templateId, ProcessGoneEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        switch (state)
        {
            case SEEN -> seenEncoder.wrap(reports.buffer(), index).sessionId(sessionId);
            case UNSEEN -> unseenEncoder.wrap(reports.buffer(), index).sessionId(sessionId);
            default -> goneEncoder.wrap(reports.buffer(), index).sessionId(sessionId);
        }
        reports.commit(index);
        return true;
    }
}
