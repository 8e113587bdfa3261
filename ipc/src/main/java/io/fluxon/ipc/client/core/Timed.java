package io.fluxon.ipc.client.core;

/**
 * Something with a due time, an element of {@link DeadlineQueue}. It can be in one queue at a time.
 */
abstract class Timed
{
    static final int NOT_QUEUED = -1;

    long dueNs;
    int queueIndex = NOT_QUEUED;
}
