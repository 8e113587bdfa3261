package io.fluxon.cuda.copy;

import java.util.ArrayDeque;

/**
 * Tasks of one stream and direction, those that wait and those in flight, in order.
 */
final class CopyLane
{
    private final ArrayDeque<CopyTask> waiting;
    private final ArrayDeque<CopyTask> alone;
    private final ArrayDeque<CopyBatch> inFlight;

    CopyLane(final CopyLimits limits)
    {
        waiting = new ArrayDeque<>(limits.tasks());
        alone = new ArrayDeque<>(limits.batchTasks());
        inFlight = new ArrayDeque<>(limits.batches());
    }

    void add(final CopyTask task)
    {
        waiting.addLast(task);
    }

    /** Puts back a task that shared a submission that failed: it goes out again by itself. */
    void addAlone(final CopyTask task)
    {
        alone.addLast(task);
    }

    boolean isWaiting()
    {
        return !alone.isEmpty() || !waiting.isEmpty();
    }

    CopyTask head()
    {
        return alone.isEmpty() ? waiting.peekFirst() : alone.peekFirst();
    }

    /** Moves the head, and what may go with it, into a batch. */
    void fill(final CopyBatch batch, final long byteLimit)
    {
        if (!alone.isEmpty())
        {
            batch.add(alone.pollFirst());
            return;
        }
        batch.add(waiting.pollFirst());
        while (!batch.isFull() && isMergeable(batch.task(0), waiting.peekFirst()) &&
            batch.bytes() + waiting.peekFirst().bytes() <= byteLimit)
        {
            batch.add(waiting.pollFirst());
        }
    }

    ArrayDeque<CopyBatch> inFlight()
    {
        return inFlight;
    }

    private static boolean isMergeable(final CopyTask first, final CopyTask next)
    {
        return null != next && first.strategy() == next.strategy() && first.afterEvent() == next.afterEvent() &&
            0 == first.layerEvents() && 0 == next.layerEvents();
    }
}
