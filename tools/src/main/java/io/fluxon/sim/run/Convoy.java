package io.fluxon.sim.run;

import io.fluxon.sim.cluster.Choices;

/**
 * The batch that a worker has put last: others use the same keys now and then, in the same order or another, so that
 * processes meet at them at the same time.
 */
final class Convoy
{
    private static final double FOLLOW_RATE = 0.2;
    private static final double REORDER_RATE = 0.3;

    private String[] names;
    private int length;

    /** A worker starts or commits a put. */
    void lead(final String[] newNames, final int newLength)
    {
        names = newNames;
        length = newLength;
    }

    /**
     * Goes where the last has gone, perhaps.
     *
     * @param choices    of the worker.
     * @param ofLength   that values of the keys must have, any when negative.
     * @return keys, or null.
     */
    String[] follow(final Choices.Stream choices, final int ofLength)
    {
        final boolean isFollowing = choices.chance(FOLLOW_RATE);
        if (!isFollowing || null == names || ofLength >= 0 && ofLength != length)
        {
            return null;
        }
        final String[] followed = names.clone();
        if (choices.chance(REORDER_RATE))
        {
            for (int i = followed.length - 1; i > 0; i--)
            {
                final int other = choices.below(i + 1);
                final String name = followed[i];
                followed[i] = followed[other];
                followed[other] = name;
            }
        }
        return followed;
    }
}
