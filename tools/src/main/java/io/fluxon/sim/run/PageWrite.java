package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.VirtualWorker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A kernel that writes the pages of a put: it was given addresses, and knows nothing of what becomes of the plan.
 */
final class PageWrite
{
    /** Pieces in which it writes. */
    static final int PIECES = 3;

    private final String[] names;
    private final UnsafeBuffer[] pages;

    PageWrite(final PutPlan plan, final String[] names, final int length)
    {
        this.names = names;
        pages = new UnsafeBuffer[names.length];
        for (int i = 0; i < names.length; i++)
        {
            pages[i] = new UnsafeBuffer(plan.valueAddress(i), length);
        }
    }

    void move(final int piece)
    {
        for (int i = 0; PIECES - 1 == piece && i < names.length; i++)
        {
            VirtualWorker.fill(pages[i], names[i], pages[i].capacity());
        }
    }
}
