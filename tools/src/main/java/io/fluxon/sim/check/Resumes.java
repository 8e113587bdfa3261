package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * After a resume a session has what its worker named, and nothing else that was there before (API-10); no two workers
 * that live have the same part of the plan arena (SLOT-7), and at the end no session is left of a process that is gone
 * (API-9).
 */
@Watches({"API-10", "API-9", "SLOT-7"})
final class Resumes implements Checker
{
    private final ConnectResponseDecoder connected = new ConnectResponseDecoder();
    private final Map<OwnerWatch, Map<Long, Asked>> askedOf = new HashMap<>();
    private final Map<OwnerWatch, Map<Long, Long>> answeredOf = new HashMap<>();
    private final Map<OwnerWatch, Map<Long, Long>> processOfRange = new HashMap<>();
    private final Checks checks;

    Resumes(final Checks checks)
    {
        this.checks = checks;
    }

    /** A resume that an owner has read. */
    private record Asked(long requestId, ResumeNames names, long highestHolding)
    {
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromWorker() && ConnectRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            final OwnerWatch owner = checks.of(message.owner());
            final ResumeNames names = ResumeNames.of(message);
            final long answered = answeredOf.computeIfAbsent(owner, (key) -> new HashMap<>())
                .getOrDefault(names.sessionId(), 0L);
            // once a resume is answered its worker may go on, and copies of it say nothing of what it uses then
            if (0 != names.sessionId() && message.correlationId() > answered &&
                null != owner.view().sessionState(names.sessionId()))
            {
                final long[] highest = new long[1];
                owner.view().holdings(names.sessionId(), (id, slotId) -> highest[0] = Math.max(highest[0], id));
                final Map<Long, Asked> asked = askedOf.computeIfAbsent(owner, (key) -> new HashMap<>());
                final Asked before = asked.get(names.sessionId());
                if (null == before || before.requestId <= message.correlationId())
                {
                    asked.put(names.sessionId(), new Asked(message.correlationId(), names, highest[0]));
                }
            }
        }
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToWorker() && ConnectResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            connected.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            if (ErrorCode.OK == connected.status())
            {
                final OwnerWatch owner = checks.of(message.owner());
                final Map<Long, Asked> asked = askedOf.get(owner);
                final Asked resume = null == asked ? null : asked.get(message.sessionId());
                if (null != resume && resume.requestId == message.correlationId())
                {
                    asked.remove(message.sessionId());
                    answeredOf.get(owner).put(message.sessionId(), message.correlationId());
                    check(owner, message, resume);
                }
            }
        }
    }

    private static void check(final OwnerWatch owner, final Message message, final Asked resume)
    {
        final ResumeNames names = resume.names;
        // an answer may have waited for a link for so long that the session hangs once more
        final boolean isActive = "ACTIVE".equals(owner.view().sessionState(message.sessionId()));
        owner.view().puts((put) ->
        {
            if (put.sessionId() == message.sessionId() && "STARTED".equals(put.state()) &&
                !names.plans().contains(put.planId()) && !names.requests().contains(put.requestId()))
            {
                throw new Violation("API-10", owner + " " + put + ": was not named by " + message.to());
            }
            if (isActive && put.sessionId() == message.sessionId() &&
                ("QUARANTINED".equals(put.state()) || "QUARANTINING".equals(put.state()) ||
                "RESTORING".equals(put.state())))
            {
                throw new Violation("API-10", owner + " " + put + ": is in quarantine after the resume by " +
                    message.to());
            }
        });
        if (names.requests().isEmpty())
        {
            owner.view().holdings(message.sessionId(), (id, slotId) ->
            {
                if (id <= resume.highestHolding && !names.holdings().contains(id))
                {
                    throw new Violation("API-10", owner + ": holding " + id + " was not named by " + message.to());
                }
            });
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final Map<Long, Long> processes = new LinkedHashMap<>();
        owner.view().sessions((session) ->
        {
            final Long other = processes.put((long)session.arenaRange(), session.processId());
            if (null != other)
            {
                throw new Violation("SLOT-7", owner + " " + session + ": process " + other + " has its arena range");
            }
            if ("ACTIVE".equals(session.state()) &&
                owner.pool().count(SlotState.QUARANTINED) > 0 && session.putPlans() > 0)
            {
                checkActive(owner, session.sessionId());
            }
        });
        final Map<Long, Long> before = processOfRange.put(owner, processes);
        if (null != before)
        {
            processes.forEach((range, process) -> checkRange(owner, range, before.get(range), process));
        }
    }

    private static void checkActive(final OwnerWatch owner, final long sessionId)
    {
        owner.view().puts((put) ->
        {
            if (put.sessionId() == sessionId && "QUARANTINED".equals(put.state()))
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
            if (worker.processId() == before && !worker.isDead() && !worker.client().isReleased())
            {
                throw new Violation("SLOT-7", owner + ": arena range " + range + " of " + worker +
                    " is given to process " + after);
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
