package io.fluxon.engine.master;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One atomic group that a target is to bring to itself (contract REPL-1): the message that asks it to, and who waits.
 * Pooled.
 */
final class ReplicaTask
{
    final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    long taskId;
    OwnerSession source;
    long sourceTenureId;
    long sourceOperationId;
    OwnerSession target;
    long targetTenureId;
    long bytes;
    int pages;
    int deadlineMs;
    int nextSendMs;
    int index;
    long messageAddress;
    int blockLength;

    /** Is the target what it was when it was chosen? */
    boolean isTargetThere()
    {
        return target.isLive() && targetTenureId == target.tenureId();
    }

    /** Is the source what it was when it asked? */
    boolean isSourceThere()
    {
        return source.isLive() && sourceTenureId == source.tenureId();
    }

    void reset()
    {
        message.wrap(0, 0);
        source = null;
        target = null;
    }
}
