package io.fluxon.tools.replay;

import org.agrona.collections.IntHashSet;

/**
 * What the coordinator knows of one worker: its present process, the request it gets next, and those it has not ended.
 */
final class WorkerSlot
{
    final WorkerSettings settings;
    final IntHashSet outstanding = new IntHashSet();
    WorkerLink link;
    boolean isReady;
    boolean isQuiet;
    int nextRequest;
    int ahead;
    int failuresInARow;
    int latenciesMissing;
    WorkerEvent.Round round;

    WorkerSlot(final WorkerSettings settings, final int firstRequest)
    {
        this.settings = settings;
        nextRequest = firstRequest;
    }

    void onStarted(final WorkerLink newLink)
    {
        link = newLink;
        isReady = false;
        ahead = 0;
        outstanding.clear();
    }
}
