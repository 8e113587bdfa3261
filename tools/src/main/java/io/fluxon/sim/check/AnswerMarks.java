package io.fluxon.sim.check;

import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;

/**
 * Up to where a worker has said that it has all answers, and all results of commits: a request below its mark that
 * comes now is a late copy, and is not answered (API-4).
 */
final class AnswerMarks
{
    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private long answeredBelow = Long.MIN_VALUE;
    private long resultsBelow = Long.MIN_VALUE;

    void move(final Message message)
    {
        keepAlive.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        answeredBelow = Math.max(answeredBelow, keepAlive.answeredBelow());
        resultsBelow = Math.max(resultsBelow, keepAlive.resultsBelow());
    }

    boolean isSettled(final Message message)
    {
        return message.correlationId() <
            (PutCommitRequestDecoder.TEMPLATE_ID == message.templateId() ? resultsBelow : answeredBelow);
    }
}
