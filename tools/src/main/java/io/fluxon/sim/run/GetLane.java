package io.fluxon.sim.run;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.ReadAttempt;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gets of one worker, one after the other: start, transfer or cancel, copies to the GPU, release. Now and then views
 * are held for longer than any time to live, and read once more then.
 */
final class GetLane
{
    private static final double GIVE_UP_RATE = 0.05;
    private static final double KEEP_RATE = 0.01;
    private static final long LONG_NS = 7_000_000_000L;
    private static final long LONGEST_COPY_NS = 5_000_000_000L;

    private final GetHandle handle;
    private final WorkerLoad load;
    private final RunState run;
    private final VirtualWorker worker;
    private final Choices.Stream choices;
    private ReadAttempt attempt;
    private GetHandle.State seen = GetHandle.State.IDLE;
    private AtomicGroups groups;
    private int reads;
    private boolean isCopying;
    private long copyDeadlineNs;
    private long keptUntilNs;

    GetLane(final WorkerLoad load, final RunState run, final int maxKeys)
    {
        this.load = load;
        this.run = run;
        worker = load.worker;
        choices = load.choices;
        handle = new GetHandle(maxKeys);
    }

    /** Tells the checkers what has become of the get. */
    void watch()
    {
        if (null == attempt || seen == handle.state())
        {
            return;
        }
        seen = handle.state();
        switch (seen)
        {
            case STARTED ->
            {
                run.clients().onGetStarted(attempt);
                attempt = handle.isReusable() ? null : attempt;
            }
            case READABLE ->
            {
                run.clients().onReadable(attempt);
                reads = 1;
                keptUntilNs = choices.chance(KEEP_RATE) ? run.nowNs() + LONG_NS : 0;
            }
            case RELEASED -> attempt = null;
            case CANCELLED, FAILED ->
            {
                Violation.unless(ErrorCode.INVALID_ARGUMENT != handle.errorCode(), "API-4",
                    "a proper call of %s was refused: %s", attempt, handle.errorMessage());
                run.clients().onGetFailed(attempt);
                attempt = null;
            }
            default ->
            {
            }
        }
    }

    boolean canAct()
    {
        return !isCopying && (handle.isReusable() ? run.mayBegin() :
            GetHandle.State.STARTED == handle.state() ||
            GetHandle.State.READABLE == handle.state() && run.nowNs() >= keptUntilNs);
    }

    void act()
    {
        if (isCopying)
        {
            return;
        }
        if (handle.isReusable())
        {
            if (run.mayBegin())
            {
                start();
            }
            return;
        }
        switch (handle.state())
        {
            case STARTED -> transfer();
            case STARTING, TRANSFERRING ->
            {
                if (choices.chance(GIVE_UP_RATE))
                {
                    worker.client().cancelGetTransfer(handle);
                }
            }
            case READABLE -> goOn();
            default ->
            {
            }
        }
    }

    private void start()
    {
        final String[] once = load.names(-1);
        final String[] names = choices.chance(0.1) ? doubled(once) : once;
        final boolean isBestEffort = choices.chance(0.7);
        groups = choices.chance(0.5) ? load.groups(names.length) : null;
        if (load.began(worker.getStart(handle, isBestEffort, groups, names)))
        {
            seen = GetHandle.State.IDLE;
            attempt = run.clients().onGetAsked(worker, handle, isBestEffort, WorkerLoad.lengths(groups), names);
        }
    }

    private String[] doubled(final String[] keys)
    {
        final List<String> rest = new ArrayList<>(Arrays.asList(keys));
        rest.addAll(Arrays.asList(keys));
        final String[] twice = new String[rest.size()];
        for (int i = 0; i < twice.length; i++)
        {
            twice[i] = rest.remove(choices.below(rest.size()));
        }
        return twice;
    }

    private void transfer()
    {
        if (0 == handle.transferableLen() || choices.chance(0.15))
        {
            worker.client().cancelGetTransfer(handle);
        }
        else
        {
            final boolean isShort = null != groups && choices.chance(0.3);
            worker.client().getTransfer(handle, isShort ? groups.keyCount(0) : -1);
        }
    }

    private void goOn()
    {
        if (run.nowNs() < keptUntilNs)
        {
            return;
        }
        if (reads > 0 && !choices.chance(0.05))
        {
            reads--;
            if (0 != keptUntilNs)
            {
                keptUntilNs = 0;
                reads++;
            }
            read();
        }
        else if (0 == keptUntilNs)
        {
            run.clients().onReleaseCalled(attempt);
            if (ErrorCode.OK != worker.client().releaseViews(handle))
            {
                run.clients().onReadable(attempt);
            }
        }
    }

    private void read()
    {
        isCopying = true;
        copyDeadlineNs = run.nowNs() + LONGEST_COPY_NS;
        final PageRead read = new PageRead(handle);
        final ReadAttempt from = attempt;
        worker.copies().begin(
            PageStamp.Part.values().length,
            read::move,
            (isGood) ->
            {
                isCopying = false;
                if (isGood && from == attempt && GetHandle.State.READABLE == handle.state())
                {
                    read.tell(run.clients(), from);
                }
            });
    }

    boolean isCopying()
    {
        return isCopying;
    }

    /** Is the end of a copy overdue? */
    boolean isHung()
    {
        return isCopying && run.nowNs() > copyDeadlineNs;
    }

    boolean isQuiet()
    {
        return handle.isReusable();
    }

    String describe()
    {
        return handle.state() + (isCopying ? "+copy" : "");
    }
}
