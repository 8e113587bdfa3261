package io.fluxon.sim.cluster;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import java.util.ArrayList;
import java.util.List;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Links between inboxes. A link carries messages in order unless its {@link LinkFaults} say otherwise.
 */
public final class VirtualNetwork
{
    private static final int OFFER_CHOICES = 16;
    private static final double LATE_RATE = 0.3;
    private static final long FIRST_LATE_NS = 100_000;
    private static final long LAST_LATE_NS = 10_000_000_000L;

    private final NanoClock clock;
    private final Choices choices;
    private final FaultTally tally;
    private final RunDigest digest;
    private final int maxMessageLength;
    private final List<WireObserver> observers = new ArrayList<>();
    private final Map<String, Integer> connections = new HashMap<>();
    private long nextConnectionId = 1;
    private long sequence;

    VirtualNetwork(final VirtualCluster cluster, final int maxMessageLength)
    {
        this.clock = cluster.clock();
        this.choices = cluster.choices();
        this.tally = cluster.faults();
        this.digest = cluster.digest();
        this.maxMessageLength = maxMessageLength;
    }

    /**
     * Has somebody see every message from now on.
     *
     * @param observer of the messages.
     */
    public void observe(final WireObserver observer)
    {
        observers.add(observer);
    }

    Inbox inbox(final VirtualProcess process)
    {
        return new Inbox(process);
    }

    Link connect(final VirtualProcess from, final Inbox target, final LinkFaults faults, final MessageTap tap)
    {
        final String ends = from.name() + ">" + target.process.name();
        final int number = connections.merge(ends, 1, Integer::sum);
        return new Link(
            from, target, faults, tap, choices.stream(ends + "#" + number), nextConnectionId++);
    }

    /** One message on its way. */
    private record Message(Link link, long arrivalNs, long order, byte[] bytes)
    {
    }

    /** Receiving end of any number of links. */
    public final class Inbox implements MessageSource
    {
        private final List<Message> messages = new ArrayList<>();
        private final VirtualProcess process;
        private boolean closed;

        private Inbox(final VirtualProcess process)
        {
            this.process = process;
        }

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
                hand(messages.remove(index), handler);
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

        boolean hasUnread()
        {
            return earliestNs() <= clock.nanoTime();
        }

        long earliestNs()
        {
            long earliestNs = Long.MAX_VALUE;
            for (int i = 0; i < messages.size(); i++)
            {
                earliestNs = Math.min(earliestNs, messages.get(i).arrivalNs);
            }
            return earliestNs;
        }

        private void hand(final Message message, final MessageHandler handler)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(message.bytes);
            digest.add(message.link.connectionId, clock.nanoTime(), buffer);
            for (int i = 0; i < observers.size(); i++)
            {
                observers.get(i).onDelivered(message.link, buffer);
            }
            handler.onMessage(message.link.connectionId, buffer, 0, message.bytes.length);
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
                process.wake(message.arrivalNs);
            }
        }
    }

    /** Sending end of a link. */
    public final class Link implements ControlChannel
    {
        private final VirtualProcess from;
        private final Inbox target;
        private final LinkFaults faults;
        private final MessageTap tap;
        private final Choices.Stream choices;
        private final long connectionId;
        private long lastArrivalNs;
        private boolean closed;

        private Link(
            final VirtualProcess from,
            final Inbox target,
            final LinkFaults faults,
            final MessageTap tap,
            final Choices.Stream choices,
            final long connectionId)
        {
            this.from = from;
            this.target = target;
            this.faults = faults;
            this.tap = tap;
            this.choices = choices;
            this.connectionId = connectionId;
        }

        /**
         * Who sends.
         *
         * @return the process.
         */
        public VirtualProcess from()
        {
            return from;
        }

        /**
         * Who receives.
         *
         * @return the process.
         */
        public VirtualProcess to()
        {
            return target.process;
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
            choices.align(OFFER_CHOICES);
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

        @Override
        public String toString()
        {
            return from + " > " + target.process;
        }

        private long refusal()
        {
            if (faults.disconnected)
            {
                return NOT_CONNECTED;
            }
            if (clock.nanoTime() < faults.blockedUntilNs || happens(faults.backPressureRate, FaultKind.BACK_PRESSURE))
            {
                return BACK_PRESSURED;
            }
            return happens(faults.adminActionRate, FaultKind.ADMIN_ACTION) ? ADMIN_ACTION : 0;
        }

        private void carry(final byte[] bytes)
        {
            final UnsafeBuffer message = new UnsafeBuffer(bytes);
            for (int i = 0; i < observers.size(); i++)
            {
                observers.get(i).onSent(this, message);
            }
            final boolean isLost = happens(faults.lossRate, FaultKind.MESSAGE_LOST);
            final boolean isDoubled = happens(faults.duplicateRate, FaultKind.MESSAGE_DUPLICATED);
            final int copies = tap.copies(this, bytes) * (isDoubled ? 2 : 1);
            for (int i = isLost ? 1 : 0; i < copies && !faults.partitioned; i++)
            {
                if (i > 0 && choices.chance(LATE_RATE))
                {
                    deliverLate(bytes);
                }
                else
                {
                    deliver(bytes);
                }
            }
            if (isLost && !faults.partitioned && choices.chance(LATE_RATE))
            {
                deliverLate(bytes);
            }
        }

        /** A copy, or a message that looked lost, comes when everything has gone on, and overtakes nothing. */
        private void deliverLate(final byte[] bytes)
        {
            final long delayNs = choices.magnitude(FIRST_LATE_NS, LAST_LATE_NS);
            target.add(new Message(this, clock.nanoTime() + delayNs, ++sequence, bytes));
        }

        void deliver(final byte[] bytes)
        {
            target.add(new Message(this, arrivalNs(), ++sequence, bytes));
        }

        private long arrivalNs()
        {
            final boolean isLate = happens(faults.longDelayRate, FaultKind.MESSAGE_DELAYED);
            final long delayNs = choices.between(
                faults.minDelayNs, Math.max(faults.minDelayNs, faults.maxDelayNs)) +
                (isLate ? choices.between(1, faults.longDelayNs) : 0);
            final long arrivalNs = Math.max(faults.cloggedUntilNs, clock.nanoTime() + delayNs);
            if (happens(faults.reorderRate, FaultKind.MESSAGE_REORDERED))
            {
                return arrivalNs;
            }
            lastArrivalNs = Math.max(lastArrivalNs, arrivalNs);
            return lastArrivalNs;
        }

        private boolean happens(final double rate, final FaultKind kind)
        {
            final boolean happens = choices.chance(rate);
            if (happens)
            {
                tally.count(kind, this);
            }
            return happens;
        }
    }
}
