package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.WaitStage;

import java.util.ArrayList;
import java.util.List;

/**
 * What reads and writes the segment of a client by address: none is added once it is being unmapped. May be used by any
 * thread.
 */
final class SegmentUsers
{
    private final List<SegmentUser> users = new ArrayList<>();
    private boolean isClosing;

    synchronized void add(final SegmentUser user)
    {
        if (isClosing)
        {
            throw new FluxonException(ErrorCode.SHUTDOWN, WaitStage.NONE, "the client is being closed");
        }
        users.add(user);
    }

    synchronized void remove(final SegmentUser user)
    {
        users.remove(user);
    }

    /** Ends all of them; when one cannot be ended, others may be added again. */
    void end()
    {
        try
        {
            beginClosing().forEach(SegmentUser::endUse);
        }
        catch (final RuntimeException ex)
        {
            reopen();
            throw ex;
        }
    }

    private synchronized List<SegmentUser> beginClosing()
    {
        isClosing = true;
        return List.copyOf(users);
    }

    private synchronized void reopen()
    {
        isClosing = false;
    }
}
