package io.fluxon.engine.memory;

/**
 * Where a committed value stands between its commit and its eviction (contract HOT-1, EVICT-2). Kept in the slot
 * record beside the state of contract SLOT-2, which knows only that the value is committed.
 * <pre>
 *  NONE --> AWAITING --> HOT --> SELECTED --> HIDDEN
 *               |         ^        |   ^        |
 *               |         +--------+   +--------+
 *               +------------------^
 * </pre>
 * Every one leads back to {@link #NONE}, when the slot is no committed backing any more.
 */
public enum Residence
{
    /** The slot is no committed backing. */
    NONE,

    /** Committed, and not admitted to the hot window before the rest of its job is committed too (contract A1, V3). */
    AWAITING,

    /** In the hot window. */
    HOT,

    /** An eviction job has it, which waits or tries again; readers find it. */
    SELECTED,

    /** An eviction job has it and removes its route: nobody finds it (contract EVICT-2). */
    HIDDEN;

    private static final Residence[] RESIDENCES = values();

    /**
     * Code in the slot record.
     *
     * @return from 0.
     */
    public int code()
    {
        return ordinal();
    }

    /**
     * Residence of a code.
     *
     * @param code from a slot record.
     * @return its residence.
     * @throws InvariantViolation when there is none.
     */
    public static Residence get(final int code)
    {
        if (code < 0 || code >= RESIDENCES.length)
        {
            throw new InvariantViolation("no residence has code " + code);
        }

        return RESIDENCES[code];
    }
}
