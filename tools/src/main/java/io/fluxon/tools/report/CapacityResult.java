package io.fluxon.tools.report;

/**
 * What the memory of a cluster holds at the end of the requests, before anything is released.
 *
 * @param configuredBytes    of all owners' grants.
 * @param usableSlotBytes    of them: bytes that slots of the page's size can have.
 * @param gpuUsableSlotBytes of these: those of the owners that serve workers.
 * @param heldBytes          of slots in use, in slot sizes (contract SLOT-6).
 * @param heldOnceBytes      of values whose route has exactly one replica, in slot sizes.
 * @param freeBytes          that can still be claimed.
 */
public record CapacityResult(
    long configuredBytes,
    long usableSlotBytes,
    long gpuUsableSlotBytes,
    long heldBytes,
    long heldOnceBytes,
    long freeBytes)
{
    /**
     * Part of all usable bytes that is held exactly once.
     *
     * @return from 0 to 1, 0 when nothing is usable.
     */
    public double onceOfAll()
    {
        return usableSlotBytes > 0 ? (double) heldOnceBytes / usableSlotBytes : 0;
    }

    /**
     * Bytes that are held exactly once, wherever that is, beside the usable bytes of the gpu owners.
     *
     * @return part, above 1 when other owners hold so much too; 0 when nothing is usable.
     */
    public double onceOfGpu()
    {
        return gpuUsableSlotBytes > 0 ? (double) heldOnceBytes / gpuUsableSlotBytes : 0;
    }
}
