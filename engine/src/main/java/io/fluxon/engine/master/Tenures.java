package io.fluxon.engine.master;

import java.util.Arrays;

/**
 * A tenure is the time in which one generation of an owner is live without a break. Routes, gets and reservations
 * belong to a tenure: when it ends they are dead at once, everywhere, by one bit; their memory is taken back in slices
 * afterwards, and only then is the tenure's number used again.
 */
final class Tenures
{
    /** No tenure. */
    static final int NONE = -1;

    private static final byte FREE = 0;
    private static final byte LIVE = 1;
    private static final byte ENDED = 2;

    private final byte[] states;
    private final int[] ownerIds;
    private final long[] generations;
    private final int[] replicaHeads;
    private final int[] replicaCounts;
    private final int[] requestedHeads;
    private final int[] sourcedHeads;
    private final int[] reservationHeads;
    private int endedCount;

    Tenures(final int maxTenures)
    {
        states = new byte[maxTenures];
        ownerIds = new int[maxTenures];
        generations = new long[maxTenures];
        replicaHeads = new int[maxTenures];
        replicaCounts = new int[maxTenures];
        requestedHeads = new int[maxTenures];
        sourcedHeads = new int[maxTenures];
        reservationHeads = new int[maxTenures];
        Arrays.fill(replicaHeads, LineSlab.NONE);
        Arrays.fill(requestedHeads, LineSlab.NONE);
        Arrays.fill(sourcedHeads, LineSlab.NONE);
        Arrays.fill(reservationHeads, LineSlab.NONE);
    }

    /**
     * Begins a tenure.
     *
     * @return its number, or {@link #NONE} when all numbers are in use.
     */
    int begin(final int ownerId, final long generation)
    {
        for (int tenure = 0; tenure < states.length; tenure++)
        {
            if (FREE == states[tenure])
            {
                states[tenure] = LIVE;
                ownerIds[tenure] = ownerId;
                generations[tenure] = generation;
                return tenure;
            }
        }

        return NONE;
    }

    boolean hasFree()
    {
        for (final byte state : states)
        {
            if (FREE == state)
            {
                return true;
            }
        }

        return false;
    }

    void end(final int tenure)
    {
        states[tenure] = ENDED;
        endedCount++;
    }

    /** The tenure's last record has gone. */
    void release(final int tenure)
    {
        states[tenure] = FREE;
        endedCount--;
    }

    boolean isLive(final int tenure)
    {
        return LIVE == states[tenure];
    }

    int endedCount()
    {
        return endedCount;
    }

    /** First tenure that has ended but holds records, or {@link #NONE}. */
    int firstEnded()
    {
        for (int tenure = 0; endedCount > 0 && tenure < states.length; tenure++)
        {
            if (ENDED == states[tenure])
            {
                return tenure;
            }
        }

        return NONE;
    }

    boolean isEmpty(final int tenure)
    {
        return LineSlab.NONE == replicaHeads[tenure] && LineSlab.NONE == requestedHeads[tenure] &&
            LineSlab.NONE == sourcedHeads[tenure] && LineSlab.NONE == reservationHeads[tenure];
    }

    int ownerId(final int tenure)
    {
        return ownerIds[tenure];
    }

    long generation(final int tenure)
    {
        return generations[tenure];
    }

    int replicaHead(final int tenure)
    {
        return replicaHeads[tenure];
    }

    void replicaHead(final int tenure, final int ref)
    {
        replicaHeads[tenure] = ref;
    }

    int replicaCount(final int tenure)
    {
        return replicaCounts[tenure];
    }

    void replicaCount(final int tenure, final int count)
    {
        replicaCounts[tenure] = count;
    }

    int requestedHead(final int tenure)
    {
        return requestedHeads[tenure];
    }

    void requestedHead(final int tenure, final int ref)
    {
        requestedHeads[tenure] = ref;
    }

    int sourcedHead(final int tenure)
    {
        return sourcedHeads[tenure];
    }

    void sourcedHead(final int tenure, final int ref)
    {
        sourcedHeads[tenure] = ref;
    }

    int reservationHead(final int tenure)
    {
        return reservationHeads[tenure];
    }

    void reservationHead(final int tenure, final int ref)
    {
        reservationHeads[tenure] = ref;
    }
}
