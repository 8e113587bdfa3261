package io.fluxon.engine.index;

import org.agrona.DirectBuffer;

/**
 * Computes the 128-bit digest of a key. The two words of the last computation stay readable until the next one, so
 * nothing is allocated. Confined to one thread.
 * <p>
 * A digest only finds candidates; equality is decided by the full key (contract ID-1), so an implementation that
 * collides is slow, never wrong. Digests never leave the process.
 */
public interface KeyDigest
{
    /**
     * Computes the digest of one key.
     *
     * @param key    buffer that holds the key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     */
    void compute(DirectBuffer key, int offset, int length);

    /**
     * Low word of the last computed digest.
     *
     * @return bits 0 to 63.
     */
    long low();

    /**
     * High word of the last computed digest.
     *
     * @return bits 64 to 127.
     */
    long high();
}
