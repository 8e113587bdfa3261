package io.fluxon.engine.index;

import com.sun.management.ThreadMXBean;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.ClaimKind;
import io.fluxon.engine.memory.ClaimListener;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ZERO-1")
class AllocationTest implements ClaimListener
{
    private static final int KEYS = 1000;
    private static final long QUANTUM = 1 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final CapacityPlan plan =
        new CapacityPlan().grantQuantumBytes(QUANTUM).capacityBytes(8 * QUANTUM).conclude();
    private final SlotTable table = new SlotTable(
        Arena.ofAuto().allocate(SlotTable.requiredLength(8, QUANTUM), 64), 8, QUANTUM);
    private final SlotPool pool = new SlotPool(table, plan, 0);
    private final ClaimQueue queue = new ClaimQueue(pool);
    private final Claim claim = new Claim(this);
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
    private final int[] slots = new int[KEYS];

    @Test
    void shouldAllocateNothingOnTheWayOfAValue()
    {
        final KeyDigest[] digests = {new Xx128KeyDigest(), new CollidingKeyDigest(10)};
        try (KeyIndex local = new KeyIndex("local", 4096, table.localChain());
            KeyIndex committed = new KeyIndex("committed", 4096, table.committedChain()))
        {
            for (final KeyDigest digest : digests)
            {
                for (int round = 0; round < 30; round++)
                {
                    live(digest, local, committed);
                }

                long least = Long.MAX_VALUE;
                for (int round = 0; round < 10; round++)
                {
                    final long before = THREADS.getCurrentThreadAllocatedBytes();
                    live(digest, local, committed);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                assertThat(least).isZero();
            }
        }
    }

    @Override
    public void onClaimGranted(final Claim granted, final long nowNs)
    {
        throw new AssertionError("nothing waits");
    }

    @Override
    public void onClaimFailed(final Claim failed, final int errorCode, final Stage stage, final long nowNs)
    {
        throw new AssertionError("nothing waits");
    }

    private void live(final KeyDigest digest, final KeyIndex local, final KeyIndex committed)
    {
        queue.submit(claim, ClaimKind.PUT, 4000, KEYS, Long.MAX_VALUE, 0);
        for (int i = 0; i < KEYS; i++)
        {
            final int slotId = queue.take(claim);
            slots[i] = slotId;
            key.putInt(0, i);
            digest.compute(key, 0, 100);
            table.key(slotId, digest.low(), digest.high(), key, 0, 100);
            table.putId(slotId, 1, 2, i);
            pool.advance(slotId, SlotState.PENDING_LOCAL_VISIBLE);
            local.putIfAbsent(digest.low(), digest.high(), key, 0, 100, slotId);
        }

        for (int i = 0; i < KEYS; i++)
        {
            final int slotId = slots[i];
            key.putInt(0, i);
            digest.compute(key, 0, 100);
            pool.holderAdd((int) local.get(digest.low(), digest.high(), key, 0, 100));
            local.remove(table.digestLow(slotId), table.digestHigh(slotId), slotId);
            committed.putIfAbsent(digest.low(), digest.high(), key, 0, 100, slotId);
            pool.routeAdd(slotId);
            pool.advance(slotId, SlotState.COMMITTED);
        }

        queue.poll(0, 10);
        for (int i = 0; i < KEYS; i++)
        {
            final int slotId = slots[i];
            committed.remove(table.digestLow(slotId), table.digestHigh(slotId), slotId);
            pool.holderRelease(slotId);
            pool.routeRelease(slotId);
            pool.holderRelease(slotId);
        }
    }
}
