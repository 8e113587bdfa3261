package io.fluxon.ipc.counters;

import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * A counter by which a tool asks a running process for something: the tool moves it from NEUTRAL to what it wants, the
 * process does that and moves it back. One request at a time.
 */
public final class ControlToggle
{
    /** Type id of the counter in the counters file. */
    public static final int TYPE_ID = 7100;

    /** What can be asked for. */
    public enum State
    {
        /** Nothing is asked for. */
        NEUTRAL,
        /** Count everything anew and compare with the books. */
        AUDIT;

        private static final State[] VALUES = values();
    }

    private final AtomicBuffer values;
    private final int counterId;
    private final int offset;

    private ControlToggle(final AtomicBuffer values, final int counterId)
    {
        this.values = values;
        this.counterId = counterId;
        this.offset = CountersReader.counterOffset(counterId);
    }

    /**
     * Allocates the toggle of a process, NEUTRAL.
     *
     * @param counters of the process.
     * @return the toggle.
     */
    public static ControlToggle allocate(final CountersManager counters)
    {
        final int counterId = counters.allocate("control toggle: 0 neutral, 1 audit", TYPE_ID);
        return new ControlToggle(counters.valuesBuffer(), counterId);
    }

    /**
     * Finds the toggle of a mapped process.
     *
     * @param counters of the process.
     * @return the toggle, or null when the process has none.
     */
    public static ControlToggle find(final CountersReader counters)
    {
        final MutableInteger found = new MutableInteger(CountersReader.NULL_COUNTER_ID);
        counters.forEach((counterId, typeId, keyBuffer, label) ->
        {
            if (TYPE_ID == typeId)
            {
                found.set(counterId);
            }
        });

        return CountersReader.NULL_COUNTER_ID == found.get() ?
            null : new ControlToggle(counters.valuesBuffer(), found.get());
    }

    /**
     * Id of the counter.
     *
     * @return counter id.
     */
    public int counterId()
    {
        return counterId;
    }

    /**
     * What is asked for now.
     *
     * @return state; NEUTRAL for a value of no meaning.
     */
    public State get()
    {
        final long value = values.getLongVolatile(offset);
        return value >= 0 && value < State.VALUES.length ? State.VALUES[(int) value] : State.NEUTRAL;
    }

    /**
     * Asks for something, from outside.
     *
     * @param wish not NEUTRAL.
     * @return true when the request stands now; false when another one is not done yet.
     */
    public boolean request(final State wish)
    {
        if (State.NEUTRAL == wish)
        {
            throw new IllegalArgumentException("nothing is asked for");
        }

        return values.compareAndSetLong(offset, State.NEUTRAL.ordinal(), wish.ordinal());
    }

    /** The process has done what was asked for (or will not). */
    public void reset()
    {
        values.putLongRelease(offset, State.NEUTRAL.ordinal());
    }
}
