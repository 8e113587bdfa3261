package io.fluxon.cuda.copy;

/**
 * Bounds of a copy worker.
 *
 * @param tasks         that it holds at once; more wait in the ring.
 * @param batches       in flight at once, over all streams.
 * @param batchTasks    of one submission.
 * @param batchBytes    of one submission; a task that is longer goes alone.
 * @param inFlightBytes of each direction; a task that is longer goes while nothing else of its direction does.
 */
public record CopyLimits(int tasks, int batches, int batchTasks, long batchBytes, long inFlightBytes)
{
    /** What a worker of one rank has by default. */
    public static final CopyLimits DEFAULT = new CopyLimits(16_384, 64, 1024, 1L << 30, 2L << 30);

    /**
     * Checks the bounds.
     */
    public CopyLimits
    {
        require("tasks", tasks);
        require("batches", batches);
        require("batchTasks", batchTasks);
        require("batchBytes", batchBytes);
        require("inFlightBytes", inFlightBytes);
    }

    private static void require(final String name, final long value)
    {
        if (value < 1)
        {
            throw new IllegalArgumentException(name + " is " + value + ", allowed: 1 or more");
        }
    }
}
