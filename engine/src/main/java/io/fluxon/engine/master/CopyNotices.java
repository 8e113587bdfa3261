package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;

import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.COPIES_NOTED;
import static io.fluxon.engine.master.MasterCounter.LAST_COPIES_NOTED;

/**
 * Tells remote_cache owners which of their values gpu owners have, too, since they have brought them to themselves or
 * put them anew, so that these go first there, and of which no gpu owner has a copy any more, so that they do not
 * (contract REPL-3). What a slice of an operation brings is told together, by owner. A lost notice of the first kind
 * costs room, one of the second lets a value go before its turn.
 */
final class CopyNotices
{
    /** Most values of a message. */
    static final int MAX_VALUES = 64;

    private final MasterContext context;
    private final MasterState state;
    private final MasterCounters counters;
    private final MasterPublisher publisher;
    private final int[] replicas = new int[MAX_VALUES];
    private OwnerSession receiver;
    private boolean isElsewhere;
    private int count;

    CopyNotices(
        final MasterContext context,
        final MasterState state,
        final MasterCounters counters,
        final MasterPublisher publisher)
    {
        this.context = context;
        this.state = state;
        this.counters = counters;
        this.publisher = publisher;
    }

    /** An owner has brought a value to itself from a replica, which is readable. */
    void onJoined(final OwnerSession reader, final int source)
    {
        if (isWanted(reader))
        {
            note(source, true);
        }
    }

    /** An owner has published a value that others have already; it is not among the replicas of the route yet. */
    void onPublished(final OwnerSession publisherOwner, final int route)
    {
        if (isWanted(publisherOwner))
        {
            int replica = state.routes.firstReplica(route);
            while (NONE != replica)
            {
                note(replica, true);
                replica = state.routes.nextReplica(replica);
            }
        }
    }

    /** An owner has evicted a value of which others have copies. */
    void onEvicted(final OwnerSession evicter, final int route)
    {
        if (isWanted(evicter) && !isAtGpuOwner(route))
        {
            int replica = state.routes.firstReplica(route);
            while (NONE != replica)
            {
                note(replica, false);
                replica = state.routes.nextReplica(replica);
            }
        }
    }

    private boolean isAtGpuOwner(final int route)
    {
        int replica = state.routes.firstReplica(route);
        while (NONE != replica)
        {
            final OwnerSession owner = holder(replica);
            if (null != owner && OwnerRole.GPU == owner.role())
            {
                return true;
            }
            replica = state.routes.nextReplica(replica);
        }

        return false;
    }

    private OwnerSession holder(final int replica)
    {
        final int tenure = state.routes.tenure(replica);

        return state.tenures.isLive(tenure) ? state.owners.byOwnerId(state.tenures.ownerId(tenure)) : null;
    }

    private boolean isWanted(final OwnerSession owner)
    {
        return FetchedCopies.GIVEN_UP == context.fetchedCopies() && OwnerRole.GPU == owner.role();
    }

    private void note(final int replica, final boolean hasCopyElsewhere)
    {
        final OwnerSession owner = holder(replica);
        if (null == owner || !owner.isLive() || OwnerRole.REMOTE_CACHE != owner.role())
        {
            return;
        }

        if (receiver != owner || hasCopyElsewhere != isElsewhere || MAX_VALUES == count)
        {
            flush();
            receiver = owner;
            isElsewhere = hasCopyElsewhere;
        }
        replicas[count++] = replica;
    }

    /** The slice is over: nothing of it is kept, as replicas may go before the next one. */
    void flush()
    {
        if (count > 0)
        {
            counters.add(isElsewhere ? COPIES_NOTED : LAST_COPIES_NOTED, count);
            publisher.copiedElsewhere(receiver, isElsewhere, state.routes, replicas, count);
            count = 0;
        }
        receiver = null;
    }
}
