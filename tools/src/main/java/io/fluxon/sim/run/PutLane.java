package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.check.PutAttempt;
import io.fluxon.sim.check.PutRequest;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualWorker;

/**
 * Puts of one worker, one after the other: start, a copy from the GPU, commit or abort.
 */
final class PutLane
{
    private static final double GIVE_UP_RATE = 0.02;
    private static final long LONGEST_COPY_NS = 5_000_000_000L;

    private final PutPlan plan;
    private final ClientObserver observer;
    private final PutOptions options = new PutOptions();
    private final WorkerLoad load;
    private final RunState run;
    private final VirtualWorker worker;
    private final Choices.Stream choices;
    private String[] names;
    private int length;
    private Copy copy = Copy.NONE;
    private int put;
    private long copyDeadlineNs;
    private PutAttempt attempt;
    private PutPlan.State seen = PutPlan.State.IDLE;

    /** How far the copy is. */
    private enum Copy
    {
        NONE, RUNNING, DONE, FAILED
    }

    PutLane(final WorkerLoad load, final RunState run, final int maxKeys)
    {
        this.load = load;
        this.run = run;
        worker = load.worker;
        choices = load.choices;
        observer = run.clients;
        plan = new PutPlan(maxKeys);
    }

    boolean canAct()
    {
        return PutPlan.State.STARTED == plan.state() && Copy.RUNNING != copy;
    }

    void act()
    {
        if (plan.isReusable())
        {
            if (run.mayBegin())
            {
                start();
            }
        }
        else if (PutPlan.State.STARTED == plan.state())
        {
            goOn();
        }
        else if (PutPlan.State.STARTING == plan.state() && choices.chance(GIVE_UP_RATE))
        {
            worker.client().putAbort(plan);
        }
    }

    /** Tells what has become of the put since the last time. */
    void look()
    {
        if (plan.state() == seen || null == attempt)
        {
            return;
        }
        seen = plan.state();
        switch (seen)
        {
            case LOCAL_READY -> observer.onLocalReady(attempt);
            case DONE -> observer.onPutDone(attempt);
            case FAILED, ABORTED -> observer.onPutFailed(attempt);
            default ->
            {
            }
        }
    }

    private void start()
    {
        length = load.length();
        names = load.names(choices.chance(0.02) ? -1 : length);
        options.clear();
        options.rejectIfExistSameKey(choices.chance(0.25));
        options.rejectIfInflightSameKey(choices.chance(0.25));
        final AtomicGroups groups = choices.chance(0.5) ? load.groups(names.length) : null;
        if (null != groups)
        {
            options.atomicGroups(groups);
        }
        copy = Copy.NONE;
        put++;
        final int code = worker.putStart(plan, length, options, names);
        if (0 == code)
        {
            seen = PutPlan.State.STARTING;
            attempt = observer.onPutAsked(worker, plan, new PutRequest(
                length, WorkerLoad.lengths(groups), options.rejectIfExistSameKey(), options.rejectIfInflightSameKey(), names));
        }
        run.began(code);
    }

    private void goOn()
    {
        switch (copy)
        {
            case NONE ->
            {
                if (choices.chance(0.05))
                {
                    abort();
                }
                else
                {
                    write();
                }
            }
            case DONE ->
            {
                if (choices.chance(0.1))
                {
                    abort();
                }
                else
                {
                    commit();
                }
            }
            case FAILED -> abort();
            default ->
            {
            }
        }
    }

    private void abort()
    {
        observer.onAbortCalled(attempt);
        worker.client().putAbort(plan);
    }

    private void commit()
    {
        observer.onCommitCalled(attempt);
        if (0 != worker.client().putCommit(plan))
        {
            observer.onCommitRefused(attempt);
        }
    }

    private void write()
    {
        copy = Copy.RUNNING;
        final int number = put;
        observer.onPutStarted(attempt);
        final PageWrite write = new PageWrite(attempt, plan);
        copyDeadlineNs = run.nowNs() + LONGEST_COPY_NS;
        worker.copies().begin(
            PageWrite.PIECES,
            write::move,
            (isGood) ->
            {
                if (number == put)
                {
                    copy = isGood ? Copy.DONE : Copy.FAILED;
                }
            });
    }

    boolean isCopying()
    {
        return Copy.RUNNING == copy;
    }

    /** Is the end of a copy overdue? */
    boolean isHung()
    {
        return isCopying() && run.nowNs() > copyDeadlineNs;
    }

    boolean isQuiet(final boolean isLocalEnough)
    {
        return plan.isReusable() || isLocalEnough && PutPlan.State.LOCAL_READY == plan.state();
    }

    String describe()
    {
        return plan.state() + (Copy.RUNNING == copy ? "+copy" : "");
    }
}
