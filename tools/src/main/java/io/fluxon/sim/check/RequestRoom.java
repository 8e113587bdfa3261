package io.fluxon.sim.check;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.ErrorCode;
import java.util.HashMap;
import java.util.Map;

/**
 * The requests of one session as an owner has to keep them: has it a reason to refuse one more (BOUND-1)? Where the
 * wire does not show it the answer is yes.
 */
final class RequestRoom
{
    /** Requests that an owner looks at, when its log is full, for one that it need not keep. */
    private static final int EXAMINED = 256;

    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final PutCommitLocalDecoder local = new PutCommitLocalDecoder();
    private final Map<Long, Kept> kept = new HashMap<>();
    private final OwnerSettings settings;
    private long begun;
    private long highestStart = Long.MIN_VALUE;
    private long answeredBelow = Long.MIN_VALUE;
    private long resultsBelow = Long.MIN_VALUE;

    RequestRoom(final OwnerSettings settings)
    {
        this.settings = settings;
    }

    /** A request that the owner has not forgotten, as far as one can say. */
    private static final class Kept
    {
        private final boolean isCommit;
        private int copies;
        private boolean isAnswered;
        private boolean isOver;

        private Kept(final boolean isCommit)
        {
            this.isCommit = isCommit;
        }
    }

    /** Has the worker said that it waits for nothing of the request any more? Then a copy of it is not answered. */
    boolean isSettled(final Message message)
    {
        return message.correlationId() < below(PutCommitRequestDecoder.TEMPLATE_ID == message.templateId());
    }

    private long below(final boolean isCommit)
    {
        return isCommit ? resultsBelow : answeredBelow;
    }

    /**
     * The owner reads a request, or a copy of it. What begins something is refused, too, when it comes once more after
     * it was refused, or behind a later one.
     *
     * @return may it be refused for want of room?
     */
    boolean read(final Message message)
    {
        final boolean isStart = switch (message.templateId())
        {
            case PutStartRequestDecoder.TEMPLATE_ID, GetStartRequestDecoder.TEMPLATE_ID,
                ExistsRequestDecoder.TEMPLATE_ID -> true;
            default -> false;
        };
        kept.entrySet().removeIf((entry) -> entry.getValue().isOver &&
            entry.getKey() < below(entry.getValue().isCommit));
        final int capacity = settings.maxRequestsPerSession();
        final int room = isStart ? capacity - capacity / 4 : capacity;
        final boolean isFull = (room > EXAMINED ? begun : kept.size()) >= room ||
            kept.values().stream().filter((request) -> !request.isAnswered).count() >=
            settings.maxOutstandingPerSession() ||
            isStart && message.correlationId() <= highestStart;
        if (isStart)
        {
            highestStart = Math.max(highestStart, message.correlationId());
        }
        final Kept request = kept.computeIfAbsent(message.correlationId(), (id) ->
        {
            begun++;
            return new Kept(PutCommitRequestDecoder.TEMPLATE_ID == message.templateId());
        });
        request.copies++;
        // a question is executed anew for each copy
        request.isAnswered &= ExistsRequestDecoder.TEMPLATE_ID != message.templateId();
        return isFull;
    }

    /** The worker says what it has. */
    void marks(final Message message)
    {
        keepAlive.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        answeredBelow = Math.max(answeredBelow, keepAlive.answeredBelow());
        resultsBelow = Math.max(resultsBelow, keepAlive.resultsBelow());
    }

    /** The owner answers a request. */
    void answered(final Message message)
    {
        final Kept request = kept.get(message.correlationId());
        if (null != request)
        {
            local.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            final boolean isHalf =
                PutCommitLocalDecoder.TEMPLATE_ID == message.templateId() && ErrorCode.OK == local.status();
            request.isAnswered = true;
            request.isOver |= !isHalf;
        }
    }

    /** The owner has refused a copy of a request: when that was the last one it keeps nothing of the request. */
    void refused(final Message message)
    {
        final Kept request = kept.get(message.correlationId());
        if (null != request && 0 == --request.copies)
        {
            kept.remove(message.correlationId());
        }
    }
}
