package io.fluxon.tools.demo;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.report.ChaosResult;

/**
 * Stops one process (SIGSTOP), cuts its host off, or kills the master, when a third of the requests has ended, and lets
 * it come back when every liveness timeout is over. The others go on meanwhile. Then no requests are handed out until
 * the process has been taken back and all temporary state is at zero.
 */
final class ReturnChaos implements ChaosEvent
{
    private enum State
    {
        WAITING, AWAY, HOLDING, REJOINING, DONE
    }

    /** Longer than the image liveness of Aeron, 10 s, and every liveness timeout of the cluster. */
    private static final long STOPPED_NS = SECONDS.toNanos(12);
    private static final int AWAY_TIMEOUTS = 2;
    private static final int BACK_TIMEOUTS = 3;
    private static final double MARGIN_SECONDS = 6;
    private static final double MS_OF_SECOND = 1e3;
    private static final double NS_OF_SECOND = 1e9;
    private static final long ZERO_TIMEOUT_NS = SECONDS.toNanos(75);
    private static final long REJOIN_TIMEOUT_NS = SECONDS.toNanos(60);
    private static final int VICTIM = 0;

    private final ChaosTarget target;
    private final Cluster cluster;
    private final ClusterCounters counters;
    private final Replay replay;
    private final Progress progress;
    private final long awayNs;
    private State state = State.WAITING;
    private boolean isRejoined;
    private boolean isMasterReopened;
    private long returnsBefore;
    private long hitNs;
    private long backNs;
    private int survived;
    private double secondsToZero = -1;

    ReturnChaos(
        final ChaosTarget target,
        final Cluster cluster,
        final ClusterCounters counters,
        final Replay replay,
        final Progress progress)
    {
        this.target = target;
        this.cluster = cluster;
        this.counters = counters;
        this.replay = replay;
        this.progress = progress;
        awayNs = ChaosTarget.MASTER == target ?
            MILLISECONDS.toNanos((long)AWAY_TIMEOUTS * cluster.livenessMs()) : STOPPED_NS;
    }

    @Override
    public void step(final long nowNs, final int ended, final int total)
    {
        switch (state)
        {
            case WAITING ->
            {
                if (ended >= total / 3)
                {
                    hit(nowNs);
                }
            }
            case AWAY ->
            {
                if (nowNs - hitNs >= awayNs)
                {
                    comeBack(nowNs);
                }
            }
            case HOLDING -> look(nowNs);
            case REJOINING ->
            {
                if (isRejoined || nowNs - backNs >= REJOIN_TIMEOUT_NS)
                {
                    state = State.DONE;
                }
            }
            case DONE ->
            {
            }
        }
    }

    private void hit(final long nowNs)
    {
        hitNs = nowNs;
        returnsBefore = returns();
        state = State.AWAY;
        switch (target)
        {
            case MASTER ->
            {
                progress.say("killing the master");
                cluster.killMaster();
            }
            case STOP_MASTER ->
            {
                progress.say("stopping the master");
                cluster.master().pause();
            }
            case STOP_OWNER ->
            {
                progress.say("stopping owner " + counters.ownerName(VICTIM));
                cluster.owner(VICTIM).pause();
            }
            case CUT_OWNER ->
            {
                progress.say("cutting off the host of owner " + counters.ownerName(VICTIM));
                cluster.linkOwner(VICTIM, false);
            }
            case CUT_MASTER ->
            {
                progress.say("cutting off the host of the master");
                cluster.linkMaster(false);
            }
            default ->
            {
                progress.say("stopping worker " + VICTIM);
                replay.process(VICTIM).pause();
            }
        }
    }

    private void comeBack(final long nowNs)
    {
        backNs = nowNs;
        state = State.HOLDING;
        switch (target)
        {
            case MASTER ->
            {
                progress.say("starting the master again");
                cluster.restartMaster();
            }
            case STOP_MASTER -> cluster.master().resume();
            case STOP_OWNER -> cluster.owner(VICTIM).resume();
            case CUT_OWNER -> cluster.linkOwner(VICTIM, true);
            case CUT_MASTER -> cluster.linkMaster(true);
            default -> replay.process(VICTIM).resume();
        }
    }

    private void look(final long nowNs)
    {
        if (ChaosTarget.MASTER == target && !isMasterReopened)
        {
            isMasterReopened = cluster.isMasterReady();
            if (isMasterReopened)
            {
                counters.reopenMaster();
            }
        }
        else if (isTakenBack() && counters.leftover().isZero())
        {
            secondsToZero = (nowNs - backNs) / NS_OF_SECOND;
            state = State.REJOINING;
        }

        if (State.HOLDING == state && nowNs - backNs >= ZERO_TIMEOUT_NS)
        {
            state = State.REJOINING;
        }
    }

    private boolean isTakenBack()
    {
        return returns() > returnsBefore && cluster.ownerCount() == counters.master(MasterCounter.OWNERS_LIVE);
    }

    /** Rises when the others have noticed that the process was away, and have taken it back. */
    private long returns()
    {
        if (target.isWorker() || ChaosTarget.STOP_OWNER == target)
        {
            return counters.owner(VICTIM, OwnerCounter.SESSIONS_RESUMED);
        }
        if (ChaosTarget.CUT_OWNER == target)
        {
            return counters.owner(VICTIM, OwnerCounter.MASTER_REGISTRATIONS);
        }

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
        if (ErrorCode.OK != code)
        {
            return;
        }
        if (State.AWAY == state)
        {
            survived += isVictim(worker) ? 0 : 1;
        }
        else if (State.WAITING != state)
        {
            isRejoined |= State.REJOINING == state && (isVictim(worker) || !target.isWorker() && !target.isOwner());
        }
    }

    private boolean isVictim(final int worker)
    {
        return target.isWorker() && VICTIM == worker ||
            target.isOwner() && VICTIM == worker % cluster.gpuOwners();
    }

    @Override
    public boolean onWorkerEnded(final int worker)
    {
        return false;
    }

    @Override
    public boolean isHolding()
    {
        return State.HOLDING == state;
    }

    @Override
    public boolean isDone()
    {
        return State.DONE == state;
    }

    @Override
    public boolean haveOthersGoneOn()
    {
        // without the master no put comes to its end
        return survived > 0 || !target.isWorker() && !target.isOwner();
    }

    @Override
    public ChaosResult result()
    {
        return new ChaosResult(State.WAITING == state ? 0 : 1, isRejoined ? 1 : 0, secondsToZero,
            BACK_TIMEOUTS * cluster.livenessMs() / MS_OF_SECOND + MARGIN_SECONDS);
    }
}
