package io.fluxon.sim;

/**
 * Which seeds to run, and for how long.
 *
 * @param firstSeed the others follow it one by one.
 * @param seeds     number of them, 0 = as many as there is time for.
 * @param maxNs     no seed is begun after this time, in nanoseconds of this machine; 0 = no limit.
 * @param repeated  how many of the first ones are run again, from their seed and from their choices, to see that they
 *                  are the same run.
 * @param threads   that run seeds.
 */
record SeedPlan(long firstSeed, long seeds, long maxNs, int repeated, int threads)
{
}
