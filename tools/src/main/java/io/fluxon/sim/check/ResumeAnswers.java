package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.sim.cluster.LinkFaults;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A resume that an owner has carried out is answered, soon, by the way on which its worker has come (API-10).
 */
@Watches("API-10")
final class ResumeAnswers implements Checker
{
    private static final long LONGEST_CYCLE_NS = 20_000_000;
    private static final long BOUND_NS = 400_000_000;

    private final Map<OwnerWatch, Map<Long, Resume>> resumesOf = new HashMap<>();
    private final Checks checks;

    ResumeAnswers(final Checks checks)
    {
        this.checks = checks;
    }

    /** The newest resume of a session. */
    private static final class Resume
    {
        private VirtualNetwork.Link way;
        private VirtualWorker worker;
        private long requestId;
        private long answeredId;
        private boolean isRepeated;
        private long waitedNs;
        private long lastNs;
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromWorker() && ConnectRequestDecoder.TEMPLATE_ID == message.templateId() &&
            0 != message.sessionId())
        {
            final OwnerWatch owner = checks.of(message.owner());
            final Resume resume = resumesOf.computeIfAbsent(owner, (key) -> new HashMap<>())
                .computeIfAbsent(message.sessionId(), (key) -> new Resume());
            if (message.correlationId() > resume.requestId)
            {
                resume.way = message.link();
                resume.worker = (VirtualWorker)message.from();
                resume.requestId = message.correlationId();
                resume.isRepeated = false;
                resume.waitedNs = 0;
                resume.lastNs = owner.view().nowNs();
            }
            else if (message.correlationId() == resume.requestId &&
                owner.view().hears(message.sessionId(), message.link().connectionId()))
            {
                // the first answer may find no room; a worker that asks no more has given up
                resume.isRepeated = true;
            }
        }
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToWorker() && ConnectResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            final Map<Long, Resume> resumes = resumesOf.get(checks.of(message.owner()));
            final Resume resume = null == resumes ? null : resumes.get(message.sessionId());
            if (null != resume && resume.worker == message.to())
            {
                resume.answeredId = Math.max(resume.answeredId, message.correlationId());
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Map<Long, Resume> resumes = resumesOf.get(owner);
        if (null == resumes || resumes.isEmpty())
        {
            return;
        }
        final Iterator<Map.Entry<Long, Resume>> entries = resumes.entrySet().iterator();
        while (entries.hasNext())
        {
            final Map.Entry<Long, Resume> entry = entries.next();
            final OwnerView.SessionState state = owner.view().sessionState(entry.getKey());
            if (null == state)
            {
                entries.remove();
            }
            else
            {
                await(owner, entry.getKey(), entry.getValue(), OwnerView.SessionState.ACTIVE == state);
            }
        }
    }

    private static void await(
        final OwnerWatch owner, final long sessionId, final Resume resume, final boolean isCarriedOut)
    {
        final long nowNs = owner.view().nowNs();
        final long cycleNs = Math.min(LONGEST_CYCLE_NS, nowNs - resume.lastNs);
        resume.lastNs = nowNs;
        final LinkFaults faults = owner.owner().workerAnswerFaults;
        final boolean canHear = !resume.worker.isDead() && !resume.worker.isPaused() && !resume.worker.hasLeft() &&
            resume.way == resume.worker.requests() && !faults.disconnected &&
            faults.cloggedUntilNs <= nowNs && faults.blockedUntilNs <= nowNs;
        if (isCarriedOut && canHear && resume.isRepeated && resume.answeredId < resume.requestId)
        {
            resume.waitedNs += cycleNs;
            if (resume.waitedNs > BOUND_NS)
            {
                throw new Violation("API-10", owner + ": has not answered resume " + resume.requestId + " of session " +
                    sessionId + " by " + resume.worker + ", which is active");
            }
        }
    }
}
