package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;

/**
 * Tasks of one stream, direction and strategy that go out in one submission: made once, used again.
 */
public final class CopyBatch
{
    private final int index;
    private final CopyTask[] tasks;
    private int count;
    private long bytes;
    private String failure;

    CopyBatch(final int index, final int capacity)
    {
        this.index = index;
        tasks = new CopyTask[capacity];
    }

    /** Number of the batch in its pool. @return 0 or more. */
    public int index()
    {
        return index;
    }

    /** Number of tasks. @return 1 or more. */
    public int count()
    {
        return count;
    }

    /** A task. @param i 0 to count - 1. @return the task. */
    public CopyTask task(final int i)
    {
        return tasks[i];
    }

    /** Stream of all tasks. @return number. */
    public int stream()
    {
        return tasks[0].stream();
    }

    /** Direction of all tasks. @return backup or restore. */
    public CopyDirection direction()
    {
        return tasks[0].direction();
    }

    /** Strategy of all tasks. @return never AUTO. */
    public CopyStrategy strategy()
    {
        return tasks[0].strategy();
    }

    /** Bytes of all tasks. @return sum. */
    public long bytes()
    {
        return bytes;
    }

    boolean isFull()
    {
        return count == tasks.length;
    }

    void add(final CopyTask task)
    {
        tasks[count++] = task;
        bytes += task.bytes();
    }

    String failure()
    {
        return failure;
    }

    void failure(final String reason)
    {
        failure = reason;
    }

    void clear()
    {
        count = 0;
        bytes = 0;
        failure = null;
    }
}
