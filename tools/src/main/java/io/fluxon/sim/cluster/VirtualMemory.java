package io.fluxon.sim.cluster;

import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Segments of all owners of a run, by (owner id, generation): what stands for shared memory.
 */
public final class VirtualMemory
{
    private final Map<String, UnsafeBuffer> segments = new HashMap<>();

    /**
     * Adds a segment.
     *
     * @param ownerId    of the owner.
     * @param generation of the owner.
     * @param segment    its whole segment, the offsets of messages are offsets in it.
     */
    public void add(final int ownerId, final long generation, final UnsafeBuffer segment)
    {
        segments.put(ownerId + "/" + generation, segment);
    }

    /**
     * A generation is gone, and its segment with it.
     *
     * @param ownerId    of the owner.
     * @param generation of the owner.
     */
    public void remove(final int ownerId, final long generation)
    {
        segments.remove(ownerId + "/" + generation);
    }

    /**
     * Finds a segment.
     *
     * @param ownerId    of the owner.
     * @param generation of the owner.
     * @return the segment, or null when there is none.
     */
    public UnsafeBuffer segment(final int ownerId, final long generation)
    {
        return segments.get(ownerId + "/" + generation);
    }
}
