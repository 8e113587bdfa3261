package io.fluxon.jmh;

import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.ClaimKind;
import io.fluxon.engine.memory.ClaimListener;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.jmh.cluster.SparseMemory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * One slot is taken and another, anywhere in the pool, is given back, while half of the slots are in use. The reference
 * is the least that such a cycle can be: a stack of numbers that knows nothing about its slots.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class SlotPoolBenchmark implements ClaimListener
{
    private static final long VALUE_BYTES = 4096;
    private static final long GRANTS_OFFSET = 4096;

    /** Slots of the pool. */
    @Param({"1024", "65536", "1048576"})
    public int slots;

    private SparseMemory memory;
    private SlotPool pool;
    private ClaimQueue claims;
    private Claim claim;
    private int classIndex;
    private int[] held;
    private RandomIndex random;
    private long[] stack;
    private long[] heldNumbers;
    private int top;

    /** Fills half of the pool and of the stack. */
    @Setup
    public void setup()
    {
        final long capacityBytes = slots * VALUE_BYTES;
        final CapacityPlan plan = new CapacityPlan()
            .capacityBytes(capacityBytes)
            .grantQuantumBytes(Math.min(capacityBytes, CapacityPlan.DEFAULT_GRANT_QUANTUM_BYTES))
            .conclude();
        memory = new SparseMemory(SlotTable.requiredLength(plan.grantCount(), plan.grantQuantumBytes()));
        final SlotTable table = new SlotTable(memory.segment(), plan.grantCount(), plan.grantQuantumBytes());
        pool = new SlotPool(table, plan, GRANTS_OFFSET);
        claims = new ClaimQueue(pool);
        claim = new Claim(this);
        classIndex = pool.classFor(VALUE_BYTES);
        random = new RandomIndex(slots / 2);
        held = new int[slots / 2];
        heldNumbers = new long[slots / 2];
        stack = new long[slots];
        for (int i = 0; i < held.length; i++)
        {
            held[i] = pool.takeNow(classIndex);
            heldNumbers[i] = i;
            stack[top++] = held.length + i;
        }
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        memory.close();
    }

    /**
     * Takes a slot as a get does that finds one at once.
     *
     * @return the slot.
     */
    @Benchmark
    public int takeAndRelease()
    {
        final int i = random.next();
        final int slotId = pool.takeNow(classIndex);
        pool.holderRelease(held[i]);
        held[i] = slotId;
        return slotId;
    }

    /**
     * Takes a slot as a put does: through the queue of claims.
     *
     * @return the slot.
     */
    @Benchmark
    public int claimAndRelease()
    {
        final int i = random.next();
        if (ErrorCode.OK != claims.submit(claim, ClaimKind.PUT, VALUE_BYTES, 1, Long.MAX_VALUE, 0))
        {
            throw new IllegalStateException("half of the pool is free, but the claim was not served");
        }
        final int slotId = claims.take(claim);
        pool.holderRelease(held[i]);
        held[i] = slotId;
        return slotId;
    }

    /**
     * The reference.
     *
     * @return the number.
     */
    @Benchmark
    public long stackReference()
    {
        final int i = random.next();
        final long number = stack[--top];
        stack[top++] = heldNumbers[i];
        heldNumbers[i] = number;
        return number;
    }

    @Override
    public void onClaimGranted(final Claim claim, final long nowNs)
    {
        throw new IllegalStateException("no claim waits here");
    }

    @Override
    public void onClaimFailed(final Claim claim, final int errorCode, final Stage stage, final long nowNs)
    {
        throw new IllegalStateException("no claim waits here");
    }
}
