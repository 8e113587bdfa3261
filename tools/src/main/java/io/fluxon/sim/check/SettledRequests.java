package io.fluxon.sim.check;

import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import java.util.HashSet;
import java.util.Set;

/**
 * What a worker has said that it has all answers to, or all results of: a copy of such a request that comes now is
 * late, and is not answered (API-4). Of several keep-alives the one with the highest id counts, and what is settled
 * stays so.
 */
final class SettledRequests
{
    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final Mark answers = new Mark();
    private final Mark results = new Mark();
    private long keepAliveId = Long.MIN_VALUE;

    /** All below an id, but those that are open. */
    private static final class Mark
    {
        private Set<Long> open = Set.of();
        private long below = Long.MIN_VALUE;

        private boolean isSettled(final long requestId)
        {
            return requestId < below && !open.contains(requestId);
        }

        private void move(final long newBelow, final Set<Long> newOpen)
        {
            newOpen.removeIf(this::isSettled);
            open = newOpen;
            below = newBelow;
        }
    }

    void move(final Message message)
    {
        keepAlive.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (message.correlationId() > keepAliveId)
        {
            keepAliveId = message.correlationId();
            final Set<Long> unanswered = new HashSet<>();
            keepAlive.unanswered().forEach((request) -> unanswered.add(request.requestId()));
            final Set<Long> unfinished = new HashSet<>();
            keepAlive.unfinished().forEach((request) -> unfinished.add(request.requestId()));
            answers.move(keepAlive.answeredBelow(), unanswered);
            results.move(keepAlive.resultsBelow(), unfinished);
        }
    }

    boolean isSettled(final Message message)
    {
        return (PutCommitRequestDecoder.TEMPLATE_ID == message.templateId() ? results : answers)
            .isSettled(message.correlationId());
    }
}
