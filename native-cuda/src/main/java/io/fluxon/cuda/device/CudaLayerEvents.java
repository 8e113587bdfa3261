package io.fluxon.cuda.device;

import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.driver.CloseList;
import io.fluxon.cuda.driver.CudaEvent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Events of a device behind the layers of a copy.
 */
final class CudaLayerEvents implements LayerEvents
{
    private final CloseList made = new CloseList();
    private final CudaEvent[] events;
    private final MemorySegment handles;

    CudaLayerEvents(final int layers)
    {
        events = new CudaEvent[layers];
        try
        {
            handles = made.add(Arena.ofShared()).allocate(ValueLayout.JAVA_LONG, layers);
            for (int i = 0; i < layers; i++)
            {
                events[i] = made.add(new CudaEvent(false));
                handles.setAtIndex(ValueLayout.JAVA_LONG, i, events[i].handle());
            }
        }
        catch (final RuntimeException ex)
        {
            throw made.closeAfter(ex);
        }
    }

    @Override
    public long address()
    {
        return handles.address();
    }

    @Override
    public long event(final int layer)
    {
        return events[layer].handle();
    }

    @Override
    public boolean isDone(final int layer)
    {
        return events[layer].isDone();
    }

    @Override
    public void close()
    {
        made.close();
    }
}
