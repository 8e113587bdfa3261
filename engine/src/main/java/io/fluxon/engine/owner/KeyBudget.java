package io.fluxon.engine.owner;

/**
 * How many keys one duty cycle touches (contract G10). Whatever is done for a key is charged: each step of a job is
 * bounded by its slice, and this bounds their sum over all that happens in a cycle: requests, answers, claims, jobs.
 * A cycle passes its limit by no more than the step that reaches it.
 */
final class KeyBudget
{
    private final int limit;
    private int used;
    private int lastUsed;

    KeyBudget(final int limit)
    {
        this.limit = limit;
    }

    void beginCycle()
    {
        lastUsed = used;
        used = 0;
    }

    void charge(final int keys)
    {
        used += keys;
    }

    /** Keys that can still be touched in this cycle. */
    int remaining()
    {
        return Math.max(0, limit - used);
    }

    boolean isSpent()
    {
        return used >= limit;
    }

    /** What has just arrived may use the first half at once; the other half is for jobs that wait. */
    boolean isHalfSpent()
    {
        return used >= limit >> 1;
    }

    /** Keys that the last cycle that has ended touched. */
    int lastUsed()
    {
        return lastUsed;
    }
}
