package io.fluxon.engine.master;

import io.fluxon.engine.boundary.PageSource;
import org.agrona.BitUtil;

import java.util.Arrays;

import static io.fluxon.engine.master.LineSlab.NONE;

/**
 * The gets that owners have started and not ended. Each holds the activity of the replica it reads from. One get for
 * each (key, requesting owner): a newer one supersedes the older (contract G6). A get ends by its get-done, by revoke,
 * by time, with its requester or with its source; a get-done that comes later finds nothing and is stale.
 * <pre>
 *   0        4        8                16       20       24       28       32
 *  +--------+--------+-----------------+--------+--------+--------+--------+
 *  |tag     |deadline|start operation  |index   |source  |route   |request.|
 *  |        |ms      |id               |        |replica |        |tenure  |
 *  +--------+--------+-----------------+--------+--------+--------+--------+
 *  32       36       40       44       48       52       56       60       64
 *  +--------+--------+--------+--------+--------+--------+--------+--------+
 *  |next of |next of |older   |younger |previous|next of |previous|next of |
 *  |same id |pair    |        |        |of requester's    |of source's      |
 *  +--------+--------+--------+--------+--------+--------+--------+--------+
 * </pre>
 * The buckets by id of a batch lie side by side, and there are few of them for the most gets: the tables stay in the
 * processor's caches. All live equally long, so the oldest expires first and no timer is needed. Bounded: room is set
 * aside before a batch begins (contract BOUND-1). Confined to one thread.
 */
final class InflightGets implements AutoCloseable
{
    private static final int GET_TYPE = 1;

    private static final int DEADLINE = 4;
    private static final int OPERATION_ID = 8;
    private static final int INDEX = 16;
    private static final int SOURCE = 20;
    private static final int ROUTE = 24;
    private static final int REQUESTER = 28;
    private static final int ID_NEXT = 32;
    private static final int PAIR_NEXT = 36;
    private static final int OLDER = 40;
    private static final int YOUNGER = 44;
    private static final int REQUESTED_PREVIOUS = 48;
    private static final int REQUESTED_NEXT = 52;
    private static final int SOURCED_PREVIOUS = 56;
    private static final int SOURCED_NEXT = 60;

    private static final int MIN_BUCKETS = 64;
    private static final int GETS_PER_BUCKET = 4;

    private final LineSlab slab;
    private final RouteTable routes;
    private final Tenures tenures;
    private final int maxGets;
    private final int mask;
    private final int[] idHeads;
    private final int[] pairHeads;
    private int oldest = NONE;
    private int youngest = NONE;
    private int openCount;
    private int setAside;

    InflightGets(final int maxGets, final RouteTable routes, final Tenures tenures, final PageSource pages)
    {
        slab = new LineSlab(pages);
        this.maxGets = maxGets;
        this.routes = routes;
        this.tenures = tenures;
        final int buckets = BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_BUCKETS, maxGets / GETS_PER_BUCKET));
        mask = buckets - 1;
        idHeads = new int[buckets];
        pairHeads = new int[buckets];
        Arrays.fill(idHeads, NONE);
        Arrays.fill(pairHeads, NONE);
    }

    /** Sets room aside for a batch; false at the bound. */
    boolean setAside(final int count)
    {
        if (openCount + setAside + count > maxGets)
        {
            return false;
        }
        setAside += count;

        return true;
    }

    /** One key of a batch has been decided, or will not be: its room is used or free again. */
    void settle(final int count)
    {
        setAside -= count;
    }

    int openCount()
    {
        return openCount;
    }

    int roomSetAside()
    {
        return setAside;
    }

    /**
     * Opens a get.
     *
     * @return true when it superseded an older one of the same key and requester.
     */
    boolean open(
        final int requester, final long operationId, final int index, final int source, final int deadlineMs)
    {
        final int route = routes.routeOf(source);
        final int older = findPair(route, requester);
        if (NONE != older)
        {
            end(older);
        }

        final int get = slab.allocate(GET_TYPE, 1);
        slab.putInt(get, DEADLINE, deadlineMs);
        slab.putLong(get, OPERATION_ID, operationId);
        slab.putInt(get, INDEX, index);
        slab.putInt(get, SOURCE, source);
        slab.putInt(get, ROUTE, route);
        slab.putInt(get, REQUESTER, requester);
        link(get);
        routes.acquire(source);
        openCount++;

        return NONE != older;
    }

    /** The get of this name, or NONE. */
    int find(final int requester, final long operationId, final int index)
    {
        int get = idHeads[idBucket(requester, operationId, index)];
        while (NONE != get && !isNamed(get, requester, operationId, index))
        {
            get = slab.getInt(get, ID_NEXT);
        }

        return get;
    }

    int source(final int get)
    {
        return slab.getInt(get, SOURCE);
    }

    /** Ends a get; its source's activity goes. */
    void end(final int get)
    {
        unlink(get);
        final int source = source(get);
        slab.free(get);
        openCount--;
        routes.release(source);
    }

    /** Ends gets whose time is over, the oldest first; returns how many. */
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

    /** Ends gets that a tenure has requested or is the source of; returns how many. */
    int drain(final int tenure, final int limit)
    {
        int count = 0;
        while (count < limit && NONE != tenures.requestedHead(tenure))
        {
            end(tenures.requestedHead(tenure));
            count++;
        }

        while (count < limit && NONE != tenures.sourcedHead(tenure))
        {
            end(tenures.sourcedHead(tenure));
            count++;
        }

        return count;
    }

    /** Next get behind this one, or the first one for NONE; NONE at the end. For inspection. */
    int next(final int get)
    {
        return slab.nextOf(GET_TYPE, get);
    }

    int requester(final int get)
    {
        return slab.getInt(get, REQUESTER);
    }

    long operationId(final int get)
    {
        return slab.getLong(get, OPERATION_ID);
    }

    int index(final int get)
    {
        return slab.getInt(get, INDEX);
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
        result.compare(slab.counted(GET_TYPE), openCount);
        result.compare(routes.activity(), openCount);
        slab.endCount();
    }

    @Override
    public void close()
    {
        slab.close();
    }

    private int findPair(final int route, final int requester)
    {
        int get = pairHeads[pairBucket(route, requester)];
        while (NONE != get && (route != slab.getInt(get, ROUTE) || requester != slab.getInt(get, REQUESTER)))
        {
            get = slab.getInt(get, PAIR_NEXT);
        }

        return get;
    }

    private boolean isNamed(final int get, final int requester, final long operationId, final int index)
    {
        return operationId == slab.getLong(get, OPERATION_ID) && index == slab.getInt(get, INDEX) &&
            requester == slab.getInt(get, REQUESTER);
    }

    private void link(final int get)
    {
        final int idBucket = idBucketOf(get);
        slab.putInt(get, ID_NEXT, idHeads[idBucket]);
        idHeads[idBucket] = get;

        final int pairBucket = pairBucket(slab.getInt(get, ROUTE), slab.getInt(get, REQUESTER));
        slab.putInt(get, PAIR_NEXT, pairHeads[pairBucket]);
        pairHeads[pairBucket] = get;

        slab.putInt(get, OLDER, youngest);
        slab.putInt(get, YOUNGER, NONE);
        if (NONE == youngest)
        {
            oldest = get;
        }
        else
        {
            slab.putInt(youngest, YOUNGER, get);
        }
        youngest = get;

        final int requester = slab.getInt(get, REQUESTER);
        push(get, tenures.requestedHead(requester), REQUESTED_PREVIOUS, REQUESTED_NEXT);
        tenures.requestedHead(requester, get);

        final int sourceTenure = routes.tenure(source(get));
        push(get, tenures.sourcedHead(sourceTenure), SOURCED_PREVIOUS, SOURCED_NEXT);
        tenures.sourcedHead(sourceTenure, get);
    }

    private void unlink(final int get)
    {
        removeFromChain(idHeads, idBucketOf(get), ID_NEXT, get);
        removeFromChain(
            pairHeads, pairBucket(slab.getInt(get, ROUTE), slab.getInt(get, REQUESTER)), PAIR_NEXT, get);
        unlinkAge(get);

        final int requester = slab.getInt(get, REQUESTER);
        tenures.requestedHead(
            requester, removeFromList(tenures.requestedHead(requester), get, REQUESTED_PREVIOUS, REQUESTED_NEXT));

        final int sourceTenure = routes.tenure(source(get));
        tenures.sourcedHead(
            sourceTenure, removeFromList(tenures.sourcedHead(sourceTenure), get, SOURCED_PREVIOUS, SOURCED_NEXT));
    }

    private void unlinkAge(final int get)
    {
        final int older = slab.getInt(get, OLDER);
        final int younger = slab.getInt(get, YOUNGER);
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
    }

    private void push(final int get, final int head, final int previousField, final int nextField)
    {
        slab.putInt(get, previousField, NONE);
        slab.putInt(get, nextField, head);
        if (NONE != head)
        {
            slab.putInt(head, previousField, get);
        }
    }

    private int removeFromList(final int head, final int get, final int previousField, final int nextField)
    {
        final int previous = slab.getInt(get, previousField);
        final int next = slab.getInt(get, nextField);
        if (NONE != next)
        {
            slab.putInt(next, previousField, previous);
        }

        if (NONE == previous)
        {
            return next;
        }
        slab.putInt(previous, nextField, next);

        return head;
    }

    private void removeFromChain(final int[] heads, final int bucket, final int nextField, final int get)
    {
        final int next = slab.getInt(get, nextField);
        int previous = heads[bucket];
        if (get == previous)
        {
            heads[bucket] = next;
            return;
        }

        while (get != slab.getInt(previous, nextField))
        {
            previous = slab.getInt(previous, nextField);
        }
        slab.putInt(previous, nextField, next);
    }

    private int idBucketOf(final int get)
    {
        return idBucket(
            slab.getInt(get, REQUESTER), slab.getLong(get, OPERATION_ID), slab.getInt(get, INDEX));
    }

    private int idBucket(final int requester, final long operationId, final int index)
    {
        return Mix.bits(operationId, requester) + index & mask;
    }

    private int pairBucket(final int route, final int requester)
    {
        return Mix.bits(route, requester) & mask;
    }
}
