package io.fluxon.ipc.aeron;

import io.aeron.Aeron;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;

/**
 * Inbound half of connections over an Aeron subscription: each image is a connection with an id of its own, never used
 * again in this process. Fragments of a message are put together per connection. Belongs to the agent that polls.
 */
public final class AeronMessageSource implements MessageSource, AutoCloseable
{
    private AeronMessageSource()
    {
    }

    /**
     * Subscribes; waits for the driver's answer.
     *
     * @param aeron    client.
     * @param channel  Aeron URI.
     * @param streamId of the stream.
     * @param listener that hears of connections that have ended.
     * @return the source.
     */
    public static AeronMessageSource open(
        final Aeron aeron, final String channel, final int streamId, final ConnectionListener listener)
    {
        return new AeronMessageSource();
    }

    /**
     * {@inheritDoc}
     * <p>
     * What the handler throws stops the poll and is thrown to the caller; the message counts as handed over.
     */
    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        return 0;
    }

    /**
     * Connections that have sent something and have not ended.
     *
     * @return count.
     */
    public int connections()
    {
        return 0;
    }

    /**
     * The channel with the port that the driver has bound, for an endpoint with port 0.
     *
     * @return Aeron URI, null while the driver has not bound it.
     */
    public String resolvedChannel()
    {
        return null;
    }

    /** Ends the subscription; repeated calls do nothing. */
    @Override
    public void close()
    {
    }
}
