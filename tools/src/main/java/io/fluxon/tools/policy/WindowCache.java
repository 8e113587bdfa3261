package io.fluxon.tools.policy;

import io.fluxon.engine.window.HotWindow;
import io.fluxon.engine.window.SlotRun;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.tools.trace.Trace;
import org.agrona.collections.Long2LongHashMap;

import java.lang.foreign.Arena;

/**
 * The hot window of production.
 */
final class WindowCache implements PrefixCache
{
    private static final long MISSING = -1;

    /** How a request uses the window. */
    enum Manner
    {
        /** As an owner does: leading hits are touched, the rest is added as one batch, then the window evicts. */
        BATCH,

        /** Page by page, the deepest first, the window evicts after each; as policies are described and compared. */
        DEEPEST_FIRST,

        /** Page by page, the front first, the window evicts after each. */
        FRONT_FIRST
    }

    private final Arena arena = Arena.ofConfined();
    private final Long2LongHashMap slots = new Long2LongHashMap(MISSING);
    private final Manner manner;
    private final int hashing;
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
     * @param manner         how requests use it.
     * @param hashing        decides the hashes of keys.
     */
    WindowCache(
        final WindowPolicyKind kind,
        final int capacityBlocks,
        final int maxBlocks,
        final Manner manner,
        final int hashing)
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
        this.manner = manner;
        this.hashing = hashing;
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

        switch (manner)
        {
            case BATCH ->
            {
                touch(trace, request, 0, hits);
                add(trace, request, 0, blocks);
            }
            case DEEPEST_FIRST ->
            {
                for (int i = blocks - 1; i >= 0; i--)
                {
                    usePage(trace, request, i);
                }
            }
            case FRONT_FIRST ->
            {
                for (int i = 0; i < blocks; i++)
                {
                    usePage(trace, request, i);
                }
            }
        }
        window.evictSome(window.overflowBytes(), this::onVictim);
        return hits;
    }

    private void usePage(final Trace trace, final int request, final int index)
    {
        if (slots.containsKey(trace.blockId(request, index)))
        {
            touch(trace, request, index, index + 1);
        }
        else
        {
            add(trace, request, index, index + 1);
            window.evictSome(window.overflowBytes(), this::onVictim);
        }
    }

    private void touch(final Trace trace, final int request, final int from, final int to)
    {
        run.clear();
        for (int i = from; i < to; i++)
        {
            final long blockId = trace.blockId(request, i);
            run.append((int)slots.get(blockId), KeyMix.hash(blockId, hashing));
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
            run.append((int)slots.get(blockId), KeyMix.hash(blockId, hashing));
        }
        window.add(run, trace.timestampMs(request));
    }

    private void onVictim(final int slotId)
    {
        slots.remove(blockIds[slotId]);
        freeSlots[freeCount] = slotId;
        freeCount++;
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
