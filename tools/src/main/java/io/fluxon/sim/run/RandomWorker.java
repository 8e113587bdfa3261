package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.ExistsCall;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A worker that puts and gets what its random source says, several operations at once, and checks every page it reads.
 * When its session ends against its will it goes on writing where it was writing, as a kernel under way would.
 */
final class RandomWorker
{
    private static final int LANES = 4;
    private static final int MAX_KEYS = 6;
    private static final int LARGE = 5_000;
    private static final int SMALL = 700;

    private final Random random;
    private final int keySpace;
    private final PutLane[] puts = new PutLane[LANES];
    private final GetLane[] gets = new GetLane[LANES];
    private ExistsCall exists;
    private VirtualWorker worker;
    private boolean stopped;
    private int started;
    private int pagesVerified;

    RandomWorker(final VirtualWorker worker, final Random random, final int keySpace)
    {
        this.worker = worker;
        this.random = random;
        this.keySpace = keySpace;
        begin();
    }

    void step()
    {
        if (!worker.isDead() && !worker.isPaused())
        {
            for (int i = 0; i < LANES; i++)
            {
                puts[i].step();
                gets[i].step();
            }
            if (exists.isReusable() && mayStart())
            {
                final String[] names = prefix(-1);
                started += 0 < names.length && 0 == worker.client().exists(exists, worker.batch(names)) ? 1 : 0;
            }
        }
    }

    void stop()
    {
        stopped = true;
    }

    VirtualWorker worker()
    {
        return worker;
    }

    /** Has its session ended, or its process? */
    boolean isOver()
    {
        return worker.isDead() || WorkerClient.State.CLOSED == worker.client().state();
    }

    /** Another process takes its place. */
    void replace(final VirtualWorker newWorker)
    {
        worker = newWorker;
        begin();
    }

    /** Writes into every page whose plan has not been committed or aborted. */
    void scribble()
    {
        for (final PutLane lane : puts)
        {
            lane.scribble();
        }
    }

    boolean isQuiet()
    {
        for (int i = 0; i < LANES; i++)
        {
            if (!puts[i].plan.isReusable() || !gets[i].handle.isReusable())
            {
                return false;
            }
        }
        return exists.isReusable() && WorkerClient.State.READY == worker.client().state() &&
            0 == worker.client().outstanding();
    }

    String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < LANES; i++)
        {
            text.append(puts[i].plan.state()).append('/').append(gets[i].handle.state()).append(' ');
        }
        return text.append(exists.state()).append(' ').append(worker.client().state())
            .append(" outstanding ").append(worker.client().outstanding())
            .append(worker.isDead() ? " dead" : "").toString();
    }

    int started()
    {
        return started;
    }

    int pagesVerified()
    {
        return pagesVerified;
    }

    private void begin()
    {
        for (int i = 0; i < LANES; i++)
        {
            puts[i] = new PutLane();
            gets[i] = new GetLane();
        }
        exists = new ExistsCall(MAX_KEYS);
    }

    private static int lengthOf(final int key)
    {
        return 0 == key % 3 ? LARGE : SMALL;
    }

    private String[] prefix(final int classOf)
    {
        final Set<String> names = new LinkedHashSet<>();
        final int count = 1 + random.nextInt(MAX_KEYS);
        while (names.size() < count && names.size() < keySpace / 4)
        {
            final int key = random.nextInt(keySpace);
            if (classOf < 0 || lengthOf(key) == classOf)
            {
                names.add("model:page_" + key);
            }
        }
        return names.toArray(new String[0]);
    }

    private AtomicGroups groups(final int count)
    {
        final AtomicGroups groups = new AtomicGroups();
        int rest = count;
        while (rest > 0)
        {
            final int length = 1 + random.nextInt(rest);
            groups.add(length);
            rest -= length;
        }
        return groups;
    }

    private boolean mayStart()
    {
        return !stopped && 0 == random.nextInt(40);
    }

    /** One put after the other. */
    private final class PutLane
    {
        private final PutPlan plan = new PutPlan(MAX_KEYS);
        private final PutOptions options = new PutOptions();
        private final Set<UnsafeBuffer> writing = new HashSet<>();
        private String[] names;
        private int length;

        private void step()
        {
            if (plan.isReusable())
            {
                if (mayStart())
                {
                    start();
                }
            }
            else if (PutPlan.State.STARTED == plan.state())
            {
                if (writing.isEmpty())
                {
                    for (int i = 0; i < plan.count(); i++)
                    {
                        writing.add(new UnsafeBuffer(plan.valueAddress(i), length));
                    }
                }
                if (stopped || 0 == random.nextInt(5))
                {
                    finish();
                }
            }
            else if (PutPlan.State.STARTING == plan.state() && 0 == random.nextInt(400))
            {
                worker.client().putAbort(plan);
            }
        }

        private void start()
        {
            length = random.nextBoolean() ? LARGE : SMALL;
            names = prefix(0 == random.nextInt(50) ? -1 : length);
            options.clear();
            options.rejectIfExistSameKey(0 == random.nextInt(4));
            options.rejectIfInflightSameKey(0 == random.nextInt(4));
            if (0 < names.length && random.nextBoolean())
            {
                options.atomicGroups(groups(names.length));
            }
            started += 0 < names.length && 0 == worker.putStart(plan, length, options, names) ? 1 : 0;
        }

        private void finish()
        {
            if (0 == random.nextInt(6))
            {
                writing.clear();
                worker.client().putAbort(plan);
            }
            else
            {
                worker.write(plan, length, names);
                writing.clear();
                worker.client().putCommit(plan);
            }
        }

        private void scribble()
        {
            writing.forEach((page) -> page.setMemory(0, page.capacity(), (byte)0x5A));
            writing.clear();
        }
    }

    /** One get after the other. */
    private final class GetLane
    {
        private final GetHandle handle = new GetHandle(2 * MAX_KEYS);
        private AtomicGroups groups;
        private String[] names;

        private void step()
        {
            if (handle.isReusable())
            {
                if (mayStart())
                {
                    start();
                }
            }
            else if (stopped || 0 == random.nextInt(5))
            {
                advance();
            }
        }

        private void start()
        {
            names = prefix(-1);
            if (0 == random.nextInt(10))
            {
                final List<String> twice = new ArrayList<>(List.of(names));
                twice.addAll(List.of(names));
                Collections.shuffle(twice, random);
                names = twice.toArray(new String[0]);
            }
            groups = random.nextBoolean() ? null : groups(names.length);
            started += 0 == worker.getStart(handle, random.nextBoolean(), groups, names) ? 1 : 0;
        }

        private void advance()
        {
            switch (handle.state())
            {
                case STARTED ->
                {
                    if (0 == handle.transferableLen() || 0 == random.nextInt(6))
                    {
                        worker.client().cancelGetTransfer(handle);
                    }
                    else
                    {
                        worker.client().getTransfer(handle, consumeLen());
                    }
                }
                case STARTING, TRANSFERRING ->
                {
                    if (0 == random.nextInt(100))
                    {
                        worker.client().cancelGetTransfer(handle);
                    }
                }
                case READABLE ->
                {
                    if (stopped || 0 == random.nextInt(5))
                    {
                        worker.verify(handle, names);
                        pagesVerified += handle.count();
                        worker.client().releaseViews(handle);
                    }
                }
                default ->
                {
                }
            }
        }

        private int consumeLen()
        {
            return null == groups || random.nextBoolean() ? -1 : groups.keyCount(0);
        }
    }
}
