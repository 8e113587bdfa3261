package io.fluxon.testing;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Makes wrong messages out of right ones: bits flipped, cut, lengthened, fields and heads of other messages put in,
 * counts of groups and lengths changed, ids swapped. The same seed and the same messages give the same mutants.
 * Allocates nothing once it has seen its longest message. Not thread-safe.
 */
public final class MessageMutator
{
    /** Offset of the generation in each message. */
    public static final int GENERATION_OFFSET = 8;
    /** Offset of the session id in each message. */
    public static final int SESSION_ID_OFFSET = 16;
    /** Offset of the request or operation id in each message. */
    public static final int CORRELATION_ID_OFFSET = 24;
    /** Length of header, generation, session and correlation id, which begin each message. */
    public static final int PREAMBLE_LENGTH = 32;

    private static final int CORPUS_SIZE = 1024;
    private static final int MAX_ADDED = 64;
    private static final int KINDS = 9;
    private static final long[] EXTREMES = {
        0, 1, -1, 2, 3, 4, 7, 64, 65, 127, 128, 255, 256, 511, 513, 4095, 4096, 8191, 8193, 65534, 65535,
        Short.MAX_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 1L << 40};

    private final SplittableRandom random;
    private final UnsafeBuffer[] corpus = new UnsafeBuffer[CORPUS_SIZE];
    private final int[] lengths = new int[CORPUS_SIZE];
    private final long[] extremes;
    private UnsafeBuffer mutant = new UnsafeBuffer(new byte[4096]);
    private int corpusCount;
    private int length;
    private long mutants;

    /**
     * Creates a mutator.
     *
     * @param seed     of every choice.
     * @param extremes values to put into fields besides the usual ones.
     */
    public MessageMutator(final long seed, final long... extremes)
    {
        random = new SplittableRandom(seed);
        this.extremes = new long[EXTREMES.length + extremes.length];
        System.arraycopy(EXTREMES, 0, this.extremes, 0, EXTREMES.length);
        System.arraycopy(extremes, 0, this.extremes, EXTREMES.length, extremes.length);
    }

    /**
     * Its source of choices, which tests share so that one seed decides all.
     *
     * @return the source.
     */
    public SplittableRandom random()
    {
        return random;
    }

    /**
     * Mutants made so far.
     *
     * @return number of mutants.
     */
    public long mutants()
    {
        return mutants;
    }

    /**
     * The last mutant; its first {@link #length()} bytes are the message. Valid until the next.
     *
     * @return the buffer.
     */
    public UnsafeBuffer mutant()
    {
        return mutant;
    }

    /**
     * Length of the last mutant.
     *
     * @return bytes.
     */
    public int length()
    {
        return length;
    }

    /**
     * Makes a mutant of a message, and keeps the message for later splices.
     *
     * @param message       a whole one.
     * @param offset        of its first byte.
     * @param messageLength in bytes.
     */
    public void mutate(final DirectBuffer message, final int offset, final int messageLength)
    {
        remember(message, offset, messageLength);
        if (mutant.capacity() < messageLength + MAX_ADDED)
        {
            mutant = new UnsafeBuffer(new byte[2 * messageLength + MAX_ADDED]);
        }
        mutant.putBytes(0, message, offset, messageLength);
        length = messageLength;
        mutants++;
        for (int n = 0 == random.nextInt(4) ? 2 : 1; n > 0 && length > 0; n--)
        {
            mutateOnce();
        }
    }

    /**
     * Makes a mutant of a message seen before; there must be one. It gets an id that is of the present, mostly.
     *
     * @param correlationId to put in.
     */
    public void mutateRemembered(final long correlationId)
    {
        final int index = random.nextInt(corpusCount);
        final UnsafeBuffer message = corpus[index];
        final int messageLength = lengths[index];
        if (messageLength >= PREAMBLE_LENGTH && 0 != random.nextInt(8))
        {
            message.putLong(CORRELATION_ID_OFFSET, correlationId, ByteOrder.LITTLE_ENDIAN);
        }
        mutate(message, 0, messageLength);
    }

    /**
     * Messages to make mutants of.
     *
     * @return false until the first.
     */
    public boolean hasMessages()
    {
        return corpusCount > 0;
    }

    private void remember(final DirectBuffer message, final int offset, final int messageLength)
    {
        final int index = corpusCount < CORPUS_SIZE ? corpusCount++ : random.nextInt(CORPUS_SIZE);
        if (null == corpus[index] || corpus[index].capacity() < messageLength)
        {
            corpus[index] = new UnsafeBuffer(new byte[messageLength]);
        }
        corpus[index].putBytes(0, message, offset, messageLength);
        lengths[index] = messageLength;
    }

    private void mutateOnce()
    {
        switch (random.nextInt(KINDS))
        {
            case 0 -> length = random.nextInt(length);
            case 1 -> lengthen();
            case 2 -> flip();
            case 3 -> mutant.putByte(position(), (byte)random.nextInt());
            case 4 -> putShort((short)extreme());
            case 5 -> putInt((int)extreme());
            case 6 -> putLong(extreme());
            case 7 -> spliceField();
            default -> spliceHeadOrId();
        }
    }

    private void lengthen()
    {
        final int added = 1 + random.nextInt(MAX_ADDED);
        if (length + added <= mutant.capacity())
        {
            for (int i = 0; i < added; i++)
            {
                mutant.putByte(length + i, (byte)random.nextInt());
            }
            length += added;
        }
    }

    private void flip()
    {
        for (int n = 1 + random.nextInt(4); n > 0; n--)
        {
            final int index = position();
            mutant.putByte(index, (byte)(mutant.getByte(index) ^ 1 << random.nextInt(8)));
        }
    }

    private void putShort(final short value)
    {
        final int index = position();
        if (index <= length - Short.BYTES)
        {
            mutant.putShort(index, value, ByteOrder.LITTLE_ENDIAN);
        }
    }

    private void putInt(final int value)
    {
        final int index = position();
        if (index <= length - Integer.BYTES)
        {
            mutant.putInt(index, value, ByteOrder.LITTLE_ENDIAN);
        }
    }

    private void putLong(final long value)
    {
        final int index = position();
        if (index <= length - Long.BYTES)
        {
            mutant.putLong(index, value, ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Some bytes of another message, in the place where that one has them. */
    private void spliceField()
    {
        final int other = random.nextInt(corpusCount);
        final int index = position();
        final int count = Math.min(1 << random.nextInt(5), Math.min(length, lengths[other]) - index);
        if (count > 0)
        {
            mutant.putBytes(index, corpus[other], index, count);
        }
    }

    /** The header of another message, or one of its ids. */
    private void spliceHeadOrId()
    {
        final int other = random.nextInt(corpusCount);
        final int end = Math.min(length, lengths[other]);
        final int from = random.nextInt(6) * Long.BYTES;
        if (from + Long.BYTES <= end)
        {
            mutant.putBytes(from, corpus[other], from, Long.BYTES);
        }
    }

    /** Mostly behind the preamble, or nothing would reach the code that acts on a message. */
    private int position()
    {
        final int from = length > PREAMBLE_LENGTH && 0 != random.nextInt(10) ? PREAMBLE_LENGTH : 0;
        return from + random.nextInt(length - from);
    }

    private long extreme()
    {
        return extremes[random.nextInt(extremes.length)];
    }
}
