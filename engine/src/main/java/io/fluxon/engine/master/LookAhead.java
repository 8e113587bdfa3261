package io.fluxon.engine.master;

import io.fluxon.engine.index.KeyDigest;
import org.agrona.DirectBuffer;

import java.util.Arrays;

import static io.fluxon.engine.master.LineSlab.NONE;

/**
 * Looks at the next keys of an operation before the first of them is dealt with: computes their digests, which it then
 * gives to whoever asks, and reads what the tables have of them. In a large table each key costs several reads that
 * miss the processor's caches; those of many keys in a row go on side by side, those of one key cannot.
 * <p>
 * Nothing that is read here is kept but the digests, so nothing depends on it but the time. Confined to one thread.
 */
final class LookAhead implements KeyDigest
{
    private static final int MAX_KEYS = 256;

    private final KeyDigest digest;
    private final int[] offsets = new int[MAX_KEYS];
    private final int[] records = new int[MAX_KEYS];
    private final long[] lows = new long[MAX_KEYS];
    private final long[] highs = new long[MAX_KEYS];
    private long messageAddress;
    private int count;
    private int next;
    private int seen;
    private long low;
    private long high;

    LookAhead(final KeyDigest digest)
    {
        this.digest = digest;
    }

    /** Looks at keys of an operation, from the one under its cursor on. */
    void look(final Operation operation, final int keys, final RouteTable routes)
    {
        final DirectBuffer message = operation.message;
        final int wanted = Math.min(Math.min(keys, MAX_KEYS), operation.count - operation.index);
        int offset = operation.keyOffset();
        forget();
        for (int i = 0; i < wanted; i++)
        {
            final int length = Entries.keyLength(message, offset - Entries.KEY_HEADER_LENGTH);
            digest.compute(message, offset, length);
            offsets[i] = offset;
            lows[i] = digest.low();
            highs[i] = digest.high();
            offset += length + operation.blockLength + Entries.KEY_HEADER_LENGTH;
        }
        messageAddress = operation.messageAddress;
        count = wanted;
        read(routes);
    }

    /** The message may go now. */
    void forget()
    {
        count = 0;
        next = 0;
    }

    /** {@inheritDoc} */
    @Override
    public void compute(final DirectBuffer key, final int offset, final int length)
    {
        final int index = find(key, offset);
        if (index >= 0)
        {
            low = lows[index];
            high = highs[index];
            next = index;
        }
        else
        {
            digest.compute(key, offset, length);
            low = digest.low();
            high = digest.high();
        }
    }

    /** {@inheritDoc} */
    @Override
    public long low()
    {
        return low;
    }

    /** {@inheritDoc} */
    @Override
    public long high()
    {
        return high;
    }

    private int find(final DirectBuffer key, final int offset)
    {
        if (0 == count || messageAddress != key.addressOffset() || null != key.byteArray())
        {
            return NONE;
        }

        if (offset == offsets[next])
        {
            return next;
        }

        if (next + 1 < count && offset == offsets[next + 1])
        {
            return next + 1;
        }

        return Arrays.binarySearch(offsets, 0, count, offset);
    }

    private void read(final RouteTable routes)
    {
        for (int i = 0; i < count; i++)
        {
            records[i] = routes.candidate(lows[i], highs[i]);
        }

        for (int i = 0; i < count; i++)
        {
            records[i] = NONE == records[i] ? NONE : routes.readRoute(records[i]);
        }

        for (int i = 0; i < count; i++)
        {
            seen += NONE == records[i] ? 0 : routes.readers(records[i]);
        }
    }
}
