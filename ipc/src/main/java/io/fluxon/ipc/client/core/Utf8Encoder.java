package io.fluxon.ipc.client.core;

import org.agrona.MutableDirectBuffer;

/**
 * Text to UTF-8 without allocation. A lone surrogate is encoded as if it were a character, which the check of keys then
 * refuses: a key that is not text stays a bad key instead of becoming another one.
 */
final class Utf8Encoder
{
    private static final int ONE_BYTE_LIMIT = 0x80;
    private static final int TWO_BYTE_LIMIT = 0x800;
    private static final int THREE_BYTE_LIMIT = 0x10000;
    private static final int CONTINUATION_BITS = 6;
    private static final int CONTINUATION_MASK = 0x3F;

    private Utf8Encoder()
    {
    }

    static int encodedLength(final CharSequence text)
    {
        int length = 0;
        for (int i = 0; i < text.length(); i++)
        {
            final int codePoint = Character.codePointAt(text, i);
            length += lengthOf(codePoint);
            i += Character.charCount(codePoint) - 1;
        }
        return length;
    }

    static int encode(final CharSequence text, final MutableDirectBuffer buffer, final int offset)
    {
        int position = offset;
        for (int i = 0; i < text.length(); i++)
        {
            final int codePoint = Character.codePointAt(text, i);
            final int length = lengthOf(codePoint);
            int rest = codePoint;
            for (int k = length - 1; k > 0; k--)
            {
                buffer.putByte(position + k, (byte)(ONE_BYTE_LIMIT | (rest & CONTINUATION_MASK)));
                rest >>>= CONTINUATION_BITS;
            }
            buffer.putByte(position, (byte)(1 == length ? rest : rest | (0xF00 >>> length & 0xFF)));
            position += length;
            i += Character.charCount(codePoint) - 1;
        }
        return position - offset;
    }

    private static int lengthOf(final int codePoint)
    {
        if (codePoint < ONE_BYTE_LIMIT)
        {
            return 1;
        }
        if (codePoint < TWO_BYTE_LIMIT)
        {
            return 2;
        }
        return codePoint < THREE_BYTE_LIMIT ? 3 : 4;
    }
}
