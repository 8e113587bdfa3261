package io.fluxon.sim.teeth;

import java.util.Map;

/**
 * What came of a planted fault.
 *
 * @param fault   that was planted.
 * @param seeds   that were run, the one that found it included.
 * @param foundBy the rule whose checker found it, null when none of the fault's rules did.
 * @param seen    what the checker said, empty when none did.
 * @param others  what else was seen before, by checkers of rules that the fault does not name: the first of each.
 * @param seconds it took, wall clock.
 */
record Bite(Fault fault, int seeds, String foundBy, String seen, Map<String, String> others, double seconds)
{
    boolean isFound()
    {
        return null != foundBy;
    }

    boolean isFoundByItsRule()
    {
        return fault.rule().equals(foundBy);
    }
}
