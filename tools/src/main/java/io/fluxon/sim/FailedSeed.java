package io.fluxon.sim;

/**
 * A seed that broke a rule.
 *
 * @param seed    of the run.
 * @param rule    that was broken.
 * @param message what was seen.
 */
record FailedSeed(long seed, String rule, String message)
{
    /** Rule of a seed whose runs differ. */
    static final String SAME_RUN = "SAME-RUN";
    /** Rule of a seed whose run does not come to its end. */
    static final String HANG = "HANG";

    /** Can it be run again from its choices? */
    boolean isReplayable()
    {
        return !SAME_RUN.equals(rule) && !HANG.equals(rule);
    }
}
