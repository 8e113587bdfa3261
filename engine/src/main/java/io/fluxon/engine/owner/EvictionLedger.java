package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;

/**
 * The books of contract S4, in slots: {@code selected = in progress + in retry + freed + restored + obsolete} at every
 * instant. Each slot that falls out of a hot window is in exactly one of them, from its selection on.
 */
final class EvictionLedger
{
    private final OwnerCounters counters;
    private final long[] inProgressOfClass;
    private long selected;
    private long inProgress;
    private long inRetry;
    private long freed;
    private long restored;
    private long obsolete;

    EvictionLedger(final OwnerCounters counters, final int classCount)
    {
        this.counters = counters;
        inProgressOfClass = new long[classCount];
    }

    /** Slots have left a window for a job. */
    void select(final int classIndex, final int slots)
    {
        selected += slots;
        counters.set(OwnerCounter.EVICT_SELECTED, selected);
        progress(classIndex, slots);
    }

    /** A job waits before it tries again, with all that it has. */
    void toRetry(final int classIndex, final int slots)
    {
        progress(classIndex, -slots);
        retry(slots);
    }

    /** A job tries again. */
    void toProgress(final int classIndex, final int slots)
    {
        retry(-slots);
        progress(classIndex, slots);
    }

    /** A slot's route is removed and its reference dropped. */
    void free(final int classIndex)
    {
        freed++;
        counters.set(OwnerCounter.EVICT_FREED, freed);
        progress(classIndex, -1);
    }

    /** A slot is in its window again. */
    void restore(final int classIndex)
    {
        restored++;
        counters.set(OwnerCounter.EVICT_RESTORED, restored);
        progress(classIndex, -1);
    }

    /** A slot is no committed backing any more, by other means than its job. */
    void dropObsolete(final int classIndex, final boolean isInRetry)
    {
        obsolete++;
        counters.set(OwnerCounter.EVICT_OBSOLETE, obsolete);
        if (isInRetry)
        {
            retry(-1);
        }
        else
        {
            progress(classIndex, -1);
        }
    }

    long selected()
    {
        return selected;
    }

    long inProgress()
    {
        return inProgress;
    }

    /** Slots of a class in jobs that go on; jobs that wait before they try again do not count (contract PRESS-1). */
    long inProgress(final int classIndex)
    {
        return inProgressOfClass[classIndex];
    }

    long inRetry()
    {
        return inRetry;
    }

    long freed()
    {
        return freed;
    }

    long restored()
    {
        return restored;
    }

    long obsolete()
    {
        return obsolete;
    }

    /** Does contract S4's equation hold? */
    boolean isBalanced()
    {
        return selected == inProgress + inRetry + freed + restored + obsolete;
    }

    private void progress(final int classIndex, final int slots)
    {
        inProgress += slots;
        inProgressOfClass[classIndex] += slots;
        counters.set(OwnerCounter.EVICT_IN_PROGRESS, inProgress);
        if (inProgressOfClass[classIndex] < 0)
        {
            throw new InvariantViolation("evictions of class " + classIndex + " have less than no slots");
        }
    }

    private void retry(final int slots)
    {
        inRetry += slots;
        counters.set(OwnerCounter.EVICT_IN_RETRY, inRetry);
        if (inRetry < 0)
        {
            throw new InvariantViolation("evictions that wait have less than no slots");
        }
    }
}
