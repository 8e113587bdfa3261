package io.fluxon.sim.run;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.check.ClientObserver;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.ReadAttempt;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A kernel that reads the pages of a get part by part.
 */
final class PageRead
{
    private final UnsafeBuffer[] pages;
    private final UnsafeBuffer[] copies;

    PageRead(final GetHandle get)
    {
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
        final PageStamp.Part part = PageStamp.Part.values()[piece];
        for (int i = 0; i < pages.length; i++)
        {
            final int from = part.from(pages[i].capacity());
            copies[i].putBytes(from, pages[i], from, part.to(pages[i].capacity()) - from);
        }
    }

    void tell(final ClientObserver clients, final ReadAttempt attempt)
    {
        for (int i = 0; i < copies.length; i++)
        {
            clients.onPage(attempt, i, copies[i]);
        }
    }
}
