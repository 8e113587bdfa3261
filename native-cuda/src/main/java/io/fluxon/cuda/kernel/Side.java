package io.fluxon.cuda.kernel;

/**
 * One of the two ends of a copy.
 */
public enum Side
{
    /** What is read. */
    SOURCE,
    /** What is written. */
    TARGET;

    /**
     * The other end.
     *
     * @return source for target, target for source.
     */
    public Side other()
    {
        return SOURCE == this ? TARGET : SOURCE;
    }
}
