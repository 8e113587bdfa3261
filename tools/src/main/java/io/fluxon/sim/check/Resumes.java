package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView.PutState;
import io.fluxon.engine.owner.OwnerView.SessionState;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * After a resume a session has what its worker named, and nothing else that was there before (API-10); no two workers
 * that live have the same part of the plan arena (SLOT-7), and at the end no session is left of a process that is gone
 * (API-9).
 */
@Watches({"API-10", "API-9", "SLOT-7"})
final class Resumes implements Checker
{
    private final ConnectResponseDecoder connected = new ConnectResponseDecoder();
    private final GetStartResponseDecoder started = new GetStartResponseDecoder();
    private final GetTransferResponseDecoder transferred = new GetTransferResponseDecoder();
    private final Map<OwnerWatch, Map<Long, Asked>> askedOf = new HashMap<>();
    private final Map<OwnerWatch, Map<Long, Long>> answeredOf = new HashMap<>();
    private final Map<OwnerWatch, Map<Long, Long>> requestOfHolding = new HashMap<>();
    private final Map<OwnerWatch, Map<Long, Long>> sessionOfRange = new HashMap<>();
    private final Checks checks;

    Resumes(final Checks checks)
    {
        this.checks = checks;
    }

    /** A resume that an owner has read: what its worker names, and what of that was there. */
    private record Asked(
        long requestId,
        long connectionId,
        ResumeNames names,
        long highestHolding,
        Set<Long> livePlans,
        Set<Long> liveHoldings)
    {
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isFromWorker())
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        final Map<Long, Asked> asked = askedOf.computeIfAbsent(owner, (key) -> new HashMap<>());
        if (ConnectRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            final ResumeNames names = ResumeNames.of(message);
            final long answered = answeredOf.computeIfAbsent(owner, (key) -> new HashMap<>())
                .getOrDefault(names.sessionId(), 0L);
            // once a resume is answered its worker may go on, and copies of it say nothing of what it uses then
            if (0 != names.sessionId() && message.correlationId() > answered &&
                null != owner.view().sessionState(names.sessionId()))
            {
                final Asked before = asked.get(names.sessionId());
                if (null == before || before.requestId <= message.correlationId() &&
                    !isTaken(owner, message, before))
                {
                    asked.put(names.sessionId(), asked(owner, message, names));
                }
            }
        }
        else if (owner.view().hears(message.sessionId(), message.link().connectionId()) &&
            asked.containsKey(message.sessionId()))
        {
            // it is resumed, and what it had may be used up before its answer finds a way
            asked.get(message.sessionId()).livePlans.clear();
            asked.get(message.sessionId()).liveHoldings.clear();
        }
    }

    /** A copy of a resume may name less than the one that the owner has taken: what its worker has released since. */
    private static boolean isTaken(final OwnerWatch owner, final Message message, final Asked before)
    {
        return before.requestId == message.correlationId() &&
            before.connectionId == message.link().connectionId() &&
            (SessionState.RESUMING == owner.view().sessionState(before.names.sessionId()) ||
            owner.view().hears(before.names.sessionId(), before.connectionId));
    }

    private static Asked asked(final OwnerWatch owner, final Message message, final ResumeNames names)
    {
        final long[] highest = new long[1];
        final Set<Long> plans = new HashSet<>();
        final Set<Long> holdings = new HashSet<>();
        owner.view().holdings(names.sessionId(), (id, slotId) ->
        {
            highest[0] = Math.max(highest[0], id);
            if (names.holdings().contains(id))
            {
                holdings.add(id);
            }
        });
        owner.view().puts((put) ->
        {
            if (put.sessionId() == names.sessionId() && names.plans().contains(put.planId()) &&
                (PutState.STARTED == put.state() || PutState.QUARANTINED == put.state()))
            {
                plans.add(put.planId());
            }
        });
        return new Asked(
            message.correlationId(), message.link().connectionId(), names, highest[0], plans, holdings);
    }

    @Override
    public void onSent(final Message message)
    {
        if (!message.isToWorker())
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        switch (message.templateId())
        {
            case GetStartResponseDecoder.TEMPLATE_ID ->
            {
                started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                started.holdings().forEach((holding) -> told(owner, holding.holdingId(), message));
            }
            case GetTransferResponseDecoder.TEMPLATE_ID ->
            {
                transferred.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                transferred.holdings().forEach((holding) -> told(owner, holding.holdingId(), message));
            }
            case ConnectResponseDecoder.TEMPLATE_ID -> onConnected(owner, message);
            default ->
            {
            }
        }
    }

    private void told(final OwnerWatch owner, final long holdingId, final Message message)
    {
        requestOfHolding.computeIfAbsent(owner, (key) -> new HashMap<>()).put(holdingId, message.correlationId());
    }

    private void onConnected(final OwnerWatch owner, final Message message)
    {
        connected.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final Map<Long, Asked> asked = askedOf.getOrDefault(owner, Map.of());
        final Asked resume = asked.get(message.sessionId());
        if (ErrorCode.OK == connected.status() && null != resume && resume.requestId == message.correlationId())
        {
            asked.remove(message.sessionId());
            answeredOf.get(owner).put(message.sessionId(), message.correlationId());
            // an answer may have waited for a link for so long that the session hangs once more
            final boolean isActive = SessionState.ACTIVE == owner.view().sessionState(message.sessionId());
            checkPuts(owner, message, resume.names, isActive);
            checkHoldings(owner, message, resume);
            if (isActive)
            {
                checkKept(owner, message, resume);
            }
        }
    }

    private static void checkPuts(
        final OwnerWatch owner, final Message message, final ResumeNames names, final boolean isActive)
    {
        owner.view().puts((put) ->
        {
            if (put.sessionId() == message.sessionId() && PutState.STARTED == put.state() &&
                !names.plans().contains(put.planId()) && !names.requests().contains(put.requestId()))
            {
                throw new Violation("API-10", owner + " " + put + ": was not named by " + message.to());
            }
            if (isActive && put.sessionId() == message.sessionId() &&
                (PutState.QUARANTINED == put.state() || PutState.QUARANTINING == put.state() ||
                PutState.RESTORING == put.state()))
            {
                throw new Violation("API-10", owner + " " + put + ": is in quarantine after the resume by " +
                    message.to());
            }
        });
    }

    /** What is left was named itself, or by its request; of an answer that never went out the request is not known. */
    private void checkHoldings(final OwnerWatch owner, final Message message, final Asked resume)
    {
        final ResumeNames names = resume.names;
        final Map<Long, Long> requests = requestOfHolding.getOrDefault(owner, Map.of());
        owner.view().holdings(message.sessionId(), (id, slotId) ->
        {
            final Long request = requests.get(id);
            final boolean isOfNamedRequest =
                null == request ? !names.requests().isEmpty() : names.requests().contains(request);
            if (id <= resume.highestHolding && !names.holdings().contains(id) && !isOfNamedRequest)
            {
                throw new Violation("API-10", owner + ": holding " + id + " of request " + request +
                    " was not named by " + message.to());
            }
        });
    }

    private static void checkKept(final OwnerWatch owner, final Message message, final Asked resume)
    {
        for (final long planId : resume.livePlans)
        {
            if (!owner.view().hasPut(message.sessionId(), planId))
            {
                throw new Violation("API-10", owner + ": plan " + planId + " was named by " + message.to() +
                    " and is gone");
            }
        }
        for (final long holdingId : resume.liveHoldings)
        {
            if (SlotTable.NONE == owner.view().holding(message.sessionId(), holdingId))
            {
                throw new Violation("API-10", owner + ": holding " + holdingId + " was named by " + message.to() +
                    " and is gone");
            }
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final Map<Long, Long> sessions = new LinkedHashMap<>();
        owner.view().sessions((session) ->
        {
            final Long other = sessions.put((long)session.arenaRange(), session.sessionId());
            if (null != other)
            {
                throw new Violation("SLOT-7", owner + " " + session + ": session " + other + " has its arena range");
            }
            if (SessionState.ACTIVE == session.state() &&
                owner.pool().count(SlotState.QUARANTINED) > 0 && session.putPlans() > 0)
            {
                checkActive(owner, session.sessionId());
            }
        });
        final Map<Long, Long> before = sessionOfRange.put(owner, sessions);
        if (null != before)
        {
            sessions.forEach((range, session) -> checkRange(owner, range, before.get(range), session));
        }
    }

    private static void checkActive(final OwnerWatch owner, final long sessionId)
    {
        owner.view().puts((put) ->
        {
            if (put.sessionId() == sessionId && PutState.QUARANTINED == put.state())
            {
                throw new Violation("API-10", owner + " " + put + ": is in quarantine while its session is active");
            }
        });
    }

    private void checkRange(final OwnerWatch owner, final long range, final Long before, final Long after)
    {
        if (null == before || before.equals(after))
        {
            return;
        }
        for (final VirtualWorker worker : checks.cluster().workers())
        {
            if (worker.owner() == owner.owner() && worker.client().sessionId() == before && !worker.isDead() &&
                !worker.client().isReleased())
            {
                throw new Violation("SLOT-7", owner + ": arena range " + range + " of " + worker +
                    " is given to session " + after);
            }
        }
    }

    @Override
    public void atQuiet()
    {
        for (final OwnerWatch owner : checks.owners())
        {
            if (checks.cluster().owners().contains(owner.owner()))
            {
                owner.view().sessions((session) ->
                {
                    if (owner.owner().processes().isGone(session.processId()))
                    {
                        throw new Violation("API-9", owner + " " + session + ": its process is gone");
                    }
                });
            }
        }
    }
}
