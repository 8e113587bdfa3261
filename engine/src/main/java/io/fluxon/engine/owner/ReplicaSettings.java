package io.fluxon.engine.owner;

/**
 * Times and bounds of the copies that an {@link OwnerAgent} has made at remote_cache owners, and makes for others
 * (contract REPL-1, REPL-3, BOUND-1). Times are nanoseconds.
 */
public final class ReplicaSettings
{
    private static final int MAX_TASKS = 64;

    private int taskMaxInflight = 16;
    private int maxQueue = 4096;
    private int maxPulls = 64;
    private long timeoutNs = 15_000_000_000L;
    private long demotionBoundNs = 100_000_000L;
    private long demotionLimitBytes = 256L << 20;

    /**
     * Sets: groups of which copies are being made elsewhere at once (contract REPL-1).
     *
     * @param taskMaxInflight 1 to 64.
     * @return this.
     */
    public ReplicaSettings taskMaxInflight(final int taskMaxInflight)
    {
        this.taskMaxInflight = taskMaxInflight;
        return this;
    }

    /**
     * Gets: groups of which copies are being made elsewhere at once (contract REPL-1).
     *
     * @return 1 to 64.
     */
    public int taskMaxInflight()
    {
        return taskMaxInflight;
    }

    /**
     * Sets: groups that wait to be copied elsewhere; what is more is dropped and counted.
     *
     * @param maxQueue more than 0.
     * @return this.
     */
    public ReplicaSettings maxQueue(final int maxQueue)
    {
        this.maxQueue = maxQueue;
        return this;
    }

    /**
     * Gets: groups that wait to be copied elsewhere.
     *
     * @return more than 0.
     */
    public int maxQueue()
    {
        return maxQueue;
    }

    /**
     * Sets: groups that are being copied here at once; what is more is given up.
     *
     * @param maxPulls more than 0.
     * @return this.
     */
    public ReplicaSettings maxPulls(final int maxPulls)
    {
        this.maxPulls = maxPulls;
        return this;
    }

    /**
     * Gets: groups that are being copied here at once.
     *
     * @return more than 0.
     */
    public int maxPulls()
    {
        return maxPulls;
    }

    /**
     * Sets: how long a source waits to hear how a copy has ended, and holds its values in place for it.
     *
     * @param timeoutNs more than 0; longer than the master gives a target.
     * @return this.
     */
    public ReplicaSettings timeoutNs(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
        return this;
    }

    /**
     * Gets: how long a source waits to hear how a copy has ended.
     *
     * @return nanoseconds.
     */
    public long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * Sets: how long a victim waits for a copy at a remote_cache owner before it is evicted anyway (contract REPL-3).
     *
     * @param demotionBoundNs nanoseconds; 0 = victims get no copy.
     * @return this.
     */
    public ReplicaSettings demotionBoundNs(final long demotionBoundNs)
    {
        this.demotionBoundNs = demotionBoundNs;
        return this;
    }

    /**
     * Gets: how long a victim waits for a copy at a remote_cache owner before it is evicted anyway (contract REPL-3).
     *
     * @return nanoseconds; 0 = victims get no copy.
     */
    public long demotionBoundNs()
    {
        return demotionBoundNs;
    }

    /**
     * Sets: slot bytes of victims that wait for their copy at once; what is more is evicted without one.
     *
     * @param demotionLimitBytes more than 0.
     * @return this.
     */
    public ReplicaSettings demotionLimitBytes(final long demotionLimitBytes)
    {
        this.demotionLimitBytes = demotionLimitBytes;
        return this;
    }

    /**
     * Gets: slot bytes of victims that wait for their copy at once.
     *
     * @return more than 0.
     */
    public long demotionLimitBytes()
    {
        return demotionLimitBytes;
    }

    /** Validates the settings. */
    void conclude()
    {
        within("taskMaxInflight", taskMaxInflight, 1, MAX_TASKS);
        within("maxQueue", maxQueue, 1, Integer.MAX_VALUE);
        within("maxPulls", maxPulls, 1, Integer.MAX_VALUE);
        within("timeoutNs", timeoutNs, 1, Long.MAX_VALUE);
        within("demotionBoundNs", demotionBoundNs, 0, Long.MAX_VALUE);
        within("demotionLimitBytes", demotionLimitBytes, 1, Long.MAX_VALUE);
    }

    private static void within(final String name, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(name + " " + value + " is not within " + least + " to " + most);
        }
    }
}
