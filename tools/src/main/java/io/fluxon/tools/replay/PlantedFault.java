package io.fluxon.tools.replay;

/**
 * A fault that a worker plants on purpose, once, to show that a run with it does not pass.
 */
public enum PlantedFault
{
    /** None. */
    NONE,
    /** Flips one bit of a stored page, after it was read and found right. */
    FLIPPED_BYTE,
    /** Does not release one read plan. */
    LEAKED_HOLDING,
    /** Reports one hit more than there was. */
    MISCOUNTED_PAGE
}
