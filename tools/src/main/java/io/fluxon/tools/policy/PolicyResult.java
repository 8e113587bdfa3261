package io.fluxon.tools.policy;

/**
 * What one policy reached on one trace.
 *
 * @param trace          name of the trace.
 * @param capacityBlocks of the cache.
 * @param policy         its name.
 * @param hitRatio       leading blocks present / blocks requested.
 */
record PolicyResult(String trace, int capacityBlocks, String policy, double hitRatio)
{
}
