package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client in front of a scripted owner, with a clock moved by hand.
 */
abstract class WorkerClientTestBase
{
    final ScriptedOwner owner = new ScriptedOwner();
    final WorkerClientContext ctx = new WorkerClientContext();
    final PutPlan put = new PutPlan(64);
    final GetHandle get = new GetHandle(64);
    final KeyBatch keys = new KeyBatch(128, 64 * 1024);
    final Arena arena = Arena.ofConfined();
    final MemorySegment segment =
        arena.allocate(ScriptedOwner.SEGMENT_LENGTH - ScriptedOwner.MAP_OFFSET, 4096);
    WorkerClient client;
    long nowNs = 1_000_000_000L;

    @BeforeEach
    void createContext()
    {
        ctx.nanoClock(() -> nowNs)
            .requests(owner)
            .responses(owner)
            .responseStreamId(1234)
            .resumeTimeoutNs(0)
            .processId(42)
            .segmentMapper((path, generation, mapOffset, length) -> segment.address());
    }

    @AfterEach
    void closeArena()
    {
        arena.close();
    }

    void connect()
    {
        client = new WorkerClient(ctx);
        client.poll();
        owner.connectResponse(owner.takeId(ConnectRequestDecoder.TEMPLATE_ID), 0, "");
        client.poll();
        assertThat(client.state()).isEqualTo(WorkerClient.State.READY);
    }

    KeyBatch keys(final int count)
    {
        keys.clear();
        for (int i = 0; i < count; i++)
        {
            keys.add("key" + i);
        }
        return keys;
    }

    long startPut(final PutPlan plan, final int count, final long planId)
    {
        assertThat(client.putStart(plan, keys(count), 100, null)).isZero();
        final long[] offsets = new long[count];
        for (int i = 0; i < count; i++)
        {
            offsets[i] = ScriptedOwner.slot(i);
        }
        final long id = owner.takeId(PutStartRequestDecoder.TEMPLATE_ID);
        owner.putStart(id, 0, Stage.NONE, planId, offsets);
        client.poll();
        assertThat(plan.state()).isEqualTo(PutPlan.State.STARTED);
        return id;
    }

    long commitPut(final PutPlan plan)
    {
        assertThat(client.putCommit(plan)).isZero();
        return owner.takeId(PutCommitRequestDecoder.TEMPLATE_ID);
    }

    void startInline(final GetHandle handle, final int count, final long firstHolding)
    {
        assertThat(client.getStart(handle, keys(count), true, single(count))).isZero();
        owner.getStartInline(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), count, count, firstHolding);
        client.poll();
        assertThat(handle.state()).isEqualTo(GetHandle.State.STARTED);
    }

    void startRemote(final GetHandle handle, final int count, final long handleId)
    {
        assertThat(client.getStart(handle, keys(count), true, single(count))).isZero();
        owner.getStartRemote(owner.takeId(GetStartRequestDecoder.TEMPLATE_ID), handleId, count, count);
        client.poll();
        assertThat(handle.state()).isEqualTo(GetHandle.State.STARTED);
    }

    void pass(final long time, final TimeUnit unit)
    {
        nowNs += unit.toNanos(time);
        client.poll();
    }

    /**
     * Time passes in steps, and the owner is heard meanwhile.
     */
    void passAlive(final long time, final TimeUnit unit)
    {
        final long endNs = nowNs + unit.toNanos(time);
        while (nowNs - endNs < 0)
        {
            nowNs += Math.min(TimeUnit.MILLISECONDS.toNanos(100), endNs - nowNs);
            owner.keepAlive();
            client.poll();
        }
    }

    void assertRefused(final int code)
    {
        assertThat(code).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(client.refusal()).isNotEmpty();
    }

    void assertNothingHeld()
    {
        passAlive(10, TimeUnit.MILLISECONDS);
        assertThat(client.outstanding()).isZero();
        assertThat(client.liveOperations()).isZero();
        assertThat(client.planBlobs()).isZero();
        assertThat(client.unsentReleases()).isZero();
    }

    static AtomicGroups groups(final int... lengths)
    {
        final AtomicGroups groups = new AtomicGroups();
        for (final int length : lengths)
        {
            groups.add(length);
        }
        return groups;
    }

    static AtomicGroups single(final int count)
    {
        final AtomicGroups groups = new AtomicGroups();
        for (int i = 0; i < count; i++)
        {
            groups.add(1);
        }
        return groups;
    }
}
