package io.fluxon.engine.owner;

import java.util.Locale;

/**
 * Counters of one slot class of an owner; all "now" and refreshed from the tables every 100 ms and at each audit. The
 * first {@value #MAX_CLASSES} classes have them; those of a class that is not in use are 0.
 */
public enum ClassCounter
{
    /** Length of a slot; 0 when the class is not in use. */
    SLOT_BYTES,
    /** Slots of the class's grants. */
    TOTAL,
    /** Slots that can be claimed. */
    FREE,
    /** Slots that are not free. */
    USED,
    /** Of those used: claimed by a put or a get and not yet handed on. */
    PREPARED,
    /** Of those used: committed local puts without the master's answer, and targets of transfers. */
    PENDING,
    /** Values in the hot window (contract HOT-1). */
    HOT,
    /** Debt: slots of eviction jobs that go on, which will be free without any more victims (contract PRESS-1). */
    DEBT,
    /** Slots that claims wait for. */
    WAITED_FOR;

    /** Most classes with counters. */
    public static final int MAX_CLASSES = 16;

    private static final int FIRST_TYPE_ID = 7800;
    private static final int COUNT = values().length;

    /**
     * Label in the counters file.
     *
     * @param classIndex from 0 to {@link #MAX_CLASSES} - 1.
     * @return the label.
     */
    public String label(final int classIndex)
    {
        return "class " + classIndex + ": " + title();
    }

    /**
     * Name of the figure for people.
     *
     * @return the name.
     */
    public String title()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * Type id in the counters file.
     *
     * @param classIndex from 0 to {@link #MAX_CLASSES} - 1.
     * @return the id.
     */
    public int typeId(final int classIndex)
    {
        return FIRST_TYPE_ID + classIndex * COUNT + ordinal();
    }

    /**
     * Is it the type id of a counter of a class?
     *
     * @param typeId of a counter of an owner.
     * @return true if it is.
     */
    public static boolean isTypeId(final int typeId)
    {
        return typeId >= FIRST_TYPE_ID && typeId < FIRST_TYPE_ID + MAX_CLASSES * COUNT;
    }
}
