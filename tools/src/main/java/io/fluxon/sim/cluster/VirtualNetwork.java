package io.fluxon.sim.cluster;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Links between inboxes. A link carries messages in order unless its {@link LinkFaults} say otherwise; every choice is
 * drawn from the one random source of the run.
 */
public final class VirtualNetwork
{
    private final NanoClock clock;
    private final Random random;
    private final int maxMessageLength;
    private final List<Inbox> inboxes = new ArrayList<>();
    private long nextConnectionId = 1;
    private long sequence;

    /**
     * Creates a network without links.
     *
     * @param clock            of the run.
     * @param random           of the run.
     * @param maxMessageLength of one transport message, in bytes.
     */
    public VirtualNetwork(final NanoClock clock, final Random random, final int maxMessageLength)
    {
        this.clock = clock;
        this.random = random;
        this.maxMessageLength = maxMessageLength;
    }

    /**
     * Makes an inbox.
     *
     * @return the inbox, empty.
     */
    public Inbox inbox()
    {
        final Inbox inbox = new Inbox();
        inboxes.add(inbox);
        return inbox;
    }

    /**
     * Makes a link with a connection id of its own.
     *
     * @param target where its messages arrive.
     * @param faults of the link.
     * @param tap    that sees its messages.
     * @return the sending end.
     */
    public Link connect(final Inbox target, final LinkFaults faults, final MessageTap tap)
    {
        return new Link(target, faults, tap, nextConnectionId++);
    }

    /**
     * When the next message arrives. Those that wait for a receiver who is stopped do not count.
     *
     * @return nanoseconds, or {@link Long#MAX_VALUE} when nothing is on its way.
     */
    public long earliestArrivalNs()
    {
        long earliestNs = Long.MAX_VALUE;
        for (final Inbox inbox : inboxes)
        {
            for (final Message message : inbox.messages)
            {
                if (message.arrivalNs > clock.nanoTime())
                {
                    earliestNs = Math.min(earliestNs, message.arrivalNs);
                }
            }
        }
        return earliestNs;
    }

    /** One message on its way. */
    private record Message(long connectionId, long arrivalNs, long order, byte[] bytes)
    {
    }

    /** Receiving end of any number of links. */
    public final class Inbox implements MessageSource
    {
        private final List<Message> messages = new ArrayList<>();
        private boolean closed;

        @Override
        public int poll(final MessageHandler handler, final int limit)
        {
            int count = 0;
            while (count < limit)
            {
                final int index = nextDue();
                if (index < 0)
                {
                    break;
                }
                final Message message = messages.remove(index);
                handler.onMessage(message.connectionId, new UnsafeBuffer(message.bytes), 0, message.bytes.length);
                count++;
            }
            return count;
        }

        /** Loses what is on its way and takes nothing any more: its process is gone. */
        public void close()
        {
            closed = true;
            messages.clear();
        }

        /** Takes messages again: a new process listens at the same place. */
        public void open()
        {
            closed = false;
        }

        private int nextDue()
        {
            int best = -1;
            for (int i = 0; i < messages.size(); i++)
            {
                final Message message = messages.get(i);
                if (message.arrivalNs <= clock.nanoTime() && (best < 0 || isBefore(message, messages.get(best))))
                {
                    best = i;
                }
            }
            return best;
        }

        private boolean isBefore(final Message a, final Message b)
        {
            return a.arrivalNs < b.arrivalNs || a.arrivalNs == b.arrivalNs && a.order < b.order;
        }

        private void add(final Message message)
        {
            if (!closed)
            {
                messages.add(message);
            }
        }
    }

    /** Sending end of a link. */
    public final class Link implements ControlChannel
    {
        private final Inbox target;
        private final LinkFaults faults;
        private final MessageTap tap;
        private final long connectionId;
        private long lastArrivalNs;
        private boolean closed;

        private Link(
            final Inbox target, final LinkFaults faults, final MessageTap tap, final long connectionId)
        {
            this.target = target;
            this.faults = faults;
            this.tap = tap;
            this.connectionId = connectionId;
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (closed || target.closed)
            {
                return closed ? CLOSED : NOT_CONNECTED;
            }
            if (length > maxMessageLength)
            {
                throw new IllegalArgumentException("length=" + length + ", allowed: <= " + maxMessageLength);
            }
            final long refusal = refusal();
            if (0 != refusal)
            {
                return refusal;
            }
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            carry(bytes);
            return ++sequence;
        }

        @Override
        public int maxMessageLength()
        {
            return maxMessageLength;
        }

        @Override
        public boolean isConnected()
        {
            return !closed && !target.closed && !faults.disconnected;
        }

        @Override
        public void close()
        {
            closed = true;
        }

        /**
         * Connection id under which its messages arrive.
         *
         * @return the id.
         */
        public long connectionId()
        {
            return connectionId;
        }

        private long refusal()
        {
            if (faults.disconnected)
            {
                return NOT_CONNECTED;
            }
            if (happens(faults.backPressureRate))
            {
                return BACK_PRESSURED;
            }
            return happens(faults.adminActionRate) ? ADMIN_ACTION : 0;
        }

        private void carry(final byte[] bytes)
        {
            final int copies = tap.copies(this, bytes) * (happens(faults.duplicateRate) ? 2 : 1);
            for (int i = 0; i < copies; i++)
            {
                if (!faults.partitioned && !happens(faults.lossRate))
                {
                    deliver(bytes);
                }
            }
        }

        void deliver(final byte[] bytes)
        {
            target.add(new Message(connectionId, arrivalNs(), ++sequence, bytes));
        }

        private long arrivalNs()
        {
            final long spread = Math.max(1, faults.maxDelayNs - faults.minDelayNs + 1);
            final long arrivalNs = clock.nanoTime() + faults.minDelayNs + (long)(random.nextDouble() * spread);
            if (happens(faults.reorderRate))
            {
                return arrivalNs;
            }
            lastArrivalNs = Math.max(lastArrivalNs, arrivalNs);
            return lastArrivalNs;
        }

        private boolean happens(final double rate)
        {
            return rate > 0 && random.nextDouble() < rate;
        }
    }
}
