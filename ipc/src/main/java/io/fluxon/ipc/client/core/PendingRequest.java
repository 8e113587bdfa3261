package io.fluxon.ipc.client.core;

import org.agrona.ExpandableArrayBuffer;

/**
 * A request that awaits its answer; pooled. It is sent again under its id until the answer is there, also after its
 * call gave up: then {@link #operation} is null, and the answer only says what is to be given back (contract GET-3).
 */
final class PendingRequest extends Timed
{
    private static final int INITIAL_CAPACITY = 256;

    RequestKind kind;
    ClientOperation operation;
    long correlationId;
    long objectId;
    long timeoutNs;
    long deadlineNs;
    long retryNs;
    int consumePrefixLen;
    int messageLength;
    boolean hasDeadline;
    boolean isAccepted;
    final ExpandableArrayBuffer message;

    PendingRequest(final boolean isStored)
    {
        message = isStored ? new ExpandableArrayBuffer(INITIAL_CAPACITY) : null;
    }
}
