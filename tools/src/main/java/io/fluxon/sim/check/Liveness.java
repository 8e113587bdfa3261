package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.OwnerView.SessionState;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.HashMap;
import java.util.Map;

/**
 * Nobody is given up because the judge itself stood still (LIFE-2): a session hangs, and an owner is lost, only after a
 * full timeout of the judge's own running time in which nothing of it was read. Nor is anybody waited for without end
 * (LIFE-1): who is silent for longer than the timeout, and the time that judges may take to look, is given up. Both are
 * asked for each session and owner by itself.
 */
@Watches({"LIFE-2", "LIFE-1"})
final class Liveness implements Checker
{
    private static final int STALL_OF_SESSIONS = 2;
    private static final int STALL_OF_OWNERS = 4;

    /** A master that may have messages to read waits so many times as long. */
    private static final int UNREAD_FACTOR = 3;

    private final Map<OwnerWatch, Judge> sessionsOf = new HashMap<>();
    private final Map<Integer, Long> sessionOfOwner = new HashMap<>();
    private final Checks checks;
    private final long sessionTimeoutNs;
    private final long longestSessionNs;
    private final long ownerTimeoutNs;
    private final long longestOwnerNs;
    private Judge owners;
    private long epoch;

    Liveness(final Checks checks)
    {
        this.checks = checks;
        final ClusterOptions options = checks.cluster().options();
        sessionTimeoutNs = options.ownerSettings.get().sessionTimeoutNs();
        longestSessionNs = sessionTimeoutNs + options.ownerSettings.get().keepAliveNs() +
            sessionTimeoutNs / STALL_OF_SESSIONS;
        ownerTimeoutNs = options.ownerLivenessTimeoutNs;
        longestOwnerNs = (UNREAD_FACTOR + 1) * ownerTimeoutNs;
        owners = new Judge(ownerTimeoutNs / STALL_OF_OWNERS);
    }

    /** Who judges: since when it has run without a stall, and when it heard of whom. */
    private static final class Judge
    {
        private final Map<Long, Long> heardNs = new HashMap<>();
        private final Map<Long, Long> perhapsHeardNs = new HashMap<>();
        private final Map<Long, SessionState> states = new HashMap<>();
        private final long stallNs;
        private long lastNs = Long.MIN_VALUE;
        private long runningSinceNs;
        private long allReadNs;

        private Judge(final long stallNs)
        {
            this.stallNs = stallNs;
        }

        private void cycle(final long nowNs, final boolean hasUnread)
        {
            if (Long.MIN_VALUE == lastNs || nowNs - lastNs > stallNs)
            {
                runningSinceNs = nowNs;
            }
            lastNs = nowNs;
            allReadNs = hasUnread ? allReadNs : nowNs;
        }

        /** How long nothing was heard, while the judge ran. */
        private long silenceNs(final long id, final long nowNs)
        {
            return nowNs - Math.max(runningSinceNs, heardNs.getOrDefault(id, Long.MIN_VALUE));
        }

        /** How long there was nothing, read or not, that can have been heard. */
        private long sureSilenceNs(final long id)
        {
            return allReadNs - Math.max(runningSinceNs, perhapsHeardNs.getOrDefault(id, Long.MIN_VALUE));
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
        if (message.isFromWorker())
        {
            final OwnerWatch owner = checks.of(message.owner());
            final Judge judge = sessionsOf.get(owner);
            judge.perhapsHeardNs.put(message.sessionId(), message.nowNs());
            if (ConnectRequestDecoder.TEMPLATE_ID != message.templateId() &&
                owner.view().hears(message.sessionId(), message.link().connectionId()))
            {
                judge.heardNs.put(message.sessionId(), message.nowNs());
            }
        }
        else if (message.isToMaster())
        {
            final int ownerId = message.owner().ownerId();
            owners.perhapsHeardNs.put((long)ownerId, message.nowNs());
            if (message.sessionId() == checks.master().session(ownerId) &&
                message.generation() == checks.master().generation(ownerId))
            {
                owners.heardNs.put((long)ownerId, message.nowNs());
            }
        }
    }

    /** A session begins, or goes on, with the answer to its connect. */
    @Override
    public void onSent(final Message message)
    {
        if (message.isToWorker() && ConnectResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            sessionsOf.get(checks.of(message.owner())).perhapsHeardNs.put(message.sessionId(), message.nowNs());
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Judge judge = sessionsOf.get(owner);
        final long nowNs = owner.view().nowNs();
        judge.cycle(nowNs, owner.owner().hasUnread());
        owner.view().sessions((session) -> judge(owner, judge, session, nowNs));
    }

    private void judge(
        final OwnerWatch owner, final Judge judge, final OwnerView.SessionPicture session, final long nowNs)
    {
        final long sessionId = session.sessionId();
        final boolean isChanged = session.state() != judge.states.put(sessionId, session.state());
        if (isChanged && SessionState.HUNG == session.state() && judge.silenceNs(sessionId, nowNs) < sessionTimeoutNs)
        {
            throw new Violation("LIFE-2", owner + " " + session + ": hangs after a silence of " +
                judge.silenceNs(sessionId, nowNs) + " ns of " + owner + "'s own running time");
        }
        if (isChanged && SessionState.ACTIVE == session.state())
        {
            judge.perhapsHeardNs.put(sessionId, nowNs);
        }
        if (SessionState.ACTIVE == session.state() && judge.sureSilenceNs(sessionId) > longestSessionNs)
        {
            throw new Violation("LIFE-1", owner + " " + session + ": does not hang after a silence of " +
                judge.sureSilenceNs(sessionId) + " ns of " + owner + "'s own running time");
        }
    }

    @Override
    public void afterMaster()
    {
        final long nowNs = checks.cluster().clock().nanoTime();
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            owners = new Judge(ownerTimeoutNs / STALL_OF_OWNERS);
            sessionOfOwner.clear();
        }
        owners.cycle(nowNs, false);
        for (int i = 0; i < checks.cluster().owners().size(); i++)
        {
            judge(checks.cluster().owner(i).ownerId(), nowNs);
        }
    }

    private void judge(final int ownerId, final long nowNs)
    {
        final long session = checks.master().session(ownerId);
        final Long before = sessionOfOwner.put(ownerId, session);
        if (0 == session)
        {
            if (null != before && 0 != before && owners.silenceNs(ownerId, nowNs) < ownerTimeoutNs)
            {
                throw new Violation("LIFE-2", "master: owner " + ownerId + " is lost after a silence of " +
                    owners.silenceNs(ownerId, nowNs) + " ns of the master's own running time");
            }
            return;
        }
        if (null == before || session != before)
        {
            owners.heardNs.put((long)ownerId, nowNs);
            owners.perhapsHeardNs.put((long)ownerId, nowNs);
        }
        if (owners.sureSilenceNs(ownerId) > longestOwnerNs)
        {
            throw new Violation("LIFE-1", "master: owner " + ownerId + " is not lost after a silence of " +
                owners.sureSilenceNs(ownerId) + " ns of the master's own running time");
        }
    }
}
