package io.fluxon.engine.harness;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/**
 * A worker that puts and gets what its random source says, several operations at once, and checks every page it reads.
 */
final class RandomWorker
{
    private static final int LANES = 4;
    private static final int MAX_KEYS = 6;

    private final Random random;
    private final VirtualWorker worker;
    private final int keySpace;
    private final PutLane[] puts = new PutLane[LANES];
    private final GetLane[] gets = new GetLane[LANES];
    private boolean stopped;
    private int started;
    private int pagesVerified;

    RandomWorker(final VirtualWorker worker, final Random random, final int keySpace)
    {
        this.worker = worker;
        this.random = random;
        this.keySpace = keySpace;
        for (int i = 0; i < LANES; i++)
        {
            puts[i] = new PutLane();
            gets[i] = new GetLane();
        }
    }

    void step()
    {
        if (!worker.isDead())
        {
            for (int i = 0; i < LANES; i++)
            {
                puts[i].step();
                gets[i].step();
            }
        }
    }

    void stop()
    {
        stopped = true;
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
        return true;
    }

    String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < LANES; i++)
        {
            text.append(puts[i].plan.state()).append('/').append(gets[i].handle.state()).append(' ');
        }
        return text.append(worker.client().state()).toString();
    }

    int started()
    {
        return started;
    }

    int pagesVerified()
    {
        return pagesVerified;
    }

    private static int lengthOf(final int key)
    {
        return 0 == key % 3 ? 5_000 : 700;
    }

    private String[] prefix(final int classOf, final int max)
    {
        final Set<String> names = new LinkedHashSet<>();
        final int count = 1 + random.nextInt(max);
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

    private boolean mayStart()
    {
        return !stopped && 0 == random.nextInt(40);
    }

    /** One put after the other. */
    private final class PutLane
    {
        private final PutPlan plan = new PutPlan(MAX_KEYS);
        private final PutOptions options = new PutOptions();
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
            else if (PutPlan.State.STARTED == plan.state() && (stopped || 0 == random.nextInt(5)))
            {
                finish();
            }
        }

        private void start()
        {
            length = random.nextBoolean() ? 5_000 : 700;
            names = prefix(length, MAX_KEYS);
            options.clear();
            options.rejectIfExistSameKey(0 == random.nextInt(4));
            options.rejectIfInflightSameKey(0 == random.nextInt(4));
            if (random.nextBoolean() && 0 < names.length)
            {
                options.atomicGroups(new AtomicGroups().add(names.length));
            }
            started += 0 < names.length && 0 == worker.putStart(plan, length, options, names) ? 1 : 0;
        }

        private void finish()
        {
            if (0 == random.nextInt(6))
            {
                worker.client().putAbort(plan);
            }
            else
            {
                worker.write(plan, length, names);
                worker.client().putCommit(plan);
            }
        }
    }

    /** One get after the other. */
    private final class GetLane
    {
        private final GetHandle handle = new GetHandle(MAX_KEYS);
        private String[] names;

        private void step()
        {
            if (handle.isReusable())
            {
                if (mayStart())
                {
                    names = prefix(-1, MAX_KEYS);
                    final AtomicGroups groups = random.nextBoolean() ? null : ones(names.length);
                    started += 0 == worker.getStart(handle, random.nextBoolean(), groups, names) ? 1 : 0;
                }
            }
            else if (stopped || 0 == random.nextInt(5))
            {
                advance();
            }
        }

        private void advance()
        {
            if (GetHandle.State.STARTED == handle.state())
            {
                if (0 == handle.transferableLen() || 0 == random.nextInt(6))
                {
                    worker.client().cancelGetTransfer(handle);
                }
                else
                {
                    worker.client().getTransfer(handle, -1);
                }
            }
            else if (GetHandle.State.READABLE == handle.state())
            {
                worker.verify(handle, names);
                pagesVerified += handle.count();
                worker.client().releaseViews(handle);
            }
        }

        private AtomicGroups ones(final int count)
        {
            final AtomicGroups groups = new AtomicGroups();
            for (int i = 0; i < count; i++)
            {
                groups.add(1);
            }
            return groups;
        }
    }
}
