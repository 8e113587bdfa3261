package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Channel in memory that refuses by chance of a seed, or as told.
 */
final class UnsteadyChannel implements ControlChannel, MessageSource
{
    final ArrayDeque<byte[]> inFlight = new ArrayDeque<>();
    private final long connectionId;
    private final int maxMessageLength;
    private final SplittableRandom random;
    private final int refusalPercent;
    long answer = 1;
    int admissions = Integer.MAX_VALUE;
    int offers;
    boolean isClosed;

    UnsteadyChannel(
        final long connectionId, final int maxMessageLength, final int refusalPercent, final SplittableRandom random)
    {
        this.connectionId = connectionId;
        this.maxMessageLength = maxMessageLength;
        this.refusalPercent = refusalPercent;
        this.random = random;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        offers++;
        if (length > maxMessageLength)
        {
            throw new IllegalArgumentException("message of " + length + " bytes");
        }
        if (answer <= 0)
        {
            return answer;
        }
        if (0 == admissions)
        {
            return BACK_PRESSURED;
        }
        if (random.nextInt(100) < refusalPercent)
        {
            return random.nextBoolean() ? BACK_PRESSURED : ADMIN_ACTION;
        }

        admissions--;
        inFlight.add(TestMessages.bytes(buffer, offset, length));
        return 1;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public boolean isConnected()
    {
        return answer > 0;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && !inFlight.isEmpty())
        {
            final byte[] message = inFlight.poll();
            handler.onMessage(
                connectionId, new UnsafeBuffer(message), 0, message.length);
            count++;
        }

        return count;
    }
}
