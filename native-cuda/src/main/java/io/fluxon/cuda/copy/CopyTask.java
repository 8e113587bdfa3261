package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CopyCommand;

/**
 * One descriptor on its way: made once, used again.
 */
public final class CopyTask
{
    private final int index;
    private final CopyCommand command = new CopyCommand();
    private long token;
    private long afterEvent;
    private long layerEvents;
    private int stream;
    private CopyDirection direction;
    private CopyStrategy strategy;
    private long bytes;
    private CopyStatus status;
    private String reason;

    CopyTask(final int index, final long commandAddress)
    {
        this.index = index;
        command.wrap(commandAddress);
    }

    CopyTask set(
        final long token,
        final int stream,
        final CopyDirection direction,
        final CopyStrategy strategy,
        final long afterEvent,
        final long layerEvents)
    {
        this.token = token;
        this.stream = stream;
        this.direction = direction;
        this.strategy = strategy;
        this.afterEvent = afterEvent;
        this.layerEvents = layerEvents;
        return this;
    }

    /** Number of the task in its pool. @return 0 or more. */
    public int index()
    {
        return index;
    }

    /** What to copy. @return the command. */
    public CopyCommand command()
    {
        return command;
    }

    /** CUevent that the copy waits for. @return 0 for none. */
    public long afterEvent()
    {
        return afterEvent;
    }

    /** Address of one CUevent a layer. @return 0 for none. */
    public long layerEvents()
    {
        return layerEvents;
    }

    /** Direction. @return backup or restore. */
    public CopyDirection direction()
    {
        return direction;
    }

    /** Bytes that are copied. @return pages times bytes of a page. */
    public long bytes()
    {
        return bytes;
    }

    long token()
    {
        return token;
    }

    int stream()
    {
        return stream;
    }

    CopyStrategy strategy()
    {
        return strategy;
    }

    void strategy(final CopyStrategy chosen)
    {
        strategy = chosen;
        bytes = command.pageCount() * command.pageBytes();
    }

    void end(final CopyStatus endStatus, final String endReason)
    {
        status = endStatus;
        reason = endReason;
    }

    CopyStatus status()
    {
        return status;
    }

    String reason()
    {
        return reason;
    }
}
