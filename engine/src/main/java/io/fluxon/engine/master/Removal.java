package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

/**
 * One value on its way out of all owners that have it (contract EVICT-2). Pooled.
 * <pre>
 *   BACKOFF --due--> PREPARING --all voted--> REMOVING --answered--> FINALIZING --> over: gone
 *      ^                 |
 *      |              in use, or too late
 *      |                 v
 *      +---fences gone-- ABORTING -------------8 rounds, or being written---------> over: it stays
 * </pre>
 */
final class Removal
{
    /** Rounds without success after which the value stays, as in an eviction (contract EVICT-2). */
    static final int MAX_ROUNDS = 8;

    private static final int MIN_HOLDERS = 4;

    /** Where a removal stands. */
    enum Step
    {
        /** Waits before the next round; no get begins to read from the value meanwhile. */
        BACKOFF,
        /** Its holders are asked to hide it and what goes with it there. */
        PREPARING,
        /** A holder cannot: the fences of the others go. */
        ABORTING,
        /** All have prepared: the route is gone, the rest of each cohort goes. */
        REMOVING,
        /** The holders give the memory back. */
        FINALIZING
    }

    /** An owner that has the value. */
    static final class Holder
    {
        private final BackingEncoder encoder = new BackingEncoder();
        final BackingDecoder backing = new BackingDecoder();
        int ownerId;
        long generation;
        Operation vote;
        boolean hasVoted;
        boolean isFinalized;
        boolean isLost;

        private Holder()
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BackingEncoder.ENCODED_LENGTH]);
            encoder.wrap(buffer, 0);
            backing.wrap(buffer, 0);
        }

        private void begin(final int newOwnerId, final long newGeneration)
        {
            ownerId = newOwnerId;
            generation = newGeneration;
            vote = null;
            hasVoted = false;
            isFinalized = false;
            isLost = false;
        }
    }

    private final UnsafeBuffer key;
    private int keyLength;
    private Holder[] holders = new Holder[0];
    private int holderCount;
    Operation parent;
    int index;
    long roundId;
    int putOwnerId;
    long putGeneration;
    long putSequence;
    Step step;
    int rounds;
    int dueMs;
    int endMs;
    long delayNs;
    boolean isBeingWritten;

    Removal(final int maxKeyBytes)
    {
        key = new UnsafeBuffer(new byte[maxKeyBytes]);
    }

    /** Begins for one key of a delete. */
    void begin(final Operation ofParent, final RouteTable routes, final int route, final int nowMs)
    {
        parent = ofParent;
        index = ofParent.index;
        keyLength = ofParent.keyLength();
        key.putBytes(0, ofParent.message, ofParent.keyOffset(), keyLength);
        putOwnerId = routes.putOwnerId(route);
        putGeneration = routes.putGeneration(route);
        putSequence = routes.putSequence(route);
        holderCount = 0;
        rounds = 0;
        delayNs = 0;
        isBeingWritten = false;
        step = Step.BACKOFF;
        dueMs = nowMs;
    }

    DirectBuffer key()
    {
        return key;
    }

    int keyLength()
    {
        return keyLength;
    }

    boolean isKey(final DirectBuffer buffer, final int offset, final int length)
    {
        int i = 0;
        while (i < keyLength && length == keyLength && key.getByte(i) == buffer.getByte(offset + i))
        {
            i++;
        }

        return length == keyLength && i == keyLength;
    }

    /** Is a route that of the value? */
    boolean isRoute(final RouteTable routes, final int route)
    {
        return LineSlab.NONE != route && routes.hasPutId(route, putOwnerId, putGeneration, putSequence);
    }

    void clearHolders()
    {
        holderCount = 0;
    }

    void addHolder(final int ownerId, final long generation, final RouteTable routes, final int replica)
    {
        if (holderCount == holders.length)
        {
            holders = Arrays.copyOf(holders, Math.max(MIN_HOLDERS, holderCount << 1));
        }
        if (null == holders[holderCount])
        {
            holders[holderCount] = new Holder();
        }
        routes.backing(replica, holders[holderCount].encoder);
        holders[holderCount++].begin(ownerId, generation);
    }

    int holderCount()
    {
        return holderCount;
    }

    Holder holder(final int i)
    {
        return holders[i];
    }

    /** The holder that an owner is in this round, or null. */
    Holder holderOf(final OwnerSession owner)
    {
        for (int i = 0; i < holderCount; i++)
        {
            if (owner.ownerId() == holders[i].ownerId && owner.generation() == holders[i].generation)
            {
                return holders[i];
            }
        }

        return null;
    }
}
