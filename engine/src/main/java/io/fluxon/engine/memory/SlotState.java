package io.fluxon.engine.memory;

/**
 * State of a slot and the transitions that are allowed (contract SLOT-2).
 * <pre>
 *          local put
 *           +------> PENDING_LOCAL_VISIBLE ---+
 *           |                                 v
 *  FREE --> PREPARED                      COMMITTED --> FREE
 *           |    ^                            ^
 *           |    |  remote get, replica       |
 *           +----|-> PENDING -----------------+
 *           |    |     ^  |
 *           v    v     v  v
 *           QUARANTINED (contract SLOT-7)
 * </pre>
 * Every state leads back to {@link #FREE}, which a slot reaches only when its last reference is gone (contract S2).
 */
public enum SlotState
{
    /** Nothing uses it; it can be claimed. */
    FREE(0),

    /** Claimed; a worker's kernel may be writing to it, or a transfer into it is about to start. */
    PREPARED(1),

    /** A committed local put: readable on this owner, not yet published (contract V1, V2). */
    PENDING_LOCAL_VISIBLE(2),

    /** Target of a transfer, or of a get whose confirmation is under way; readable by nobody. */
    PENDING(3),

    /** Readable, and its route is known to the master (contract V3). */
    COMMITTED(4),

    /** Something that cannot be asked any more may still write to it (contract SLOT-7). */
    QUARANTINED(5);

    /** Number of states; their codes are 0 to COUNT - 1. */
    public static final int COUNT = 6;

    private static final SlotState[] STATES = values();
    private static final int[] SUCCESSORS = new int[COUNT];

    static
    {
        allow(FREE, PREPARED);
        allow(PREPARED, FREE, PENDING_LOCAL_VISIBLE, PENDING, QUARANTINED);
        allow(PENDING_LOCAL_VISIBLE, FREE, COMMITTED);
        allow(PENDING, FREE, COMMITTED, QUARANTINED);
        allow(COMMITTED, FREE);
        allow(QUARANTINED, FREE, PREPARED, PENDING);
    }

    private final int code;

    SlotState(final int code)
    {
        this.code = code;
    }

    /**
     * Code in the slot record.
     *
     * @return from 0 to {@link #COUNT} - 1.
     */
    public int code()
    {
        return code;
    }

    /**
     * Is the transition allowed?
     *
     * @param next state after it.
     * @return true when a slot in this state may go to the next one directly.
     */
    public boolean canBecome(final SlotState next)
    {
        return 0 != (SUCCESSORS[code] & (1 << next.code));
    }

    /**
     * State of a code.
     *
     * @param code from a slot record.
     * @return its state.
     * @throws InvariantViolation when there is no such state.
     */
    public static SlotState get(final int code)
    {
        if (code < 0 || code >= COUNT)
        {
            throw new InvariantViolation("no slot state has code " + code);
        }

        return STATES[code];
    }

    private static void allow(final SlotState from, final SlotState... successors)
    {
        for (final SlotState successor : successors)
        {
            SUCCESSORS[from.code] |= 1 << successor.code;
        }
    }
}
