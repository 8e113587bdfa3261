package io.fluxon.tools.fault;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.replay.Disturbance;
import io.fluxon.tools.replay.Replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Faults one after the other, each at a random instant and of a random victim. The next one comes when the process is
 * back and has been taken back by the others; requests are handed out in as many shares as there are faults and one
 * more, so that there is work around each of them and after the last.
 */
final class RandomFaults implements Disturbance
{
    private enum State
    {
        STARTING, WAITING, AWAY, RETURNING, OVER
    }

    /** Longer than the image liveness of Aeron, 10 s, and every liveness timeout of the cluster. */
    private static final long STOPPED_NS = SECONDS.toNanos(12);
    private static final long MAX_WAIT_MS = 600;
    private static final long RETURN_TIMEOUT_NS = SECONDS.toNanos(90);
    private static final long NOTHING_TO_NOTICE = -1;
    private static final int MASTER_AWAY_TIMEOUTS = 2;

    private final Cluster cluster;
    private final ClusterCounters counters;
    private final Replay replay;
    private final int workers;
    private final Random random;
    private final ArrayDeque<Fault> faults;
    private final int shares;
    private final List<String> told = new ArrayList<>();
    private final boolean[] isAsked;
    private final boolean[] hasGoneOn;
    private State state = State.STARTING;
    private Fault fault;
    private int victim;
    private long nextNs;
    private long countBefore;
    private boolean isReopened;
    private int happened;
    private int done;
    private int total;

    RandomFaults(
        final Cluster cluster,
        final ClusterCounters counters,
        final Replay replay,
        final int workers,
        final List<Fault> faults,
        final Random random)
    {
        this.cluster = cluster;
        this.counters = counters;
        this.replay = replay;
        this.workers = workers;
        this.faults = new ArrayDeque<>(faults);
        this.random = random;
        shares = faults.size() + 1;
        isAsked = new boolean[workers];
        hasGoneOn = new boolean[workers];
    }

    /** What happened, for a message. */
    List<String> told()
    {
        return told;
    }

    @Override
    public void step(final long nowNs, final int ended, final int requests)
    {
        done = ended;
        total = requests;
        switch (state)
        {
            case STARTING ->
            {
                if (ended > 0)
                {
                    awaitNext(nowNs);
                }
            }
            case WAITING ->
            {
                if (nowNs - nextNs >= 0)
                {
                    begin(nowNs);
                }
            }
            case AWAY ->
            {
                if (nowNs - nextNs >= 0)
                {
                    comeBack();
                    state = State.RETURNING;
                    nextNs = nowNs + RETURN_TIMEOUT_NS;
                }
            }
            case RETURNING -> awaitReturn(nowNs);
            case OVER ->
            {
            }
        }
    }

    private void awaitNext(final long nowNs)
    {
        state = faults.isEmpty() ? State.OVER : State.WAITING;
        nextNs = nowNs + MILLISECONDS.toNanos(random.nextLong(MAX_WAIT_MS));
    }

    private void begin(final long nowNs)
    {
        fault = faults.remove();
        victim = random.nextInt(fault.isOfWorker() ? workers : cluster.gpuOwners());
        told.add(fault + " " + victim + " after " + done + " requests");
        countBefore = fault.isOfWorker() && !isEachAttached() ? NOTHING_TO_NOTICE : noticed();
        isReopened = false;
        state = State.AWAY;
        nextNs = nowNs + switch (fault)
        {
            case KILL_WORKER, KILL_OWNER -> 0;
            case KILL_MASTER -> MILLISECONDS.toNanos((long)MASTER_AWAY_TIMEOUTS * cluster.livenessMs());
            default -> STOPPED_NS;
        };
        switch (fault)
        {
            case KILL_WORKER -> replay.process(victim).kill();
            case KILL_OWNER -> cluster.killAndRestartOwner(victim);
            case KILL_MASTER -> cluster.killMaster();
            case STOP_WORKER -> replay.process(victim).pause();
            case STOP_OWNER -> cluster.owner(victim).pause();
            case STOP_MASTER -> cluster.master().pause();
        }
    }

    private void comeBack()
    {
        switch (fault)
        {
            case KILL_MASTER -> cluster.restartMaster();
            case STOP_WORKER -> replay.process(victim).resume();
            case STOP_OWNER -> cluster.owner(victim).resume();
            case STOP_MASTER -> cluster.master().resume();
            default ->
            {
            }
        }
    }

    private void awaitReturn(final long nowNs)
    {
        if (isBack())
        {
            happened++;
            awaitNext(nowNs);
        }
        else if (nowNs - nextNs >= 0)
        {
            throw new ClusterException("not taken back within " + NANOSECONDS.toSeconds(RETURN_TIMEOUT_NS) + " s: " +
                told);
        }
    }

    private boolean isBack()
    {
        if (!isReopened)
        {
            isReopened = switch (fault)
            {
                case KILL_OWNER -> cluster.isOwnerReady(victim);
                case KILL_MASTER -> cluster.isMasterReady();
                default -> true;
            };
            if (isReopened && Fault.KILL_OWNER == fault)
            {
                counters.reopenOwner(victim);
            }
            if (isReopened && Fault.KILL_MASTER == fault)
            {
                counters.reopenMaster();
            }
        }
        return isReopened && cluster.ownerCount() == counters.master(MasterCounter.OWNERS_LIVE) &&
            noticed() > countBefore;
    }

    /** Rises when the others have noticed that the process was away, and have taken it back. */
    private long noticed()
    {
        return switch (fault)
        {
            case KILL_WORKER -> counters.owner(ownerOfVictim(), OwnerCounter.SESSIONS_CLOSED);
            case STOP_WORKER -> counters.owner(ownerOfVictim(), OwnerCounter.SESSIONS_RESUMED);
            case STOP_OWNER -> counters.owner(victim, OwnerCounter.MASTER_REGISTRATIONS);
            case KILL_OWNER -> counters.master(MasterCounter.OWNERS_REPLACED) +
                counters.master(MasterCounter.OWNERS_EXPIRED);
            case KILL_MASTER, STOP_MASTER -> leastRegistrations();
        };
    }

    /** A worker whose owner was killed does not attach to the next one before it has something to do. */
    private boolean isEachAttached()
    {
        return workers / cluster.gpuOwners() == counters.owner(ownerOfVictim(), OwnerCounter.SESSIONS);
    }

    private int ownerOfVictim()
    {
        return victim % cluster.gpuOwners();
    }

    private long leastRegistrations()
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < cluster.ownerCount(); i++)
        {
            least = Math.min(least, counters.owner(i, OwnerCounter.MASTER_REGISTRATIONS));
        }
        return least;
    }

    @Override
    public void onDone(final int worker, final int code)
    {
        isAsked[worker] |= State.OVER == state;
        hasGoneOn[worker] |= State.OVER == state && ErrorCode.OK == code;
    }

    @Override
    public boolean onWorkerEnded(final int worker)
    {
        return Fault.KILL_WORKER == fault && victim == worker && (State.AWAY == state || State.RETURNING == state);
    }

    @Override
    public boolean isHolding()
    {
        return State.OVER != state && done >= (long)total * (happened + 1) / shares;
    }

    @Override
    public boolean isDone()
    {
        return State.OVER == state;
    }

    /** Has each worker that had something to do since the last fault was over done something? */
    boolean haveAllGoneOn()
    {
        return Arrays.equals(isAsked, hasGoneOn) && !Arrays.equals(isAsked, new boolean[workers]);
    }
}
