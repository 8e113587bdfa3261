package io.fluxon.engine.index;

import net.openhft.hashing.LongTupleHashFunction;
import org.agrona.DirectBuffer;

/**
 * The production digest: XXH3 with 128 bits. With a seed that outsiders do not know, they cannot choose keys that
 * collide.
 */
public final class Xx128KeyDigest implements KeyDigest
{
    private final LongTupleHashFunction function;
    private final long[] words = new long[2];

    /**
     * A digest with seed 0.
     */
    public Xx128KeyDigest()
    {
        this(0);
    }

    /**
     * A digest with a seed.
     *
     * @param seed any number; digests of different seeds are unrelated.
     */
    public Xx128KeyDigest(final long seed)
    {
        function = LongTupleHashFunction.xx128(seed);
    }

    /** {@inheritDoc} */
    @Override
    public void compute(final DirectBuffer key, final int offset, final int length)
    {
        key.boundsCheck(offset, length);

        final byte[] array = key.byteArray();
        if (null != array)
        {
            function.hashBytes(array, key.wrapAdjustment() + offset, length, words);
        }
        else
        {
            function.hashMemory(key.addressOffset() + offset, length, words);
        }
    }

    /** {@inheritDoc} */
    @Override
    public long low()
    {
        return words[0];
    }

    /** {@inheritDoc} */
    @Override
    public long high()
    {
        return words[1];
    }
}
