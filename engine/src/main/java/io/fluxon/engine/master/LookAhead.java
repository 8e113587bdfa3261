package io.fluxon.engine.master;

import io.fluxon.engine.index.KeyDigest;
import org.agrona.DirectBuffer;

import java.util.Arrays;

import static io.fluxon.engine.master.LineSlab.NONE;

/**
 * Looks at the next keys of an operation before the first of them is dealt with: computes their digests, which it then
 * gives to whoever asks, and reads what the table has of them. In a large table each key costs several reads that miss
 * the processor's caches; those of many keys go on side by side, those of one key wait for each other.
 * <p>
 * Nothing that is read is kept but the digests, so nothing depends on it but the time. Confined to one thread.
 */
final class LookAhead implements KeyDigest
{
    /** Most keys that are looked at in one go. */
    static final int MAX_KEYS = 128;

    /** Most replicas of a route that are read ahead. */
    private static final int MAX_REPLICAS = 4;

    private final KeyDigest digest;
    private final int[] offsets = new int[MAX_KEYS];
    private final long[] lows = new long[MAX_KEYS];
    private final long[] highs = new long[MAX_KEYS];
    private final int[] refs = new int[MAX_KEYS];
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

    /**
     * Makes sure that the key under an operation's cursor has been looked at; those behind it are looked at with it.
     *
     * @param keys that may be dealt with in this slice, at least 1.
     */
    void look(final Operation operation, final int keys, final RouteTable routes)
    {
        if (find(operation.message, operation.keyOffset()) < 0)
        {
            computeAll(operation, Math.min(Math.min(keys, MAX_KEYS), operation.count - operation.index));
            readAll(routes);
        }
    }

    /** What all reads together have seen, for inspection. */
    int seen()
    {
        return seen;
    }

    /**
     * Reads the gets that the next items of a get-done name, and what they lead to.
     *
     * @param items that will be dealt with now, at most {@link #MAX_KEYS}.
     */
    void lookAtGets(final Operation operation, final int items, final InflightGets gets, final RouteTable routes)
    {
        for (int i = 0; i < items; i++)
        {
            final int get = GetOperations.doneGet(operation, i, gets);
            refs[i] = NONE == get ? NONE : gets.source(get);
        }

        for (int i = 0; i < items; i++)
        {
            refs[i] = NONE == refs[i] ? NONE : routes.routeOf(refs[i]);
        }

        for (int i = 0; i < items; i++)
        {
            final int route = refs[i];
            refs[i] = NONE == route ? NONE : routes.firstReplica(route);
            seen += NONE == route ? 0 : (int)routes.putSequence(route);
        }
        readReplicas(routes, items);
    }

    /** The message goes: another one may come to lie where it was. */
    void forget()
    {
        count = 0;
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

    private void computeAll(final Operation operation, final int keys)
    {
        final DirectBuffer message = operation.message;
        int offset = operation.keyOffset();
        for (int i = 0; i < keys; i++)
        {
            final int length = Entries.keyLength(message, offset - Entries.KEY_HEADER_LENGTH);
            digest.compute(message, offset, length);
            offsets[i] = offset;
            lows[i] = digest.low();
            highs[i] = digest.high();
            offset += length + operation.blockLength + Entries.KEY_HEADER_LENGTH;
        }
        messageAddress = message.addressOffset();
        count = keys;
        next = 0;
    }

    /** One pass for each step of the way to a replica, so that the reads of a pass do not depend on each other. */
    private void readAll(final RouteTable routes)
    {
        for (int i = 0; i < count; i++)
        {
            seen += routes.touchIndex(lows[i], highs[i]);
        }

        for (int i = 0; i < count; i++)
        {
            refs[i] = routes.candidate(lows[i], highs[i]);
        }

        for (int i = 0; i < count; i++)
        {
            final int route = refs[i];
            refs[i] = NONE == route ? NONE : routes.firstReplica(route);
            seen += NONE == route ? 0 : routes.touch(route);
        }
        readReplicas(routes, count);
    }

    /** One pass for each replica of a route, as all of them are asked who has them. */
    private void readReplicas(final RouteTable routes, final int keys)
    {
        boolean isAny = true;
        for (int pass = 0; isAny && pass < MAX_REPLICAS; pass++)
        {
            isAny = false;
            for (int i = 0; i < keys; i++)
            {
                final int replica = refs[i];
                refs[i] = NONE == replica ? NONE : routes.nextReplica(replica);
                seen += NONE == replica ? 0 : routes.tenure(replica);
                isAny |= NONE != refs[i];
            }
        }
    }

    /** Index of a key among those that were looked at, which mostly are asked for in their order; or negative. */
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
}
