package io.fluxon.engine.protocol;

/**
 * Bits of the set {@code PutOptions} (contract API-2), as the schema numbers them.
 */
public final class PutOptionBits
{
    /** Refuse the key while another put of it is running. */
    public static final int REJECT_IF_INFLIGHT = 1;

    /** Refuse the key when it has a value. */
    public static final int REJECT_IF_EXISTS = 1 << 1;

    /** The value's home is a remote owner (contract PUT-3). */
    public static final int WRITE_THROUGH = 1 << 2;

    /** Replicas are wished (contract PUT-3). */
    public static final int MAKE_REPLICA_TASK = 1 << 3;

    /** The cohort fields are given. */
    public static final int HAS_COHORT = 1 << 4;

    /** All bits that have a meaning. */
    public static final int ALL =
        REJECT_IF_INFLIGHT | REJECT_IF_EXISTS | WRITE_THROUGH | MAKE_REPLICA_TASK | HAS_COHORT;

    private PutOptionBits()
    {
    }

    /**
     * Is a bit set?
     *
     * @param options as sent.
     * @param bit     one of this class.
     * @return true when it is.
     */
    public static boolean isSet(final int options, final int bit)
    {
        return 0 != (options & bit);
    }
}
