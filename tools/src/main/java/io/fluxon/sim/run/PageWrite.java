package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.PutAttempt;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A kernel that writes the pages of a put: it was given addresses, and knows nothing of what becomes of the plan.
 */
final class PageWrite
{
    /** Pieces in which it writes. */
    static final int PIECES = 3;

    private static final PageStamp.Part[] PARTS = PageStamp.Part.values();


    private final PutAttempt put;
    private final UnsafeBuffer[] pages;

    PageWrite(final PutAttempt put, final PutPlan plan)
    {
        this.put = put;
        pages = new UnsafeBuffer[plan.count()];
        for (int i = 0; i < pages.length; i++)
        {
            pages[i] = new UnsafeBuffer(plan.valueAddress(i), (int)plan.valueLength());
        }
    }

    void move(final int piece)
    {
        for (int i = 0; i < pages.length; i++)
        {
            put.write(i, pages[i], PARTS[piece]);
        }
    }
}
