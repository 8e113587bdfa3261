package io.fluxon.tools.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Pairs of counts that must be equal at the end of a run (contract P2).
 */
public final class Balance
{
    private final List<Check> checks = new ArrayList<>();

    /**
     * Adds a pair.
     *
     * @param name  of the check, stable: {@code left = right} in words.
     * @param left  count.
     * @param right count.
     * @return this.
     */
    public Balance check(final String name, final long left, final long right)
    {
        checks.add(new Check(name, left, right));
        return this;
    }

    /**
     * Do all pairs agree?
     *
     * @return true if there is at least one pair, and all agree.
     */
    public boolean isOk()
    {
        return !checks.isEmpty() && checks.stream().allMatch(Check::isOk);
    }

    /**
     * All pairs, in the order they were added.
     *
     * @return a view of the pairs.
     */
    public List<Check> checks()
    {
        return List.copyOf(checks);
    }

    /**
     * A pair of counts.
     *
     * @param name  of the check.
     * @param left  count.
     * @param right count.
     */
    public record Check(String name, long left, long right)
    {
        /**
         * Do the counts agree?
         *
         * @return true if they are equal.
         */
        public boolean isOk()
        {
            return left == right;
        }
    }
}
