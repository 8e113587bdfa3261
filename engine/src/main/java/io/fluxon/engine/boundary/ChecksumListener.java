package io.fluxon.engine.boundary;

/**
 * Receives the completions of a {@link ChecksumQueue}.
 */
@FunctionalInterface
public interface ChecksumListener
{
    /**
     * A checksum has been computed; the value's bytes are no longer read.
     *
     * @param token    of the request.
     * @param checksum CRC-32C of the value, in the low 32 bits.
     */
    void onChecksumCompleted(long token, long checksum);
}
