package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;

/**
 * Chooses the owner that gets one more copy of a group (contract REPL-4): only remote_cache owners that are known
 * wholly, were heard from lately and have room, be it by what their hot windows give up (contract CAP-1). Among these
 * the turn goes round by weight, in the manner of a smooth weighted round robin: an owner's weight is its free space
 * without what is on its way to it, times the part of the ramp that it has behind it since it joined. Never another GPU
 * owner: without such an owner there is no target.
 */
final class Placement
{
    /** Signs of life that may be missing before an owner is suspect. */
    private static final int MISSED_HEARTBEATS = 2;

    private static final int RAMP_STEPS = 16;
    private static final int WEIGHT_SHIFT = 12;

    private final MasterContext context;
    private final OwnerRegistry owners;

    Placement(final MasterContext context, final OwnerRegistry owners)
    {
        this.context = context;
        this.owners = owners;
    }

    /**
     * Chooses a target.
     *
     * @param source    never chosen.
     * @param preferred chosen if it may be, since it has a part of the group already; null = nobody.
     * @param bytes     slot bytes of the group.
     * @param nowNs     time.
     * @return the target, or null when there is none.
     */
    OwnerSession choose(
        final OwnerSession source, final OwnerSession preferred, final long bytes, final long nowNs)
    {
        if (null != preferred && isCandidate(preferred, source, bytes, nowNs))
        {
            return preferred;
        }

        OwnerSession best = null;
        long total = 0;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            final OwnerSession owner = owners.get(i);
            if (isCandidate(owner, source, bytes, nowNs))
            {
                final long weight = weight(owner, nowNs);
                total += weight;
                owner.placementTurn(owner.placementTurn() + weight);
                best = null == best || owner.placementTurn() > best.placementTurn() ? owner : best;
            }
        }
        if (null != best)
        {
            best.placementTurn(best.placementTurn() - total);
        }

        return best;
    }

    private boolean isCandidate(
        final OwnerSession owner, final OwnerSession source, final long bytes, final long nowNs)
    {
        return source != owner && owner.isLive() && OwnerRole.REMOTE_CACHE == owner.role() &&
            owner.isReconciled() && owner.hasSpoken() && !isSuspect(owner, nowNs) && owner.roomBytes() >= bytes;
    }

    private boolean isSuspect(final OwnerSession owner, final long nowNs)
    {
        return nowNs - owner.lastHeardNs() > MISSED_HEARTBEATS * context.heartbeatIntervalNs();
    }

    private long weight(final OwnerSession owner, final long nowNs)
    {
        final long sinceNs = nowNs - owner.joinedNs();
        final long step = Math.max(1, context.replicaRampNs() / RAMP_STEPS);
        final long part = Math.min(RAMP_STEPS, 1 + sinceNs / step);

        return Math.max(1, (owner.freeRoomBytes() >> WEIGHT_SHIFT) * part / RAMP_STEPS);
    }
}
