package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Nobody is given up because the judge itself stood still (LIFE-2): a session hangs, and an owner is lost, only after a
 * full timeout of the judge's own running time in which nothing of it was read.
 */
@Watches("LIFE-2")
final class Liveness implements Checker
{
    private static final int STALL_OF_SESSIONS = 2;
    private static final int STALL_OF_OWNERS = 4;

    private final Map<OwnerWatch, Judge> sessionsOf = new HashMap<>();
    private final Judge owners;
    private final Checks checks;
    private final long sessionTimeoutNs;
    private final Map<Integer, Long> sessionOfOwner = new HashMap<>();
    private long expired;
    private long epoch;

    Liveness(final Checks checks)
    {
        this.checks = checks;
        final ClusterOptions options = checks.cluster().options();
        sessionTimeoutNs = options.ownerSettings.get().sessionTimeoutNs();
        owners = new Judge(options.ownerLivenessTimeoutNs / STALL_OF_OWNERS);
    }

    /** Who judges: when it began to run without a stall, and when it heard of whom. */
    private static final class Judge
    {
        private final Map<Long, Long> heardNs = new HashMap<>();
        private final Set<Long> hung = new HashSet<>();
        private final long stallNs;
        private long lastNs = Long.MIN_VALUE;
        private long runningSinceNs;

        private Judge(final long stallNs)
        {
            this.stallNs = stallNs;
        }

        private void cycle(final long nowNs)
        {
            if (Long.MIN_VALUE == lastNs || nowNs - lastNs > stallNs)
            {
                runningSinceNs = nowNs;
            }
            lastNs = nowNs;
        }

        /** How long nothing was heard, while the judge ran. */
        private long silenceNs(final long id, final long nowNs)
        {
            return nowNs - Math.max(runningSinceNs, heardNs.getOrDefault(id, Long.MIN_VALUE));
        }
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        sessionsOf.put(owner, new Judge(sessionTimeoutNs / STALL_OF_SESSIONS));
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromWorker() && ConnectRequestDecoder.TEMPLATE_ID != message.templateId())
        {
            final OwnerWatch owner = checks.of(message.owner());
            if (owner.view().hears(message.sessionId(), message.link().connectionId()))
            {
                sessionsOf.get(owner).heardNs.put(message.sessionId(), message.nowNs());
            }
        }
        else if (message.isToMaster())
        {
            final int ownerId = message.owner().ownerId();
            if (message.sessionId() == checks.master().session(ownerId) &&
                message.generation() == checks.master().generation(ownerId))
            {
                owners.heardNs.put(message.sessionId(), message.nowNs());
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Judge judge = sessionsOf.get(owner);
        final long nowNs = owner.view().nowNs();
        judge.cycle(nowNs);
        if (owner.owner().get(OwnerCounter.SESSIONS_HUNG) == judge.hung.size())
        {
            return;
        }
        final Set<Long> before = new HashSet<>(judge.hung);
        judge.hung.clear();
        owner.view().sessions((session) ->
        {
            if ("HUNG".equals(session.state()))
            {
                judge.hung.add(session.sessionId());
                final long silenceNs = judge.silenceNs(session.sessionId(), nowNs);
                if (!before.contains(session.sessionId()) && silenceNs < sessionTimeoutNs)
                {
                    throw new Violation("LIFE-2", owner + " " + session + ": hangs after a silence of " + silenceNs +
                        " ns of " + owner + "'s own running time");
                }
            }
        });
    }

    @Override
    public void afterMaster()
    {
        final long nowNs = checks.cluster().clock().nanoTime();
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            owners.lastNs = Long.MIN_VALUE;
            expired = 0;
            sessionOfOwner.clear();
        }
        owners.cycle(nowNs);
        final long expiredNow = checks.cluster().master().get(MasterCounter.OWNERS_EXPIRED);
        for (int i = 0; i < checks.cluster().owners().size(); i++)
        {
            final int ownerId = checks.cluster().owner(i).ownerId();
            final long session = checks.master().session(ownerId);
            final Long before = sessionOfOwner.put(ownerId, session);
            if (expiredNow > expired && 0 == session && null != before && 0 != before &&
                owners.silenceNs(before, nowNs) < checks.cluster().options().ownerLivenessTimeoutNs)
            {
                throw new Violation("LIFE-2", "master: owner " + ownerId + " is lost after a silence of " +
                    owners.silenceNs(before, nowNs) + " ns of the master's own running time");
            }
        }
        expired = expiredNow;
    }
}
