package io.fluxon.ipc.client.core;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerClientAllocationTest
{
    private static final int WARM_UP_ROUNDS = 20_000;
    private static final int ROUNDS = 5_000;
    private static final int WINDOWS = 5;
    private static final String[] NAMES = names();

    private final LoopbackOwner owner = new LoopbackOwner();
    private final KeyBatch keys = new KeyBatch(32, 4096);
    private final AtomicGroups groups = new AtomicGroups().add(16).add(16);
    private final PutOptions options = new PutOptions().atomicGroups(groups).rejectIfExistSameKey(true);
    private final PutPlan put = new PutPlan(32);
    private final PutPlan aborted = new PutPlan(32);
    private final GetHandle get = new GetHandle(32);
    private final ExistsCall exists = new ExistsCall(32);
    private WorkerClient client;
    private long nowNs = 1;

    @Test
    @Tag("ZERO-1")
    void shouldAllocateNothingWhenWarm()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment segment =
                arena.allocate(ScriptedOwner.SEGMENT_LENGTH - ScriptedOwner.MAP_OFFSET, 4096);
            client = new WorkerClient(new WorkerClientContext().nanoClock(() -> nowNs)
                .requests(owner).responses(owner)
                .segmentMapper((path, generation, mapOffset, length) -> segment.address()));
            client.poll();
            client.poll();
            assertThat(client.state()).isEqualTo(WorkerClient.State.READY);

            final long allocated = allocatedBytesWhenWarm();

            assertThat(allocated).isZero();
            nowNs += 2_000_000;
            client.poll();
            assertThat(owner.holdings).isEmpty();
            assertThat(owner.handles).isEmpty();
            assertThat(owner.plans).isEmpty();
            assertThat(owner.wrongReleases).isZero();
            assertThat(client.liveOperations()).isZero();
            assertThat(client.outstanding()).isZero();
        }
    }

    private long allocatedBytesWhenWarm()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            round();
        }
        // the JVM itself allocates a few bytes now and then: what each round allocates shows in every window
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS && least > 0; window++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++)
            {
                round();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private void round()
    {
        addKeys();
        check(client.putStart(put, keys, 4096, options));
        check(client.putStart(aborted, keys, 4096, options));
        step();
        check(client.putCommit(put));
        check(client.putAbort(aborted));
        step();
        check(PutPlan.State.DONE == put.state() ? 0 : 1);
        check(PutPlan.State.ABORTED == aborted.state() ? 0 : 1);
        read(-1);
        read(16);
        check(client.exists(exists, keys));
        step();
        check(ExistsCall.State.DONE == exists.state() ? 0 : 1);
        check(client.getStart(get, keys, true, groups));
        step();
        check(client.cancelGetTransfer(get));
        step();
    }

    private void addKeys()
    {
        keys.clear();
        for (final String name : NAMES)
        {
            keys.add(name);
        }
    }

    private void read(final int consumeLen)
    {
        check(client.getStart(get, keys, true, groups));
        step();
        check(client.getTransfer(get, consumeLen));
        step();
        check(GetHandle.State.READABLE == get.state() ? 0 : 1);
        check(client.planAt(get.planAddress()) == get ? 0 : 1);
        check(client.releaseViews(get));
        step();
    }

    private void step()
    {
        nowNs += 300_000;
        client.poll();
    }

    private static void check(final int code)
    {
        if (0 != code)
        {
            throw new IllegalStateException("code " + code);
        }
    }

    private static String[] names()
    {
        final String[] names = new String[32];
        for (int i = 0; i < names.length; i++)
        {
            names[i] = "prefix:page_hash_" + i + "_0_2";
        }
        return names;
    }
}
