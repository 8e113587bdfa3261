package io.fluxon.sim.run;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.DeleteCall;
import io.fluxon.ipc.client.core.ExistsCall;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.cluster.Application;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What one worker's process does: puts, unless it only reads, gets and other calls, several at once, each lane one
 * after the other. When a copy has been lost the process ends, as an engine does that cannot say what its GPU is
 * doing.
 */
final class WorkerLoad implements Application
{
    /** Length of large values. */
    static final int LARGE = 5_000;
    /** Length of small values. */
    static final int SMALL = 700;

    private static final int LANES = 4;
    private static final int TURN_CHOICES = 64;
    private static final int CONVOY_CHOICES = 64;
    private static final int DELETE_CHOICES = 4;
    private static final long LEAST_THINK_NS = 1_000;
    private static final double ACT_RATE = 0.9;
    private static final double READER_RATE = 0.4;
    private static final double EXISTS_RATE = 0.1;
    private static final long REFUSED_NS = 1_000_000;

    /** The worker. */
    final VirtualWorker worker;
    /** Its choices. */
    final Choices.Stream choices;
    /** Its choices of what is to have replicas. */
    final Choices.Stream wishChoices;

    private final RunState run;
    private final Choices.Stream convoyChoices;
    private final PutLane[] puts = new PutLane[LANES];
    private final GetLane[] gets = new GetLane[LANES];
    private final ExistsCall exists;
    private final DeleteCall delete;
    private final Choices.Stream deleteChoices;
    private final int maxKeys;
    private final boolean isReader;
    private long nextNs;
    private long returnNs;
    private int turn;
    private boolean isClosing;
    private boolean isClosed;

    WorkerLoad(final VirtualWorker worker, final RunState run)
    {
        this.worker = worker;
        this.run = run;
        choices = run.cluster.choices().stream("load " + worker.name());
        wishChoices = run.cluster.choices().stream("wishes " + worker.name());
        convoyChoices = run.cluster.choices().stream("convoy " + worker.name());
        maxKeys = run.swarm.batchKeys;
        isReader = choices.chance(READER_RATE);
        exists = new ExistsCall(maxKeys);
        delete = new DeleteCall(maxKeys);
        deleteChoices = run.cluster.choices().stream("deletes " + worker.name());
        for (int i = 0; i < LANES; i++)
        {
            puts[i] = new PutLane(this, run, maxKeys);
            gets[i] = new GetLane(this, run, 2 * maxKeys);
        }
        worker.application(this);
    }

    @Override
    public void run()
    {
        watch();
        if (isClosing)
        {
            close();
        }
        else if (run.nowNs() >= nextNs)
        {
            choices.align(TURN_CHOICES);
            nextNs = run.nowNs() + run.swarm.thinkNs / choices.magnitude(1, run.swarm.thinkNs / LEAST_THINK_NS);
            takeTurn();
        }
    }

    private void watch()
    {
        for (int i = 0; i < LANES; i++)
        {
            puts[i].watch();
            gets[i].watch();
        }
    }

    /** Has the process close its client as soon as no copy is under way, and connect anew not before a time. */
    void close(final long mayReturnNs)
    {
        isClosing = true;
        returnNs = mayReturnNs;
        worker.wake(run.nowNs());
    }

    /** Who closes must have ended its copies. What the checkers hear of that is before the owner can know. */
    private void close()
    {
        if (!isClosed && !isCopying())
        {
            isClosed = true;
            run.cluster.note(() -> worker + " closes its client, which is " + worker.client().state());
            worker.close();
            watch();
        }
    }

    /** Does its process close its client, or has it? */
    boolean isClosing()
    {
        return isClosing;
    }

    /** Has the client been closed, and is it time to connect anew? */
    boolean mayReturn()
    {
        return worker.hasLeft() && run.nowNs() >= returnNs;
    }

    /** Without new work every lane has its turn to end what it began. */
    private void takeTurn()
    {
        if (!run.mayBegin())
        {
            act(turn++ % (2 * LANES));
            return;
        }
        final boolean isIdle = !choices.chance(ACT_RATE);
        run.turn(isIdle);
        if (!isIdle)
        {
            act();
        }
    }

    private void act()
    {
        deleteChoices.align(DELETE_CHOICES);
        if (deleteChoices.chance(run.swarm.deleteRate))
        {
            askDelete();
        }
        else if (choices.chance(EXISTS_RATE))
        {
            askExists();
        }
        else
        {
            act(isReader ? LANES + choices.below(LANES) : choices.below(2 * LANES));
        }
    }

    private void act(final int lane)
    {
        if (lane < LANES)
        {
            puts[lane].act();
        }
        else
        {
            gets[lane - LANES].act();
        }
    }

    @Override
    public long nextNs()
    {
        boolean canAct = false;
        for (int i = 0; i < LANES && !isClosing; i++)
        {
            canAct |= puts[i].canAct() || gets[i].canAct();
        }
        return canAct ? nextNs : Long.MAX_VALUE;
    }

    private void askExists()
    {
        if (exists.isReusable() && run.mayBegin())
        {
            final String[] names = names(-1);
            run.cluster.note(() -> worker + " asks which exist of " + String.join(",", names));
            began(worker.client().exists(exists, worker.batch(names)));
        }
    }

    /** A run of keys, some of which are asked for twice. */
    private void askDelete()
    {
        if (delete.isReusable() && run.mayBegin())
        {
            final int first = deleteChoices.below(run.swarm.keys);
            final String[] names = new String[1 + deleteChoices.below(maxKeys)];
            for (int i = 0; i < names.length; i++)
            {
                names[i] = "model:page_" + (first + i) % run.swarm.keys;
            }
            run.cluster.note(() -> worker + " deletes " + String.join(",", names));
            began(worker.client().delete(delete, worker.batch(names)));
        }
    }

    /** Counts a call that was begun; after one that was refused its process waits a while. */
    boolean began(final int code)
    {
        if (ErrorCode.OK != code)
        {
            nextNs = run.nowNs() + REFUSED_NS;
            return false;
        }
        run.began();
        return true;
    }

    /** Has its session ended, or its process? */
    boolean isOver()
    {
        return worker.isDead() || WorkerClient.State.CLOSED == worker.client().state();
    }

    /** Is a copy under way? */
    boolean isCopying()
    {
        boolean isCopying = false;
        for (int i = 0; i < LANES; i++)
        {
            isCopying |= puts[i].isCopying() || gets[i].isCopying();
        }
        return isCopying;
    }

    /** Is the end of a copy overdue? */
    boolean isHung()
    {
        boolean isHung = false;
        for (int i = 0; i < LANES; i++)
        {
            isHung |= puts[i].isHung() || gets[i].isHung();
        }
        return isHung;
    }

    /** Is the worker there, and nothing outstanding? With values whose publish is not answered, if that is enough. */
    boolean isQuiet(final boolean isLocalEnough)
    {
        for (int i = 0; i < LANES; i++)
        {
            if (!gets[i].isQuiet() || !puts[i].isQuiet(isLocalEnough))
            {
                return false;
            }
        }
        return !worker.isDead() && exists.isReusable() && delete.isReusable() &&
            WorkerClient.State.READY == worker.client().state() &&
            (isLocalEnough || 0 == worker.client().outstanding());
    }

    String describe()
    {
        final StringBuilder text = new StringBuilder(worker.name()).append(' ').append(worker.client().state());
        for (int i = 0; i < LANES; i++)
        {
            text.append(' ').append(puts[i].describe()).append('/').append(gets[i].describe());
        }
        return text.append(' ').append(exists.state()).append(' ').append(delete.state()).append(" outstanding ")
            .append(worker.client().outstanding()).toString();
    }

    /** Length of the value of a key: most keys have the same length in every put. */
    static int lengthOf(final int key)
    {
        return 0 == key % 3 ? LARGE : SMALL;
    }

    /** Different keys, of one length when that is positive. */
    String[] names(final int length)
    {
        convoyChoices.align(CONVOY_CHOICES);
        final String[] followed = run.convoy.follow(convoyChoices, length);
        if (null != followed)
        {
            return followed;
        }
        final Set<String> names = new LinkedHashSet<>();
        final int count = 1 + choices.below(maxKeys);
        for (int i = 0; i < 2 * maxKeys && names.size() < count; i++)
        {
            final int key = choices.below(run.swarm.keys);
            if (length < 0 || lengthOf(key) == length)
            {
                names.add("model:page_" + key);
            }
        }
        if (names.isEmpty())
        {
            names.add("model:page_" + (LARGE == length ? 0 : 1));
        }
        return names.toArray(new String[0]);
    }

    /** A length that keys of the run have. */
    int length()
    {
        return choices.chance(0.5) ? LARGE : SMALL;
    }

    /** A partition of keys into groups. */
    AtomicGroups groups(final int count)
    {
        final AtomicGroups groups = new AtomicGroups();
        int rest = count;
        while (rest > 0)
        {
            final int length = 1 + choices.below(rest);
            groups.add(length);
            rest -= length;
        }
        return groups;
    }

    /** Lengths of groups, null for none. */
    static int[] lengths(final AtomicGroups groups)
    {
        if (null == groups)
        {
            return null;
        }
        final int[] lengths = new int[groups.size()];
        for (int i = 0; i < lengths.length; i++)
        {
            lengths[i] = groups.keyCount(i);
        }
        return lengths;
    }
}
