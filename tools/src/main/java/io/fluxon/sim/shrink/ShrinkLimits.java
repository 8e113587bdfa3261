package io.fluxon.sim.shrink;

/**
 * What shrinking may take.
 *
 * @param threads that try candidates.
 * @param maxRuns candidates that are tried at most.
 * @param maxNs   time at most, in nanoseconds of this machine.
 */
public record ShrinkLimits(int threads, int maxRuns, long maxNs)
{
}
