package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
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

    private void start()
    {
        length = load.length();
        names = load.names(choices.chance(0.02) ? -1 : length);
        options.clear();
        options.rejectIfExistSameKey(choices.chance(0.25));
        options.rejectIfInflightSameKey(choices.chance(0.25));
        if (choices.chance(0.5))
        {
            options.atomicGroups(load.groups(names.length));
        }
        copy = Copy.NONE;
        put++;
        run.began(worker.putStart(plan, length, options, names));
    }

    private void goOn()
    {
        switch (copy)
        {
            case NONE ->
            {
                if (choices.chance(0.05))
                {
                    worker.client().putAbort(plan);
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
                    worker.client().putAbort(plan);
                }
                else
                {
                    worker.client().putCommit(plan);
                }
            }
            case FAILED -> worker.client().putAbort(plan);
            default ->
            {
            }
        }
    }

    private void write()
    {
        copy = Copy.RUNNING;
        final int number = put;
        final PageWrite write = new PageWrite(plan, names, length);
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
