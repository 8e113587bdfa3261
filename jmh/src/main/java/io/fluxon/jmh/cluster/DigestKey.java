package io.fluxon.jmh.cluster;

/**
 * Key type of the index's map: a 128-bit digest, 16 bytes. Chronicle Values generates the implementation at run time,
 * for which the interface must be public.
 */
public interface DigestKey
{
    /**
     * Low word.
     *
     * @return bits 0 to 63 of the digest.
     */
    long getLow();

    /**
     * Sets the low word.
     *
     * @param low bits 0 to 63 of the digest.
     */
    void setLow(long low);

    /**
     * High word.
     *
     * @return bits 64 to 127 of the digest.
     */
    long getHigh();

    /**
     * Sets the high word.
     *
     * @param high bits 64 to 127 of the digest.
     */
    void setHigh(long high);
}
