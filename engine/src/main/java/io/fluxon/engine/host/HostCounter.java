package io.fluxon.engine.host;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * Counters of the agents beside an owner core. All of them only rise.
 */
public enum HostCounter
{
    /** Descriptors that the transfer agent took from its ring (contract G8). */
    TRANSFER_DESCRIPTORS("transfer agent: descriptors"),
    /** Bytes that the transfer agent brought here. */
    TRANSFER_BYTES("transfer agent: bytes"),
    /** Descriptors that the transfer agent could not carry out. */
    TRANSFER_FAILURES("transfer agent: failures"),
    /** Bytes that the checksum agent read (contract CRC-1). */
    CHECKSUM_BYTES("checksum agent: bytes");

    /** Type id of the first counter; a counter's type id is this plus its ordinal. */
    public static final int FIRST_TYPE_ID = 7600;

    private final String label;

    HostCounter(final String label)
    {
        this.label = label;
    }

    /**
     * Type id in the counters file.
     *
     * @return the id.
     */
    public int typeId()
    {
        return FIRST_TYPE_ID + ordinal();
    }

    AtomicCounter allocate(final CountersManager counters)
    {
        return counters.newCounter(label, typeId());
    }
}
