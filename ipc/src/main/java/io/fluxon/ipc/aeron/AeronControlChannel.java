package io.fluxon.ipc.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.fluxon.ipc.channel.ControlChannel;
import org.agrona.DirectBuffer;

/**
 * Outbound half of a connection over an Aeron publication. One made by {@link #open} is pending at first: it says
 * {@link #NOT_CONNECTED} until the driver has made the publication, so opening never waits.
 */
public final class AeronControlChannel implements ControlChannel
{
    private static final int PENDING_MAX_MESSAGE_LENGTH =
        FrameDescriptor.computeMaxMessageLength(LogBufferDescriptor.TERM_MIN_LENGTH);

    private final Aeron aeron;
    private final long registrationId;
    private Publication publication;
    private String failure;
    private boolean isClosed;

    /**
     * Creates a channel over a publication that exists; the channel closes it.
     *
     * @param publication concurrent or exclusive.
     */
    public AeronControlChannel(final Publication publication)
    {
        this.aeron = null;
        this.registrationId = Aeron.NULL_VALUE;
        this.publication = publication;
    }

    private AeronControlChannel(final Aeron aeron, final long registrationId)
    {
        this.aeron = aeron;
        this.registrationId = registrationId;
    }

    /**
     * Opens a channel over an exclusive publication of its own, without waiting for the driver.
     *
     * @param aeron    client.
     * @param channel  Aeron URI.
     * @param streamId of the stream.
     * @return the channel, pending.
     */
    public static AeronControlChannel open(final Aeron aeron, final String channel, final int streamId)
    {
        return new AeronControlChannel(aeron, aeron.asyncAddExclusivePublication(channel, streamId));
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed)
        {
            return CLOSED;
        }

        if (null == publication && !hasResolved())
        {
            return isClosed ? CLOSED : NOT_CONNECTED;
        }

        final long result = publication.offer(buffer, offset, length);
        // a stream at its end is as good as closed
        return Publication.MAX_POSITION_EXCEEDED == result ? CLOSED : result;
    }

    /**
     * {@inheritDoc} Of a pending channel: a length that any publication takes.
     */
    @Override
    public int maxMessageLength()
    {
        return null == publication ? PENDING_MAX_MESSAGE_LENGTH : publication.maxMessageLength();
    }

    @Override
    public boolean isConnected()
    {
        return !isClosed && (null != publication || hasResolved()) && publication.isConnected();
    }

    /**
     * Why the driver refused the publication.
     *
     * @return its message, null when it did not.
     */
    public String failure()
    {
        return failure;
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }

        isClosed = true;
        if (null != publication)
        {
            publication.close();
        }
        else if (!aeron.isClosed())
        {
            aeron.asyncRemovePublication(registrationId);
        }
    }

    private boolean hasResolved()
    {
        try
        {
            publication = aeron.getExclusivePublication(registrationId);
        }
        catch (final AeronException | IllegalArgumentException ex)
        {
            failure = ex.getMessage();
            isClosed = true;
        }

        return null != publication;
    }
}
