package io.fluxon.engine.master;

import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.index.KeyDigest;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

import java.util.Arrays;

import static io.fluxon.engine.master.LineSlab.NONE;

/**
 * Which owner is about to put which key (contract PUT-1). The reservations of one operation form a set that ends as a
 * whole: by publish, by unreserve, by time or with its owner. An ended set is dead at once and its memory is taken back
 * in slices. Only an older reservation stands in the way of a publish, so of two owners one always passes.
 * <pre>
 *  set (1 line)
 *   0        4        8                16       20       24       28
 *  +--------+--------+-----------------+--------+--------+--------+
 *  |tag     |deadline|operation id     |tenure  |first   |count   |
 *  |        |ms      |                 |        |member  |        |
 *  +--------+--------+-----------------+--------+--------+--------+
 *  28       32       36       40       44       48
 *  +--------+--------+--------+--------+--------+
 *  |next of |older   |younger |previous|next of |
 *  |same id |        |or ended|of tenure        |
 *  +--------+--------+--------+--------+--------+
 *
 *  member (1 to 9 lines)
 *   0        4        8       12       16                24
 *  +--------+--------+--------+--------+-----------------+
 *  |tag     |set     |next of |next of |order            |
 *  |        |        |bucket  |set     |                 |
 *  +--------+--------+--------+--------+-----------------+
 *  24                32       36       40
 *  +-----------------+--------+--------+------- ... -----+
 *  |put sequence     |key     |bucket  |key              |
 *  |                 |length  |        |                 |
 *  +-----------------+--------+--------+------- ... -----+
 * </pre>
 * Confined to one thread.
 */
final class Reservations implements AutoCloseable
{
    private static final int NO_OWNER = Integer.MIN_VALUE;
    private static final int SET_TYPE = 1;
    private static final int MEMBER_TYPE = 2;

    private static final int DEADLINE = 4;
    private static final int OPERATION_ID = 8;
    private static final int TENURE = 16;
    private static final int FIRST_MEMBER = 20;
    private static final int MEMBER_COUNT = 24;
    private static final int ID_NEXT = 28;
    private static final int OLDER = 32;
    private static final int YOUNGER = 36;
    private static final int TENURE_PREVIOUS = 40;
    private static final int TENURE_NEXT = 44;
    private static final int ENDED = 48;

    private static final int MEMBER_SET = 4;
    private static final int BUCKET_NEXT = 8;
    private static final int SET_NEXT = 12;
    private static final int ORDER = 16;
    private static final int PUT_SEQUENCE = 24;
    private static final int KEY_LENGTH = 32;
    private static final int BUCKET = 36;
    private static final int KEY = 40;

    private static final int MIN_BUCKETS = 64;
    private static final int MEMBERS_PER_BUCKET = 4;

    private final LineSlab slab;
    private final Tenures tenures;
    private final KeyDigest digest;
    private final int maxMembers;
    private final int mask;
    private final int[] keyHeads;
    private final int[] idHeads;
    private int oldest = NONE;
    private int youngest = NONE;
    private int endedHead = NONE;
    private int openMembers;
    private long nextOrder = 1;

    Reservations(final int maxMembers, final KeyDigest digest, final Tenures tenures, final PageSource pages)
    {
        slab = new LineSlab(pages);
        this.maxMembers = maxMembers;
        this.digest = digest;
        this.tenures = tenures;
        final int buckets = BitUtil.findNextPositivePowerOfTwo(
            Math.max(MIN_BUCKETS, maxMembers / MEMBERS_PER_BUCKET));
        mask = buckets - 1;
        keyHeads = new int[buckets];
        idHeads = new int[buckets];
        Arrays.fill(keyHeads, NONE);
        Arrays.fill(idHeads, NONE);
    }

    /** Opens an empty set for an operation; NONE at the bound. */
    int open(final int tenure, final long operationId, final int deadlineMs)
    {
        if (members() >= maxMembers)
        {
            return NONE;
        }

        final int set = slab.allocate(SET_TYPE, 1);
        slab.putInt(set, DEADLINE, deadlineMs);
        slab.putLong(set, OPERATION_ID, operationId);
        slab.putInt(set, TENURE, tenure);
        slab.putInt(set, FIRST_MEMBER, NONE);
        slab.putInt(set, MEMBER_COUNT, 0);
        slab.putInt(set, ENDED, 0);
        linkSet(set);

        return set;
    }

    /** The open set of an operation, or NONE. */
    int find(final int tenure, final long operationId)
    {
        int set = idHeads[idBucket(tenure, operationId)];
        while (NONE != set &&
            (operationId != slab.getLong(set, OPERATION_ID) || tenure != slab.getInt(set, TENURE)))
        {
            set = slab.getInt(set, ID_NEXT);
        }

        return set;
    }

    /** Adds a key to a set; false at the bound. */
    boolean add(
        final int set, final long putSequence, final DirectBuffer key, final int offset, final int length)
    {
        if (members() >= maxMembers)
        {
            return false;
        }

        final int member = slab.allocate(MEMBER_TYPE, LineSlab.linesFor(KEY + length));
        slab.putInt(member, MEMBER_SET, set);
        slab.putInt(member, SET_NEXT, slab.getInt(set, FIRST_MEMBER));
        slab.putLong(member, ORDER, nextOrder++);
        slab.putLong(member, PUT_SEQUENCE, putSequence);
        slab.putInt(member, KEY_LENGTH, length);
        slab.putBytes(member, KEY, key, offset, length);
        slab.putInt(set, FIRST_MEMBER, member);
        slab.putInt(set, MEMBER_COUNT, slab.getInt(set, MEMBER_COUNT) + 1);

        final int bucket = keyBucket(key, offset, length);
        slab.putInt(member, BUCKET, bucket);
        slab.putInt(member, BUCKET_NEXT, keyHeads[bucket]);
        keyHeads[bucket] = member;
        openMembers++;

        return true;
    }

    /** Is any owner about to put this key? */
    boolean isTaken(final DirectBuffer key, final int offset, final int length)
    {
        return isTakenByOther(NO_OWNER, key, offset, length);
    }

    /**
     * Is another owner about to put this key, and was it first?
     *
     * @param ownerId that asks.
     * @return true when a live reservation of another owner is older than the owner's own, or the owner has none.
     */
    boolean isTakenByOther(
        final int ownerId, final DirectBuffer key, final int offset, final int length)
    {
        long own = Long.MAX_VALUE;
        long other = Long.MAX_VALUE;
        int member = keyHeads[keyBucket(key, offset, length)];
        while (NONE != member)
        {
            final int set = slab.getInt(member, MEMBER_SET);
            if (isOpen(set) && length == slab.getInt(member, KEY_LENGTH) &&
                slab.bytesEqual(member, KEY, key, offset, length))
            {
                final long order = slab.getLong(member, ORDER);
                if (ownerId == tenures.ownerId(slab.getInt(set, TENURE)))
                {
                    own = Math.min(own, order);
                }
                else
                {
                    other = Math.min(other, order);
                }
            }
            member = slab.getInt(member, BUCKET_NEXT);
        }

        return other < own;
    }

    /** Ends a set: none of its reservations counts any more. */
    void end(final int set)
    {
        unlinkSet(set);
        openMembers -= slab.getInt(set, MEMBER_COUNT);
        slab.putInt(set, ENDED, 1);
        slab.putInt(set, YOUNGER, endedHead);
        endedHead = set;
    }

    /** Ends sets whose time is over, the oldest first; returns how many. */
    int expire(final int nowMs, final int limit)
    {
        int count = 0;
        while (count < limit && NONE != oldest && slab.getInt(oldest, DEADLINE) - nowMs <= 0)
        {
            end(oldest);
            count++;
        }

        return count;
    }

    /** Ends sets of a tenure; returns how many. */
    int drain(final int tenure, final int limit)
    {
        int count = 0;
        while (count < limit && NONE != tenures.reservationHead(tenure))
        {
            end(tenures.reservationHead(tenure));
            count++;
        }

        return count;
    }

    /** Takes back the memory of ended sets; returns the number of records. */
    int reclaim(final int limit)
    {
        int count = 0;
        while (count < limit && NONE != endedHead)
        {
            final int member = slab.getInt(endedHead, FIRST_MEMBER);
            if (NONE == member)
            {
                final int set = endedHead;
                endedHead = slab.getInt(set, YOUNGER);
                slab.free(set);
            }
            else
            {
                slab.putInt(endedHead, FIRST_MEMBER, slab.getInt(member, SET_NEXT));
                removeFromBucket(member);
                slab.free(member);
            }
            count++;
        }

        return count;
    }

    /** Keys reserved now. */
    int openMembers()
    {
        return openMembers;
    }

    /** Records that are kept, those of ended sets included. */
    long records()
    {
        return slab.live(SET_TYPE) + slab.live(MEMBER_TYPE);
    }

    /** Next set behind this one, or the first one for NONE; NONE at the end. For inspection. */
    int next(final int set)
    {
        int next = slab.nextOf(SET_TYPE, set);
        while (NONE != next && !isOpen(next))
        {
            next = slab.nextOf(SET_TYPE, next);
        }

        return next;
    }

    int tenure(final int set)
    {
        return slab.getInt(set, TENURE);
    }

    long operationId(final int set)
    {
        return slab.getLong(set, OPERATION_ID);
    }

    void beginCount()
    {
        slab.beginCount();
    }

    boolean count(final int limit)
    {
        for (int i = 0; i < limit; i++)
        {
            if (NONE == slab.countNext())
            {
                return false;
            }
        }

        return true;
    }

    void endCount(final AuditResult result)
    {
        result.compare(slab.counted(SET_TYPE), slab.live(SET_TYPE));
        result.compare(slab.counted(MEMBER_TYPE), slab.live(MEMBER_TYPE));
        slab.endCount();
    }

    @Override
    public void close()
    {
        slab.close();
    }

    private long members()
    {
        return records();
    }

    private boolean isOpen(final int set)
    {
        return 0 == slab.getInt(set, ENDED) && tenures.isLive(slab.getInt(set, TENURE));
    }

    private void linkSet(final int set)
    {
        final int tenure = slab.getInt(set, TENURE);
        final int bucket = idBucket(tenure, slab.getLong(set, OPERATION_ID));
        slab.putInt(set, ID_NEXT, idHeads[bucket]);
        idHeads[bucket] = set;

        slab.putInt(set, OLDER, youngest);
        slab.putInt(set, YOUNGER, NONE);
        if (NONE == youngest)
        {
            oldest = set;
        }
        else
        {
            slab.putInt(youngest, YOUNGER, set);
        }
        youngest = set;

        final int head = tenures.reservationHead(tenure);
        slab.putInt(set, TENURE_PREVIOUS, NONE);
        slab.putInt(set, TENURE_NEXT, head);
        if (NONE != head)
        {
            slab.putInt(head, TENURE_PREVIOUS, set);
        }
        tenures.reservationHead(tenure, set);
    }

    private void unlinkSet(final int set)
    {
        final int tenure = slab.getInt(set, TENURE);
        removeFromIdBucket(set, idBucket(tenure, slab.getLong(set, OPERATION_ID)));

        final int older = slab.getInt(set, OLDER);
        final int younger = slab.getInt(set, YOUNGER);
        if (NONE == older)
        {
            oldest = younger;
        }
        else
        {
            slab.putInt(older, YOUNGER, younger);
        }

        if (NONE == younger)
        {
            youngest = older;
        }
        else
        {
            slab.putInt(younger, OLDER, older);
        }

        final int previous = slab.getInt(set, TENURE_PREVIOUS);
        final int next = slab.getInt(set, TENURE_NEXT);
        if (NONE == previous)
        {
            tenures.reservationHead(tenure, next);
        }
        else
        {
            slab.putInt(previous, TENURE_NEXT, next);
        }

        if (NONE != next)
        {
            slab.putInt(next, TENURE_PREVIOUS, previous);
        }
    }

    private void removeFromIdBucket(final int set, final int bucket)
    {
        final int next = slab.getInt(set, ID_NEXT);
        int previous = idHeads[bucket];
        if (set == previous)
        {
            idHeads[bucket] = next;
            return;
        }

        while (set != slab.getInt(previous, ID_NEXT))
        {
            previous = slab.getInt(previous, ID_NEXT);
        }
        slab.putInt(previous, ID_NEXT, next);
    }

    private void removeFromBucket(final int member)
    {
        final int bucket = slab.getInt(member, BUCKET);
        final int next = slab.getInt(member, BUCKET_NEXT);
        int previous = keyHeads[bucket];
        if (member == previous)
        {
            keyHeads[bucket] = next;
            return;
        }

        while (member != slab.getInt(previous, BUCKET_NEXT))
        {
            previous = slab.getInt(previous, BUCKET_NEXT);
        }
        slab.putInt(previous, BUCKET_NEXT, next);
    }

    private int keyBucket(final DirectBuffer key, final int offset, final int length)
    {
        digest.compute(key, offset, length);
        return (int)digest.low() & mask;
    }

    private int idBucket(final int tenure, final long operationId)
    {
        return Mix.bits(operationId, tenure) & mask;
    }
}
