package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.VirtualWorker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A kernel that reads the pages of a get, while its views are held.
 */
final class PageRead
{
    /** Pieces in which it reads. */
    static final int PIECES = 3;

    private final String[] names;
    private final UnsafeBuffer[] pages;

    PageRead(final GetHandle get, final String[] names)
    {
        this.names = names;
        pages = new UnsafeBuffer[get.count()];
        for (int i = 0; i < pages.length; i++)
        {
            pages[i] = new UnsafeBuffer(get.valueAddress(i), (int)get.valueLength(i));
        }
    }

    void move(final int piece)
    {
        for (int i = 0; i < pages.length; i++)
        {
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[pages[i].capacity()]);
            VirtualWorker.fill(expected, names[i], expected.capacity());
            Violation.unless(0 == expected.compareTo(pages[i]), "GET-6",
                "piece %d of page %d of key %s has other bytes than were written", piece, i, names[i]);
        }
    }
}
