package io.fluxon.engine.master;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;

/**
 * The owners that the master knows, live and gone, by owner id, session and connection. Bounded: when it is full the
 * one that has been gone the longest is forgotten; when all are live a new one is refused (contract BOUND-1).
 */
final class OwnerRegistry
{
    private static final long NO_CONNECTION = Long.MIN_VALUE;

    private final Int2ObjectHashMap<OwnerSession> byOwnerId = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<OwnerSession> bySessionId = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<OwnerSession> byConnectionId = new Long2ObjectHashMap<>();
    private final ArrayList<OwnerSession> owners = new ArrayList<>();
    private final ArrayList<OwnerSession> replaced = new ArrayList<>();
    private final int maxOwners;
    private long nextSessionId;
    private int liveCount;

    OwnerRegistry(final int maxOwners, final long epoch)
    {
        this.maxOwners = maxOwners;
        // sessions of one epoch are not mistaken for those of another
        nextSessionId = 1 + ((long)Mix.bits(epoch, 1) & 0x7FFF_FFFFL) << 31;
    }

    int size()
    {
        return owners.size();
    }

    OwnerSession get(final int index)
    {
        return owners.get(index);
    }

    int liveCount()
    {
        return liveCount;
    }

    OwnerSession byOwnerId(final int ownerId)
    {
        return byOwnerId.get(ownerId);
    }

    /** The live owner of a session, or null. */
    OwnerSession bySessionId(final long sessionId)
    {
        return bySessionId.get(sessionId);
    }

    /** Whom to tell that its session is refused: who came by this connection, else who has this generation, or null. */
    OwnerSession whoSent(final long connectionId, final long generation)
    {
        final OwnerSession owner = byConnectionId.get(connectionId);
        if (null != owner)
        {
            return owner;
        }

        final OwnerSession older = whoSent(replaced, connectionId, generation);

        return null != older ? older : whoSent(owners, NO_CONNECTION, generation);
    }

    /** Older generations that can still be told that they are over. */
    ArrayList<OwnerSession> replaced()
    {
        return replaced;
    }

    boolean isFull()
    {
        return owners.size() >= maxOwners;
    }

    /** The owner that has been gone the longest, or null when all are live. */
    OwnerSession longestGone()
    {
        OwnerSession longest = null;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            final OwnerSession owner = owners.get(i);
            if (!owner.isLive() && (null == longest || owner.goneSinceNs() - longest.goneSinceNs() < 0))
            {
                longest = owner;
            }
        }

        return longest;
    }

    void add(final OwnerSession owner)
    {
        owners.add(owner);
        byOwnerId.put(owner.ownerId(), owner);
    }

    /** Forgets an owner that is not live. */
    void remove(final OwnerSession owner)
    {
        owners.remove(owner);
        byOwnerId.remove(owner.ownerId());
        byConnectionId.remove(owner.connectionId(), owner);
    }

    /** Gives an owner a new session. */
    void begin(
        final OwnerSession owner,
        final long connectionId,
        final long registerCorrelationId,
        final int tenure,
        final long nowNs)
    {
        if (owner.isLive())
        {
            end(owner);
        }
        byConnectionId.remove(owner.connectionId(), owner);

        owner.begin(nextSessionId++, connectionId, registerCorrelationId, tenure, nowNs);
        bySessionId.put(owner.sessionId(), owner);
        byConnectionId.put(connectionId, owner);
        liveCount++;
    }

    /** Ends the session of a live owner; its connection is remembered. */
    void end(final OwnerSession owner)
    {
        bySessionId.remove(owner.sessionId());
        liveCount--;
    }

    private static OwnerSession whoSent(
        final ArrayList<OwnerSession> candidates, final long connectionId, final long generation)
    {
        for (int i = candidates.size() - 1; i >= 0; i--)
        {
            final OwnerSession candidate = candidates.get(i);
            if (generation == candidate.generation() || connectionId == candidate.connectionId())
            {
                return candidate;
            }
        }

        return null;
    }
}
