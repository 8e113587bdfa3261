package io.fluxon.engine.index;

import org.agrona.DirectBuffer;

/**
 * A digest with few values, so that keys collide all the time.
 */
final class CollidingKeyDigest implements KeyDigest
{
    private final int values;
    private long low;

    /**
     * Creates the digest.
     *
     * @param values that it has.
     */
    CollidingKeyDigest(final int values)
    {
        this.values = values;
    }

    @Override
    public void compute(final DirectBuffer key, final int offset, final int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += key.getByte(offset + i);
        }
        low = Math.floorMod(sum, values);
    }

    @Override
    public long low()
    {
        return low;
    }

    @Override
    public long high()
    {
        return 7;
    }
}
