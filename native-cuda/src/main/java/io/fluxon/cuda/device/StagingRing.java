package io.fluxon.cuda.device;

import io.fluxon.cuda.driver.CloseList;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.driver.DeviceMemory;

/**
 * Slots of device memory between two streams: one fills a slot, the other empties it. Both wait for each other with
 * events, the host for neither. Belongs to one thread.
 */
final class StagingRing implements AutoCloseable
{
    private final CloseList made = new CloseList();
    private final DeviceMemory memory;
    private final long slotBytes;
    private final CudaEvent[] filled;
    private final CudaEvent[] emptied;
    private final boolean[] isUsed;
    private final CudaStream filling;
    private final CudaStream emptying;
    private int slot = -1;

    StagingRing(final int slots, final long slotBytes, final CudaStream filling, final CudaStream emptying)
    {
        this.slotBytes = slotBytes;
        this.filling = filling;
        this.emptying = emptying;
        filled = new CudaEvent[slots];
        emptied = new CudaEvent[slots];
        isUsed = new boolean[slots];
        try
        {
            memory = made.add(new DeviceMemory(slots * slotBytes));
            for (int i = 0; i < slots; i++)
            {
                filled[i] = made.add(new CudaEvent(false));
                emptied[i] = made.add(new CudaEvent(false));
            }
        }
        catch (final RuntimeException ex)
        {
            throw made.closeAfter(ex);
        }
    }

    /** Has the filling stream wait for the next slot. Returns its address. */
    long beginFill()
    {
        slot = slot + 1 < filled.length ? slot + 1 : 0;
        if (isUsed[slot])
        {
            filling.await(emptied[slot]);
        }
        return memory.address() + slot * slotBytes;
    }

    /** Has the emptying stream wait until the slot is filled. */
    void beginEmpty()
    {
        filled[slot].record(filling);
        emptying.await(filled[slot]);
    }

    /** Has a third stream wait until the slot is filled. */
    void awaitFilled(final CudaStream other)
    {
        other.await(filled[slot]);
    }

    /** Says that the slot may be filled again once the emptying stream is here. */
    void endEmpty()
    {
        emptied[slot].record(emptying);
        isUsed[slot] = true;
    }

    @Override
    public void close()
    {
        made.close();
    }
}
