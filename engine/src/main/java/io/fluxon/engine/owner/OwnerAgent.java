package io.fluxon.engine.owner;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.TransferListener;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/**
 * The owner: one agent that owns everything of an owner process except its threads and its I/O (contract G10: no long
 * step, nothing blocks). Deterministic: what it does depends on its context's clock and boundary only.
 */
public final class OwnerAgent implements Agent
{
    private static final int CLAIM_LIMIT = 64;
    private static final int NOT_POLLED = -1;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CATCH_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final OwnerCore core;
    private final OwnerContext context;
    private final OwnerSettings settings;
    private final OwnerAudit audit;
    private final ChecksumListener onChecksum;
    private final TransferListener onTransfer;
    private long lastCycleNs;
    private long behindSinceNs;
    private boolean isBehind;

    /**
     * An owner that has not begun to work.
     *
     * @param context concluded.
     */
    public OwnerAgent(final OwnerContext context)
    {
        this.context = context;
        settings = context.settings();
        core = new OwnerCore(context);
        audit = new OwnerAudit(core);
        onChecksum = core::onChecksum;
        onTransfer = core.flights::onTransfer;
        lastCycleNs = core.nowNs();
    }

    /** {@inheritDoc} */
    @Override
    public int doWork()
    {
        final long nowNs = context.nanoClock().nanoTime();
        core.nowNs(nowNs);
        core.budget.beginCycle();

        final int messages = pollWorkers();
        final int answers = context.masterSource().poll(core.masterMessages, settings.masterMessageLimit());
        final boolean isWorkersRead = messages >= 0 && messages < settings.workerMessageLimit();
        int work = Math.max(0, messages) + answers;
        work += core.master.doWork(nowNs);
        final int transfers = context.transferQueue().poll(onTransfer, settings.completionLimit());
        final int checksums = context.checksumQueue().poll(onChecksum, settings.completionLimit());
        final int completions = transfers + checksums;
        final boolean isAllRead = isWorkersRead && answers < settings.masterMessageLimit() && 0 == completions;
        work += completions;
        work += isUpToDate(nowNs, isAllRead) ? core.timers.doWork(nowNs) : 0;
        work += core.sessions.doWork(nowNs, isWorkersRead);
        work += core.publishes.doWork();
        work += core.flights.starts().doWork(nowNs);
        core.rechecks.doWork();
        work += core.evictions.doWork(nowNs);
        work += core.replicas.doWork(nowNs);
        work += core.jobs.doWork(nowNs, settings.jobStepLimit());
        work += core.claims.poll(nowNs, CLAIM_LIMIT);
        work += audit.doWork(nowNs);
        work += core.sessions.flush();
        work += core.master.flush();

        return work;
    }

    /** Keys that the duty cycle before the last one touched. */
    int keysTouched()
    {
        return core.budget.lastUsed();
    }

    /** {@inheritDoc} */
    @Override
    public void onClose()
    {
        core.sessions.close();
        core.master.close();
        core.windows.close();
    }

    /** {@inheritDoc} */
    @Override
    public String roleName()
    {
        return "owner";
    }

    /**
     * A worker's connection has ended: what it left incomplete is forgotten. Called on the agent's thread.
     *
     * @param connectionId that will not be seen again.
     */
    public void onWorkerDisconnected(final long connectionId)
    {
        core.workerMessages.forget(connectionId);
    }

    /**
     * The master's connection has ended: what it left incomplete is forgotten. Called on the agent's thread.
     *
     * @param connectionId that will not be seen again.
     */
    public void onMasterDisconnected(final long connectionId)
    {
        core.masterMessages.forget(connectionId);
    }

    /** Begins an audit; its result is in the counters when {@link OwnerCounter#AUDITS} has risen. */
    public void requestAudit()
    {
        audit.request();
    }

    OwnerCore core()
    {
        return core;
    }

    /**
     * After a stall: what has come meanwhile is read and carried out before a wait ends by time, since nobody else was
     * late (contract LIFE-2). An owner that has more to do than it can is up to date after a second at the latest.
     *
     * @return true when waits may end by time.
     */
    private boolean isUpToDate(final long nowNs, final boolean isAllRead)
    {
        if (!isBehind && nowNs - lastCycleNs > STALL_NS)
        {
            isBehind = true;
            behindSinceNs = nowNs;
        }
        lastCycleNs = nowNs;
        final boolean isIdle = isAllRead && 0 == core.jobs.size();
        isBehind = isBehind && !isIdle && nowNs - behindSinceNs < CATCH_UP_NS;

        return !isBehind;
    }

    /**
     * Reads requests, unless so many jobs can go on that more would only wait (contract BOUND-1).
     *
     * @return number of messages, or {@link #NOT_POLLED}.
     */
    private int pollWorkers()
    {
        return core.jobs.size() >= settings.maxRunnableJobs() ?
            NOT_POLLED : context.workerSource().poll(core.workerMessages, settings.workerMessageLimit());
    }
}
