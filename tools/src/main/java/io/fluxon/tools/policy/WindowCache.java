package io.fluxon.tools.policy;

import io.fluxon.engine.window.HotWindow;
import io.fluxon.engine.window.SlotRun;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.tools.trace.Trace;
import org.agrona.collections.Long2LongHashMap;

import java.lang.foreign.Arena;

/**
 * The hot window of production, used as an owner uses it: the leading hits of a request are touched, what is missing is
 * added behind them as one batch, then the window evicts what is over its capacity. Front to back instead, each page is
 * a use of its own, and room is made before it is added.
 */
final class WindowCache implements PrefixCache
{
    private static final long MISSING = -1;
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final Arena arena = Arena.ofConfined();
    private final Long2LongHashMap slots = new Long2LongHashMap(MISSING);
    private final boolean isFrontToBack;
    private final HotWindow window;
    private final SlotRun run;
    private final long[] blockIds;
    private final int[] freeSlots;
    private int freeCount;

    /**
     * An empty cache.
     *
     * @param kind           of the window.
     * @param capacityBlocks between two requests.
     * @param maxBlocks      of one request.
     * @param isFrontToBack  whether pages are used one by one, the front first.
     */
    WindowCache(
        final WindowPolicyKind kind, final int capacityBlocks, final int maxBlocks, final boolean isFrontToBack)
    {
        final int slotCount = capacityBlocks + maxBlocks;
        window = new HotWindow(
            kind, arena.allocate(HotWindow.requiredLength(kind, slotCount), 8), slotCount, 1, capacityBlocks);
        run = new SlotRun(maxBlocks);
        blockIds = new long[slotCount];
        freeSlots = new int[slotCount];
        for (int i = slotCount - 1; i >= 0; i--)
        {
            freeSlots[freeCount++] = i;
        }
        this.isFrontToBack = isFrontToBack;
    }

    @Override
    public int onRequest(final Trace trace, final int request)
    {
        final int blocks = trace.blockCount(request);
        int hits = 0;
        while (hits < blocks && slots.containsKey(trace.blockId(request, hits)))
        {
            hits++;
        }

        if (isFrontToBack)
        {
            for (int i = 0; i < blocks; i++)
            {
                use(trace, request, i, i + 1);
            }
        }
        else
        {
            touch(trace, request, 0, hits);
            add(trace, request, 0, blocks);
            window.evictSome(window.overflowBytes(), this::onVictim);
        }
        return hits;
    }

    private void use(final Trace trace, final int request, final int from, final int to)
    {
        if (slots.containsKey(trace.blockId(request, from)))
        {
            touch(trace, request, from, to);
        }
        else
        {
            add(trace, request, from, to);
            window.evictSome(window.overflowBytes(), this::onVictim);
        }
    }

    private void touch(final Trace trace, final int request, final int from, final int to)
    {
        run.clear();
        for (int i = from; i < to; i++)
        {
            final long blockId = trace.blockId(request, i);
            run.append((int)slots.get(blockId), keyHash(blockId));
        }
        window.touch(run, trace.timestampMs(request));
    }

    private void add(final Trace trace, final int request, final int from, final int to)
    {
        run.clear();
        for (int i = from; i < to; i++)
        {
            final long blockId = trace.blockId(request, i);
            if (!slots.containsKey(blockId))
            {
                freeCount--;
                blockIds[freeSlots[freeCount]] = blockId;
                slots.put(blockId, freeSlots[freeCount]);
            }
            run.append((int)slots.get(blockId), keyHash(blockId));
        }
        window.add(run, trace.timestampMs(request));
    }

    private void onVictim(final int slotId)
    {
        slots.remove(blockIds[slotId]);
        freeSlots[freeCount] = slotId;
        freeCount++;
    }

    private static long keyHash(final long blockId)
    {
        final long mixed = (blockId + 1) * MULTIPLIER;
        return (mixed ^ mixed >>> 29) * MULTIPLIER;
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
