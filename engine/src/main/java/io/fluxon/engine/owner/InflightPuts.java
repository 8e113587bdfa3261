package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.MutableLong;

/**
 * The puts between start and commit, by key: what {@code rejectIfInflightSameKey} asks for (contract PUT-1). Several
 * puts of one key may run; slots that share a digest word are chained through the slot table.
 */
final class InflightPuts
{
    private static final int INITIAL_CAPACITY = 16_384;

    private final Long2LongHashMap firstByDigest =
        new Long2LongHashMap(INITIAL_CAPACITY, 0.5f, SlotTable.NONE);
    private final SlotTable table;
    private long additions;

    InflightPuts(final SlotTable table)
    {
        this.table = table;
    }

    /** A slot whose record has its key is being written. */
    void add(final int slotId)
    {
        final long low = table.digestLow(slotId);
        table.nextPut(slotId, (int)firstByDigest.get(low));
        firstByDigest.put(low, slotId);
        additions++;
    }

    /** A slot is no longer being written. */
    void remove(final int slotId)
    {
        final long low = table.digestLow(slotId);
        final int next = table.nextPut(slotId);
        int previous = SlotTable.NONE;
        int current = (int)firstByDigest.get(low);
        while (SlotTable.NONE != current && slotId != current)
        {
            previous = current;
            current = table.nextPut(current);
        }

        if (SlotTable.NONE == current)
        {
            throw new InvariantViolation("slot " + slotId + " is not of a running put");
        }

        if (SlotTable.NONE != previous)
        {
            table.nextPut(previous, next);
        }
        else if (SlotTable.NONE != next)
        {
            firstByDigest.put(low, next);
        }
        else
        {
            firstByDigest.remove(low);
        }
        table.nextPut(slotId, SlotTable.NONE);
    }

    /** Is a put of this key running? */
    boolean contains(
        final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        int current = (int)firstByDigest.get(low);
        while (SlotTable.NONE != current)
        {
            if (high == table.digestHigh(current) && table.keyEquals(current, key, offset, length))
            {
                return true;
            }
            current = table.nextPut(current);
        }

        return false;
    }

    /** Slots that are being written, counted anew for inspection. */
    long count()
    {
        final MutableLong count = new MutableLong();
        firstByDigest.forEachLong((low, first) ->
        {
            for (int slotId = (int)first; SlotTable.NONE != slotId; slotId = table.nextPut(slotId))
            {
                count.increment();
            }
        });

        return count.get();
    }

    /** Rises with every put that begins: what was not found before may be found since. */
    long additions()
    {
        return additions;
    }
}
