package io.fluxon.ipc.aeron;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.ImageControlledFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Inbound half of connections over an Aeron subscription: each image is a connection with an id of its own, never used
 * again in this process. Fragments of a message are put together per connection. Belongs to the agent that polls;
 * allocates only for a new connection.
 */
public final class AeronMessageSource implements MessageSource, AutoCloseable
{
    private static final AtomicLong NEXT_CONNECTION_ID = new AtomicLong(1);

    private final ConnectionListener listener;
    private final AtomicInteger imagesGone = new AtomicInteger();
    private final ControlledFragmentHandler onFragment = this::onFragment;
    // by the image's correlation id, which a later image of the same publication may have again
    private final Long2ObjectHashMap<Connection> byCorrelationId = new Long2ObjectHashMap<>();
    private final ArrayList<Connection> connections = new ArrayList<>();
    private final Subscription subscription;
    private int imagesGoneSeen;
    private MessageHandler handler;
    private Throwable failure;

    private AeronMessageSource(
        final Aeron aeron, final String channel, final int streamId, final ConnectionListener listener)
    {
        this.listener = listener;
        // called on Aeron's thread: the polling thread looks by itself which images have closed
        this.subscription = aeron.addSubscription(
            channel, streamId, null, (image) -> imagesGone.incrementAndGet());
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
        return new AeronMessageSource(aeron, channel, streamId, listener);
    }

    /**
     * {@inheritDoc}
     * <p>
     * What the handler throws stops the poll and is thrown to the caller; the message counts as handed over.
     */
    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        final int gone = imagesGone.get();
        if (gone != imagesGoneSeen)
        {
            imagesGoneSeen = gone;
            closeGone();
        }

        this.handler = handler;
        final int fragments = subscription.controlledPoll(onFragment, limit);
        this.handler = null;

        if (null != failure)
        {
            final Throwable thrown = failure;
            failure = null;
            LangUtil.rethrowUnchecked(thrown);
        }

        return fragments;
    }

    /**
     * Connections that have sent something and have not ended.
     *
     * @return count.
     */
    public int connections()
    {
        return connections.size();
    }

    /**
     * Is a sender there?
     *
     * @return true when at least one is.
     */
    public boolean isConnected()
    {
        return subscription.isConnected();
    }

    /**
     * The channel with the port that the driver has bound, for an endpoint with port 0.
     *
     * @return Aeron URI, null while the driver has not bound it.
     */
    public String resolvedChannel()
    {
        return subscription.tryResolveChannelEndpointPort();
    }

    /** Ends the subscription; repeated calls do nothing. */
    @Override
    public void close()
    {
        subscription.close();
    }

    private ControlledFragmentHandler.Action onFragment(
        final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (null != failure)
        {
            return ControlledFragmentHandler.Action.ABORT;
        }

        try
        {
            return connection((Image) header.context()).assembler.onFragment(buffer, offset, length, header);
        }
        catch (final Throwable ex)
        {
            // Aeron would hand it to its error handler and go on
            failure = ex;
            return ControlledFragmentHandler.Action.BREAK;
        }
    }

    private Connection connection(final Image image)
    {
        final Connection known = byCorrelationId.get(image.correlationId());
        if (null != known && known.image == image)
        {
            return known;
        }

        if (null != known)
        {
            connections.remove(known);
            closeConnection(known);
        }

        final Connection connection = new Connection(image, NEXT_CONNECTION_ID.getAndIncrement());
        byCorrelationId.put(image.correlationId(), connection);
        connections.add(connection);

        return connection;
    }

    private void closeGone()
    {
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            if (connection.image.isClosed())
            {
                connections.remove(i);
                closeConnection(connection);
            }
        }
    }

    private void closeConnection(final Connection connection)
    {
        byCorrelationId.remove(connection.image.correlationId());
        listener.onConnectionClosed(connection.id);
    }

    private final class Connection implements ControlledFragmentHandler
    {
        private final Image image;
        private final long id;
        private final ImageControlledFragmentAssembler assembler = new ImageControlledFragmentAssembler(this);

        Connection(final Image image, final long id)
        {
            this.image = image;
            this.id = id;
        }

        @Override
        public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
        {
            handler.onMessage(id, buffer, offset, length);
            return Action.CONTINUE;
        }
    }
}
