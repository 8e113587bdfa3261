package io.fluxon.sim.check;

import io.fluxon.engine.memory.InvariantViolation;

/**
 * A rule of the contract was broken in a run. An error, so that no core takes it for an exception of one of its jobs
 * when it is thrown while the core sends or receives.
 */
public final class Violation extends AssertionError
{
    private static final long serialVersionUID = 1;

    private final String rule;

    /**
     * A broken rule.
     *
     * @param rule name of the rule in the contract.
     * @param what was seen, with the values that show it.
     */
    public Violation(final String rule, final String what)
    {
        super(rule + ": " + what);
        this.rule = rule;
    }

    /**
     * Throws unless a condition holds.
     *
     * @param condition that the rule asks for.
     * @param rule      name of the rule in the contract.
     * @param format    of the text that says what was seen.
     * @param args      of the text.
     */
    public static void unless(final boolean condition, final String rule, final String format, final Object... args)
    {
        if (!condition)
        {
            throw new Violation(rule, String.format(format, args));
        }
    }

    /**
     * What ended a run, as the rule that it breaks.
     *
     * @param failure that was thrown in a run.
     * @return a violation of SLOT-2 when a core found an invariant broken, else what it was.
     */
    public static Throwable of(final Throwable failure)
    {
        if (failure instanceof InvariantViolation)
        {
            final Violation violation = new Violation("SLOT-2", failure.getMessage());
            violation.initCause(failure);
            return violation;
        }
        return failure;
    }

    /**
     * The broken rule.
     *
     * @return its name in the contract.
     */
    public String rule()
    {
        return rule;
    }
}
