package io.fluxon.engine.index;

import org.agrona.DirectBuffer;

/**
 * Where the records live that a {@link KeyIndex} refers to. Records whose digests are equal are chained through a link
 * that each record holds, and the record's full key decides (contract ID-1). A record can be in as many indexes as it
 * has links.
 */
public interface ChainStore
{
    /**
     * Link of a record.
     *
     * @param ref of the record, never negative.
     * @return ref of the next record with the same digest, or {@link KeyIndex#NONE}.
     */
    long next(long ref);

    /**
     * Sets the link of a record.
     *
     * @param ref  of the record, never negative.
     * @param next ref of the next record with the same digest, or {@link KeyIndex#NONE}.
     */
    void next(long ref, long next);

    /**
     * Is this the record's key?
     *
     * @param ref    of the record, never negative.
     * @param key    buffer that holds a key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     * @return true when all bytes are equal.
     */
    boolean keyEquals(long ref, DirectBuffer key, int offset, int length);
}
