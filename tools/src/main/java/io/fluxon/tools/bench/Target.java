package io.fluxon.tools.bench;

import java.util.List;
import java.util.Locale;

/**
 * A figure beside what is asked of it.
 *
 * @param name    of the figure.
 * @param figure  as it was measured.
 * @param bound   that it is to keep.
 * @param isLeast true if it is to be at least the bound, false if at most.
 */
public record Target(String name, double figure, double bound, boolean isLeast)
{
    /**
     * A figure that should not be lower.
     *
     * @param name   of it.
     * @param figure as it was measured.
     * @param bound  that it should reach.
     * @return the target.
     */
    public static Target atLeast(final String name, final double figure, final double bound)
    {
        return new Target(name, figure, bound, true);
    }

    /**
     * A figure that should not be higher.
     *
     * @param name   of it.
     * @param figure as it was measured.
     * @param bound  that it should not pass.
     * @return the target.
     */
    public static Target atMost(final String name, final double figure, final double bound)
    {
        return new Target(name, figure, bound, false);
    }

    /**
     * Is the figure as it should be?
     *
     * @return false when it is missed, or is no number.
     */
    public boolean isReached()
    {
        return isLeast ? figure >= bound : figure <= bound;
    }

    /**
     * Are all figures as they should be?
     *
     * @param targets of a measurement.
     * @return false when one is missed.
     */
    public static boolean areReached(final List<Target> targets)
    {
        return targets.stream().allMatch(Target::isReached);
    }

    /**
     * A line for each.
     *
     * @param targets of a measurement.
     * @return lines, none when there are no targets.
     */
    public static String text(final List<Target> targets)
    {
        final StringBuilder text = new StringBuilder();
        for (final Target target : targets)
        {
            text.append(String.format(Locale.ROOT, "%s: %s, target %s %s: %s%n", target.name, number(target.figure),
                target.isLeast ? "at least" : "at most", number(target.bound),
                target.isReached() ? "reached" : "MISSED"));
        }
        return text.toString();
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.3f", value);
    }
}
