package io.fluxon.tools.page;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the key of a page as SGLang's storage adapter does: prefix, page hash, configuration. The hash is derived from
 * the block id. Writes into one buffer that is reused, and is not thread-safe.
 */
public final class PageKeys
{
    /** Prefix of keys if none is given. */
    public static final String DEFAULT_PREFIX = "fluxon";

    /** Longest prefix. */
    public static final int MAX_PREFIX_LENGTH = 64;

    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final byte[] CONFIGURATION = "_Qwen3-8B_0_1".getBytes(US_ASCII);
    private static final int HASH_WORDS = 4;
    private static final int HEX_OF_WORD = 16;

    private final byte[] key;
    private final UnsafeBuffer buffer;
    private final int hashOffset;

    /**
     * Constructs for one prefix.
     *
     * @param prefix of all keys: 1 to {@value #MAX_PREFIX_LENGTH} letters, digits, dots, dashes or underscores.
     */
    public PageKeys(final String prefix)
    {
        if (!isPrefix(prefix))
        {
            throw new IllegalArgumentException("a key prefix is 1 to " + MAX_PREFIX_LENGTH +
                " letters, digits, dots, dashes or underscores, is: " + prefix);
        }
        final byte[] start = (prefix + ':').getBytes(US_ASCII);
        hashOffset = start.length;
        key = new byte[start.length + HASH_WORDS * HEX_OF_WORD + CONFIGURATION.length];
        System.arraycopy(start, 0, key, 0, start.length);
        System.arraycopy(CONFIGURATION, 0, key, key.length - CONFIGURATION.length, CONFIGURATION.length);
        buffer = new UnsafeBuffer(key);
    }

    /**
     * Can a text be the prefix of keys?
     *
     * @param prefix to check.
     * @return true if it can.
     */
    public static boolean isPrefix(final String prefix)
    {
        return prefix.matches("[A-Za-z0-9._-]{1," + MAX_PREFIX_LENGTH + "}");
    }

    /**
     * Makes the key of a block, in place of the one before.
     *
     * @param blockId of the block.
     * @return this.
     */
    public PageKeys block(final long blockId)
    {
        long word = blockId;
        int at = hashOffset;
        for (int i = 0; i < HASH_WORDS; i++)
        {
            word = mix(word + i);
            for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4)
            {
                key[at] = HEX[(int) (word >>> shift) & 0xF];
                at++;
            }
        }
        return this;
    }

    private static long mix(final long value)
    {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /**
     * The key that was made last.
     *
     * @return its bytes, from 0 to {@link #length()}.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Length of every key.
     *
     * @return length in bytes.
     */
    public int length()
    {
        return key.length;
    }

    /**
     * Hash that the content of the page of the key made last begins from.
     *
     * @return the hash.
     */
    public long contentHash()
    {
        return PageContent.hash(key, 0, key.length);
    }

    @Override
    public String toString()
    {
        return new String(key, US_ASCII);
    }
}
