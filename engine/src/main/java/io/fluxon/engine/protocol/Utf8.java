package io.fluxon.engine.protocol;

import org.agrona.DirectBuffer;

/**
 * Checks that bytes are well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
 */
public final class Utf8
{
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8()
    {
    }

    /**
     * Checks a run of bytes.
     *
     * @param buffer that holds them.
     * @param offset of the first byte.
     * @param length in bytes.
     * @return true when they are well-formed UTF-8.
     */
    public static boolean isValid(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        int i = offset;
        while (i + Long.BYTES <= end && 0 == (buffer.getLong(i) & HIGH_BITS))
        {
            i += Long.BYTES;
        }

        while (i < end)
        {
            final int sequence = sequenceLength(buffer, i, end);
            if (0 == sequence)
            {
                return false;
            }
            i += sequence;
        }

        return true;
    }

    private static int sequenceLength(final DirectBuffer buffer, final int i, final int end)
    {
        final int first = buffer.getByte(i) & 0xFF;
        if (first < 0x80)
        {
            return 1;
        }

        final int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (0 == length || i + length > end || !isSecondValid(first, buffer.getByte(i + 1) & 0xFF))
        {
            return 0;
        }

        for (int n = 2; n < length; n++)
        {
            if (!isContinuation(buffer.getByte(i + n) & 0xFF))
            {
                return 0;
            }
        }

        return length;
    }

    private static boolean isSecondValid(final int first, final int second)
    {
        return switch (first)
        {
            case 0xE0 -> second >= 0xA0 && second <= 0xBF;
            case 0xED -> second >= 0x80 && second <= 0x9F;
            case 0xF0 -> second >= 0x90 && second <= 0xBF;
            case 0xF4 -> second >= 0x80 && second <= 0x8F;
            default -> isContinuation(second);
        };
    }

    private static boolean isContinuation(final int value)
    {
        return 0x80 == (value & 0xC0);
    }
}
