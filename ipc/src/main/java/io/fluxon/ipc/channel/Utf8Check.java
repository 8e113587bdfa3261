package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;

/**
 * Validity of UTF-8 without decoding it (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
 */
final class Utf8Check
{
    private static final long NOT_ASCII = 0x8080808080808080L;

    private Utf8Check()
    {
    }

    static boolean isValid(final DirectBuffer buffer, final int offset, final int length)
    {
        final int end = offset + length;
        int i = offset;
        while (i < end)
        {
            if (end - i >= Long.BYTES && 0 == (buffer.getLong(i) & NOT_ASCII))
            {
                i += Long.BYTES;
                continue;
            }

            final int sequenceLength = sequenceLength(buffer, i, end);
            if (0 == sequenceLength)
            {
                return false;
            }
            i += sequenceLength;
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
        if (first < 0xC2 || first > 0xF4)
        {
            return 0;
        }

        final int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (end - i < length || !isSecond(first, buffer.getByte(i + 1) & 0xFF))
        {
            return 0;
        }
        for (int j = 2; j < length; j++)
        {
            if (0x80 != (buffer.getByte(i + j) & 0xC0))
            {
                return 0;
            }
        }

        return length;
    }

    private static boolean isSecond(final int first, final int second)
    {
        final int least = 0xE0 == first ? 0xA0 : 0xF0 == first ? 0x90 : 0x80;
        final int most = 0xED == first ? 0x9F : 0xF4 == first ? 0x8F : 0xBF;
        return second >= least && second <= most;
    }
}
