package io.fluxon.jmh;

import io.fluxon.engine.window.HotWindow;
import io.fluxon.engine.window.SlotRun;
import io.fluxon.engine.window.VictimHandler;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.jmh.cluster.SparseMemory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * A full hot window: a path of 16 pages at random is asked for, its leading pages that are there are touched, the
 * others added, and as many evicted. Times are for each page of the path.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class HotWindowBenchmark implements VictimHandler
{
    private static final int PAGES = 16;
    private static final int WARM_PATHS = 4;
    private static final long MS_BETWEEN_REQUESTS = 20;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final int NONE = -1;

    /** Which slot goes first. */
    @Param({"LRU", "SLRU", "ARC", "TINYLFU", "FLUXON"})
    public WindowPolicyKind policy;

    /** Slots of the window; the paths have twice as many pages. */
    @Param({"4096", "262144"})
    public int slots;

    private final SlotRun run = new SlotRun(PAGES);
    private SparseMemory memory;
    private HotWindow window;
    private RandomIndex random;
    private int[] slotOfPage;
    private int[] pageOfSlot;
    private int[] freeSlots;
    private int freeCount;
    private long nowMs;

    /** Fills the window. */
    @Setup
    public void setup()
    {
        final int slotCount = slots + PAGES;
        memory = new SparseMemory(HotWindow.requiredLength(policy, slotCount));
        window = new HotWindow(policy, memory.segment(), slotCount, 1, slots);
        slotOfPage = new int[2 * slots];
        pageOfSlot = new int[slotCount];
        freeSlots = new int[slotCount];
        for (int i = 0; i < slotOfPage.length; i++)
        {
            slotOfPage[i] = NONE;
        }
        for (int i = 0; i < slotCount; i++)
        {
            freeSlots[freeCount++] = i;
        }
        random = new RandomIndex(slotOfPage.length / PAGES);
        for (int i = 0; i < slotOfPage.length / PAGES * WARM_PATHS; i++)
        {
            touchAddEvict();
        }
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        memory.close();
    }

    /**
     * A request for one path.
     *
     * @return slot bytes in the window.
     */
    @Benchmark
    @OperationsPerInvocation(PAGES)
    public long touchAddEvict()
    {
        nowMs += MS_BETWEEN_REQUESTS;
        final int first = random.next() * PAGES;
        run.clear();
        int page = first;
        while (page < first + PAGES && NONE != slotOfPage[page])
        {
            run.append(slotOfPage[page], page * MULTIPLIER);
            page++;
        }
        window.touch(run, nowMs);
        if (page < first + PAGES)
        {
            while (page < first + PAGES)
            {
                run.append(slotOf(page), page * MULTIPLIER);
                page++;
            }
            window.add(run, nowMs);
            window.evictSome(window.overflowBytes(), this);
        }
        return window.weightBytes();
    }

    private int slotOf(final int page)
    {
        if (NONE == slotOfPage[page])
        {
            freeCount--;
            slotOfPage[page] = freeSlots[freeCount];
            pageOfSlot[freeSlots[freeCount]] = page;
        }
        return slotOfPage[page];
    }

    @Override
    public void onVictim(final int slotId)
    {
        slotOfPage[pageOfSlot[slotId]] = NONE;
        freeSlots[freeCount] = slotId;
        freeCount++;
    }
}
