package io.fluxon.sim.run;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.PutAttempt;
import io.fluxon.sim.check.PutRequest;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.Arrays;

/**
 * Puts of one worker, one after the other: start, a copy from the GPU, commit or abort.
 */
final class PutLane
{
    private static final PageStamp.Part[] PARTS = PageStamp.Part.values();
    private static final double GIVE_UP_RATE = 0.02;
    private static final double MEMBER_RATE = 0.8;
    private static final long LONGEST_COPY_NS = 5_000_000_000L;

    private final PutPlan plan;
    private final PutOptions options = new PutOptions();
    private final WorkerLoad load;
    private final RunState run;
    private final VirtualWorker worker;
    private final Choices.Stream choices;
    private final Choices.Stream wishChoices;
    private PutAttempt attempt;
    private String[] names;
    private int length;
    private PutPlan.State seen = PutPlan.State.IDLE;
    private Copy copy = Copy.NONE;
    private long copyDeadlineNs;

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
        wishChoices = load.wishChoices;
        plan = new PutPlan(maxKeys);
    }

    /** Tells the checkers what has become of the put. */
    void watch()
    {
        if (null == attempt || seen == plan.state())
        {
            return;
        }
        seen = plan.state();
        switch (seen)
        {
            case STARTED -> run.clients().onPutStarted(attempt);
            case LOCAL_READY -> run.clients().onLocalReady(attempt);
            case DONE ->
            {
                run.clients().onLocalReady(attempt);
                run.clients().onPutDone(attempt);
                attempt = null;
            }
            case FAILED, ABORTED ->
            {
                Violation.unless(ErrorCode.INVALID_ARGUMENT != plan.errorCode(), "API-4",
                    "a proper call of %s was refused: %s", attempt, plan.errorMessage());
                run.clients().onPutFailed(attempt);
                attempt = null;
            }
            default ->
            {
            }
        }
    }

    boolean canAct()
    {
        return !isCopying() && (PutPlan.State.STARTED == plan.state() || plan.isReusable() && run.mayBegin());
    }

    void act()
    {
        if (isCopying())
        {
            return;
        }
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

    private void start()
    {
        length = load.length();
        names = load.names(choices.chance(0.02) ? -1 : length);
        final boolean rejectsExisting = choices.chance(0.25);
        final boolean rejectsInflight = choices.chance(0.25);
        final AtomicGroups groups = choices.chance(0.5) ? load.groups(names.length) : null;
        options.clear();
        options.rejectIfExistSameKey(rejectsExisting);
        options.rejectIfInflightSameKey(rejectsInflight);
        if (null != groups)
        {
            options.atomicGroups(groups);
        }
        final boolean[] wishes = wishes(groups);
        options.makeReplicaTask(null != wishes).mask(wishes);
        if (load.began(worker.putStart(plan, length, options, names)))
        {
            run.convoy.lead(names, length);
            copy = Copy.NONE;
            seen = PutPlan.State.IDLE;
            attempt = run.clients().onPutAsked(worker, plan, new PutRequest(
                length, WorkerLoad.lengths(groups), rejectsExisting, rejectsInflight, wishes, names));
        }
    }

    /** Which keys are to have a replica, whole groups; null = no key, then the put does not speak of replicas. */
    private boolean[] wishes(final AtomicGroups groups)
    {
        final double rate = run.swarm.replicaRate;
        if (0 == rate || !wishChoices.chance(rate))
        {
            return null;
        }

        final boolean[] wishes = new boolean[names.length];
        int start = 0;
        for (int group = 0; start < names.length; group++)
        {
            final int end = start + (null == groups ? 1 : groups.keyCount(group));
            Arrays.fill(wishes, start, end, wishChoices.chance(MEMBER_RATE));
            start = end;
        }

        return wishes;
    }

    private void goOn()
    {
        if (Copy.NONE == copy && !choices.chance(0.05))
        {
            write();
        }
        else if (Copy.DONE == copy && !choices.chance(0.1))
        {
            run.convoy.lead(names, length);
            run.clients().onCommitCalled(attempt);
            if (ErrorCode.OK != worker.client().putCommit(plan))
            {
                run.clients().onCommitRefused(attempt);
            }
        }
        else
        {
            run.clients().onAbortCalled(attempt);
            if (ErrorCode.OK != worker.client().putAbort(plan))
            {
                run.clients().onPutStarted(attempt);
            }
        }
    }

    private void write()
    {
        copy = Copy.RUNNING;
        copyDeadlineNs = run.nowNs() + LONGEST_COPY_NS;
        final PutAttempt written = attempt;
        worker.copies().begin(
            PARTS.length,
            (piece) ->
            {
                for (int i = 0; i < written.count(); i++)
                {
                    written.write(i, PARTS[piece]);
                }
            },
            (isGood) -> copy = isGood ? Copy.DONE : Copy.FAILED);
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
        return plan.state() + (isCopying() ? "+copy" : "");
    }
}
