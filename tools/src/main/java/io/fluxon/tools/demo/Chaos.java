package io.fluxon.tools.demo;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.watch.ProcessWatchAgent;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.report.ChaosResult;
import io.fluxon.tools.report.Leftover;

/**
 * Kills one process (SIGKILL) when a third of the requests has ended, and sees to it that it is started again. For some
 * seconds the survivors go on; then, unless all temporary state was seen at zero meanwhile, no requests are handed out
 * until it is. So the measured time is an upper bound of how long what the dead one left behind stayed.
 */
final class Chaos implements ChaosEvent
{
    private enum State
    {
        WAITING, SURVIVING, HOLDING, REJOINING, DONE
    }

    private static final long SURVIVE_NS = SECONDS.toNanos(1);
    private static final double MARGIN_SECONDS = 3;
    private static final double MS_OF_SECOND = 1e3;
    private static final long ZERO_TIMEOUT_NS = SECONDS.toNanos(75);
    private static final long REJOIN_TIMEOUT_NS = SECONDS.toNanos(60);
    private static final double NS_OF_SECOND = 1e9;
    private static final int VICTIM_OWNER = 0;
    private static final int VICTIM_WORKER = 0;

    private final ChaosTarget target;
    private final Cluster cluster;
    private final ClusterCounters counters;
    private final Replay replay;
    private final Progress progress;
    private State state = State.WAITING;
    private boolean isOwnerBack;
    private boolean isRejoined;
    private long goneBefore;
    private long killedNs;
    private long holdNs;
    private int survived;
    private double secondsToZero = -1;

    Chaos(
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
    }

    @Override
    public void step(final long nowNs, final int ended, final int total)
    {
        if (State.WAITING == state)
        {
            if (ended >= total / 3)
            {
                kill(nowNs);
            }
            return;
        }

        reopenOwner();
        if (State.SURVIVING == state && nowNs - killedNs >= SURVIVE_NS)
        {
            state = State.HOLDING;
            holdNs = nowNs;
        }
        if (State.SURVIVING == state || State.HOLDING == state)
        {
            look(nowNs);
        }
        if (State.REJOINING == state && (isRejoined || nowNs - killedNs >= REJOIN_TIMEOUT_NS))
        {
            state = State.DONE;
        }
    }

    private void kill(final long nowNs)
    {
        goneBefore = gone();
        killedNs = nowNs;
        state = State.SURVIVING;
        if (ChaosTarget.WORKER == target)
        {
            progress.say("killing worker " + VICTIM_WORKER);
            replay.process(VICTIM_WORKER).kill();
        }
        else
        {
            progress.say("killing owner " + counters.ownerName(VICTIM_OWNER));
            cluster.killAndRestartOwner(VICTIM_OWNER);
        }
    }

    private void reopenOwner()
    {
        if (ChaosTarget.OWNER == target && !isOwnerBack && cluster.isOwnerReady(VICTIM_OWNER))
        {
            isOwnerBack = true;
            counters.reopenOwner(VICTIM_OWNER);
        }
    }

    private void look(final long nowNs)
    {
        if (gone() > goneBefore && leftover().isZero())
        {
            secondsToZero = (nowNs - killedNs) / NS_OF_SECOND;
            state = State.REJOINING;
        }
        else if (State.HOLDING == state && nowNs - holdNs >= ZERO_TIMEOUT_NS)
        {
            state = State.REJOINING;
        }
    }

    /** Rises when the other side has noticed that the victim is gone. */
    private long gone()
    {
        return ChaosTarget.WORKER == target ?
            counters.owner(VICTIM_OWNER, OwnerCounter.SESSIONS_CLOSED) :
            counters.master(MasterCounter.OWNERS_EXPIRED) + counters.master(MasterCounter.OWNERS_REPLACED);
    }

    /** A killed owner's file still shows its last figures until the next process writes its own. */
    private Leftover leftover()
    {
        return ChaosTarget.WORKER == target || isOwnerBack ?
            counters.leftover() : counters.leftoverWithout(VICTIM_OWNER);
    }

    /** A worker's death is seen by its owner, an owner's by the master, after its liveness timeout at the latest. */
    private double limitSeconds()
    {
        final long watchMs = ChaosTarget.WORKER == target ? ProcessWatchAgent.INTERVAL_MS : 0;
        return (watchMs + cluster.livenessMs()) / MS_OF_SECOND + MARGIN_SECONDS;
    }

    @Override
    public void onDone(final int worker, final int code)
    {
        if (State.WAITING == state || ErrorCode.OK != code)
        {
            return;
        }
        if (isVictim(worker))
        {
            isRejoined |= ChaosTarget.WORKER == target || isOwnerBack;
        }
        else if (State.SURVIVING == state)
        {
            survived++;
        }
    }

    private boolean isVictim(final int worker)
    {
        return ChaosTarget.WORKER == target ?
            VICTIM_WORKER == worker : VICTIM_OWNER == worker % cluster.gpuOwners();
    }

    @Override
    public boolean onWorkerEnded(final int worker)
    {
        return ChaosTarget.WORKER == target && VICTIM_WORKER == worker && State.WAITING != state;
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
        return survived > 0;
    }

    @Override
    public ChaosResult result()
    {
        return new ChaosResult(State.WAITING == state ? 0 : 1, isRejoined ? 1 : 0, secondsToZero,
            limitSeconds());
    }
}
