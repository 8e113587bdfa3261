package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.ReadAttempt;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A kernel that reads the pages of a get, while its views are held.
 */
final class PageRead
{
    /** Pieces in which it reads. */
    static final int PIECES = 3;

    private static final PageStamp.Part[] PARTS = PageStamp.Part.values();

    private final ClientObserver observer;
    private final ReadAttempt attempt;
    private final UnsafeBuffer[] pages;
    private final UnsafeBuffer[] copies;
    private int moved;

    PageRead(final ClientObserver observer, final ReadAttempt attempt, final GetHandle get)
    {
        this.observer = observer;
        this.attempt = attempt;
        pages = new UnsafeBuffer[get.count()];
        copies = new UnsafeBuffer[pages.length];
        for (int i = 0; i < pages.length; i++)
        {
            pages[i] = new UnsafeBuffer(get.valueAddress(i), (int)get.valueLength(i));
            copies[i] = new UnsafeBuffer(new byte[pages[i].capacity()]);
        }
    }

    void move(final int piece)
    {
        moved++;
        for (int i = 0; i < pages.length; i++)
        {
            final int length = pages[i].capacity();
            final int from = PARTS[piece].from(length);
            copies[i].putBytes(from, pages[i], from, PARTS[piece].to(length) - from);
            if (PIECES == moved)
            {
                observer.onPage(attempt, i, copies[i]);
            }
        }
    }
}
