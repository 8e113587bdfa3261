package io.fluxon.engine.index;

import org.agrona.DirectBuffer;

/**
 * Records in arrays, for tests.
 */
final class HeapChainStore implements ChainStore
{
    private final byte[][] keys;
    private final long[] next;

    HeapChainStore(final int capacity)
    {
        keys = new byte[capacity][];
        next = new long[capacity];
    }

    void key(final int ref, final byte[] key)
    {
        keys[ref] = key;
    }

    byte[] key(final int ref)
    {
        return keys[ref];
    }

    @Override
    public long next(final long ref)
    {
        return next[(int) ref];
    }

    @Override
    public void next(final long ref, final long nextRef)
    {
        next[(int) ref] = nextRef;
    }

    @Override
    public boolean keyEquals(final long ref, final DirectBuffer key, final int offset, final int length)
    {
        final byte[] own = keys[(int) ref];
        if (own.length != length)
        {
            return false;
        }

        for (int i = 0; i < length; i++)
        {
            if (own[i] != key.getByte(offset + i))
            {
                return false;
            }
        }

        return true;
    }
}
