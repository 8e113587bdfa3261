package io.fluxon.engine.host;

import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterCounters;
import io.fluxon.ipc.counters.ControlToggle;
import org.agrona.concurrent.Agent;

/**
 * The master's agent, and the toggle by which a tool asks it for an audit.
 */
final class AuditedMaster implements Agent
{
    private static final long NOT_RUNNING = -1;

    private final MasterAgent agent;
    private final MasterCounters counters;
    private final ControlToggle toggle;
    private long auditsBefore = NOT_RUNNING;

    AuditedMaster(final MasterAgent agent, final MasterCounters counters, final ControlToggle toggle)
    {
        this.agent = agent;
        this.counters = counters;
        this.toggle = toggle;
    }

    @Override
    public int doWork()
    {
        final int workCount = agent.doWork();
        if (NOT_RUNNING == auditsBefore)
        {
            if (ControlToggle.State.AUDIT == toggle.get())
            {
                auditsBefore = counters.get(MasterCounter.AUDITS);
                agent.requestAudit();
            }
        }
        else if (auditsBefore != counters.get(MasterCounter.AUDITS))
        {
            auditsBefore = NOT_RUNNING;
            toggle.reset();
        }
        return workCount;
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }
}
