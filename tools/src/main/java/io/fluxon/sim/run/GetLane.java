package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.check.ReadAttempt;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gets of one worker, one after the other: start, transfer or cancel, a copy to the GPU, release.
 */
final class GetLane
{
    private static final double GIVE_UP_RATE = 0.05;
    private static final long LONGEST_COPY_NS = 5_000_000_000L;

    private final GetHandle handle;
    private final ClientObserver observer;
    private final WorkerLoad load;
    private final RunState run;
    private final VirtualWorker worker;
    private final Choices.Stream choices;
    private AtomicGroups groups;
    private String[] names;
    private int get;
    private boolean isCopying;
    private boolean isCopied;
    private long copyDeadlineNs;
    private ReadAttempt attempt;
    private GetHandle.State seen = GetHandle.State.IDLE;

    GetLane(final WorkerLoad load, final RunState run, final int maxKeys)
    {
        this.load = load;
        this.run = run;
        worker = load.worker;
        choices = load.choices;
        observer = run.clients;
        handle = new GetHandle(maxKeys);
    }

    boolean canAct()
    {
        return GetHandle.State.STARTED == handle.state() && !handle.isReusable() ||
            GetHandle.State.READABLE == handle.state() && !isCopying;
    }

    void act()
    {
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

    /** Tells what has become of the get since the last time. */
    void look()
    {
        if (handle.state() == seen || null == attempt)
        {
            return;
        }
        seen = handle.state();
        switch (seen)
        {
            case STARTED -> observer.onGetStarted(attempt);
            case READABLE -> observer.onReadable(attempt);
            case FAILED, CANCELLED -> observer.onGetFailed(attempt);
            default ->
            {
            }
        }
    }

    private void start()
    {
        names = load.names(-1);
        if (choices.chance(0.1))
        {
            names = doubled(names);
        }
        groups = choices.chance(0.5) ? load.groups(names.length) : null;
        isCopied = false;
        get++;
        final boolean isBestEffort = choices.chance(0.7);
        final int code = worker.getStart(handle, isBestEffort, groups, names);
        if (0 == code)
        {
            seen = GetHandle.State.STARTING;
            attempt = observer.onGetAsked(worker, handle, isBestEffort, WorkerLoad.lengths(groups), names);
        }
        run.began(code);
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
        if (isCopied || choices.chance(0.05))
        {
            if (!isCopying)
            {
                observer.onReleaseCalled(attempt);
                worker.client().releaseViews(handle);
            }
        }
        else if (!isCopying)
        {
            read();
        }
    }

    private void read()
    {
        isCopying = true;
        final int number = get;
        final PageRead read = new PageRead(observer, attempt, handle);
        copyDeadlineNs = run.nowNs() + LONGEST_COPY_NS;
        worker.copies().begin(
            PageRead.PIECES,
            (piece) ->
            {
                if (GetHandle.State.READABLE == handle.state() && number == get)
                {
                    read.move(piece);
                }
            },
            (isGood) ->
            {
                if (number == get)
                {
                    isCopying = false;
                    isCopied = true;
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
