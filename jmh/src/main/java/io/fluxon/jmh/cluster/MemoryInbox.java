package io.fluxon.jmh.cluster;

import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;

import java.util.ArrayList;

/**
 * Everything that one core hears: the links that lead to it, polled in turn.
 */
public final class MemoryInbox implements MessageSource
{
    private final ArrayList<MemoryLink> links = new ArrayList<>();
    private int first;

    /**
     * A new link to this core.
     *
     * @return the link, whose sender is still to be found.
     */
    public MemoryLink newLink()
    {
        final MemoryLink link = new MemoryLink(links.size() + 1);
        links.add(link);
        return link;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        final int size = links.size();
        first = first + 1 < size ? first + 1 : 0;
        int work = 0;
        for (int i = 0; i < size && work < limit; i++)
        {
            final int index = first + i;
            work += links.get(index < size ? index : index - size).poll(handler, limit - work);
        }
        return work;
    }
}
