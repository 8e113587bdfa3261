package io.fluxon.sim.shrink;

import io.fluxon.sim.cluster.ChoiceLog;

/**
 * A run that once broke a rule, as the choices that it takes.
 *
 * @param rule    that was broken when it was found.
 * @param seed    that it was found with.
 * @param shows   one line: what was seen.
 * @param choices that make the run; all others are the default.
 */
public record Scenario(String rule, long seed, String shows, ChoiceLog choices)
{
    /** End of the name of every scenario file. */
    public static final String SUFFIX = ".scenario";

    /**
     * Name of its file.
     *
     * @return the name, without a folder.
     */
    public String fileName()
    {
        return "sim-" + rule + "-" + Long.toUnsignedString(seed) + SUFFIX;
    }
}
