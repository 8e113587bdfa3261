package io.fluxon.engine.window;

/**
 * Which slot of a hot window goes first (contract HOT-1).
 */
public enum WindowPolicyKind
{
    /** Least recently used. */
    LRU,

    /** Segmented LRU with a fifth protected. */
    SLRU,

    /** Adaptive replacement. */
    ARC,

    /** W-TinyLFU with an adaptive window. */
    TINYLFU,

    /** The default: the least expected returns for each second held, or ARC where that has more hits. */
    FLUXON;

    long requiredLength(final int slotCount)
    {
        return switch (this)
        {
            case LRU -> LruPolicy.requiredLength(slotCount);
            case SLRU -> SlruPolicy.requiredLength(slotCount);
            case ARC -> ArcPolicy.requiredLength(slotCount);
            case TINYLFU -> TinyLfuPolicy.requiredLength(slotCount);
            case FLUXON -> FluxonPolicy.requiredLength(slotCount);
        };
    }

    WindowPolicy create(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        return switch (this)
        {
            case LRU -> new LruPolicy(memory, slotCount);
            case SLRU -> new SlruPolicy(memory, slotCount, capacitySlots);
            case ARC -> new ArcPolicy(memory, slotCount, capacitySlots);
            case TINYLFU -> new TinyLfuPolicy(memory, slotCount, capacitySlots);
            case FLUXON -> new FluxonPolicy(memory, slotCount, capacitySlots);
        };
    }
}
