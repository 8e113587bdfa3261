package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What can be read on this owner: the two indexes, and the ways in which a slot enters and leaves them. The committed
 * value of a key wins over one that is only local-visible (contract PUT-1). A committed value that an eviction has
 * hidden is in its index and is not found (contract EVICT-2, GET-4); a put of its key is local-visible beside it.
 */
final class LocalValues
{
    /** No slot. */
    static final int NONE = SlotTable.NONE;

    private final OwnerCore core;
    private final SlotPool pool;
    private final SlotTable table;
    private final KeyIndex localIndex;
    private final KeyIndex committedIndex;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private long additions;
    private long hidden;

    LocalValues(final OwnerCore core)
    {
        this.core = core;
        pool = core.pool;
        table = pool.table();
        localIndex = core.context.localIndex();
        committedIndex = core.context.committedIndex();
    }

    /** Slot of a key's readable value, or {@link #NONE}. */
    int find(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        final long committed = committedIndex.get(low, high, key, offset, length);
        if (KeyIndex.NONE != committed && !isHidden((int)committed))
        {
            return (int)committed;
        }

        return findPending(low, high, key, offset, length);
    }

    /** Has an eviction hidden the key's committed value? */
    boolean isHidden(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        if (0 == hidden)
        {
            return false;
        }

        final long committed = committedIndex.get(low, high, key, offset, length);

        return KeyIndex.NONE != committed && isHidden((int)committed);
    }

    /** Has an eviction hidden the committed value of the key of another slot? */
    boolean isHiddenSameKey(final int slotId)
    {
        table.wrapKey(slotId, keyView);

        return isHidden(table.digestLow(slotId), table.digestHigh(slotId), keyView, 0, keyView.capacity());
    }

    /** Committed values that are hidden. */
    long hidden()
    {
        return hidden;
    }

    /** Slot of a key's readable value that the master has not confirmed, or {@link #NONE}. */
    int findPending(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        return 0 == localIndex.size() ? NONE : (int)localIndex.get(low, high, key, offset, length);
    }

    /** Slot that is readable under the key of another slot, or {@link #NONE}. */
    int findSameKey(final int slotId)
    {
        table.wrapKey(slotId, keyView);

        return find(table.digestLow(slotId), table.digestHigh(slotId), keyView, 0, keyView.capacity());
    }

    /** Slot that is local-visible under the key of another slot, or {@link #NONE}. */
    int findPendingSameKey(final int slotId)
    {
        table.wrapKey(slotId, keyView);

        return findPending(table.digestLow(slotId), table.digestHigh(slotId), keyView, 0, keyView.capacity());
    }

    /** Makes a put readable here (contract V1). Its key must not be readable yet. */
    void addLocalVisible(final int slotId)
    {
        if (SlotState.PENDING_LOCAL_VISIBLE != table.state(slotId))
        {
            pool.advance(slotId, SlotState.PENDING_LOCAL_VISIBLE);
        }

        table.wrapKey(slotId, keyView);
        final long result = localIndex.putIfAbsent(
            table.digestLow(slotId), table.digestHigh(slotId), keyView, 0, keyView.capacity(), slotId);
        if (KeyIndex.NONE != result)
        {
            throw new InvariantViolation("slot " + slotId + " cannot become local-visible: " + result);
        }
        additions++;
    }

    /** Takes a put out of the local-visible index; it is no longer found there. */
    void removeLocalVisible(final int slotId)
    {
        if (!localIndex.remove(table.digestLow(slotId), table.digestHigh(slotId), slotId))
        {
            throw new InvariantViolation("slot " + slotId + " is not local-visible");
        }
    }

    /**
     * The master has the route: the holder of whoever brought the value becomes the resident holder (contract V3).
     *
     * @return {@link #NONE} when the slot is the key's committed backing now; else the slot that is, and nothing was
     * changed.
     */
    int commit(final int slotId)
    {
        table.wrapKey(slotId, keyView);
        final long other = committedIndex.putIfAbsent(
            table.digestLow(slotId), table.digestHigh(slotId), keyView, 0, keyView.capacity(), slotId);
        if (KeyIndex.FULL == other)
        {
            throw new InvariantViolation("committed index is full at " + committedIndex.size());
        }

        if (KeyIndex.NONE != other)
        {
            return (int)other;
        }

        pool.advance(slotId, SlotState.COMMITTED);
        pool.routeAdd(slotId);
        core.windows.onCommitted(slotId);
        additions++;

        return NONE;
    }

    /**
     * A committed backing gives way: its route is another's now, or none. References of route and index go in one step,
     * its readers keep it until they are gone.
     */
    void retire(final int slotId)
    {
        if (!committedIndex.remove(table.digestLow(slotId), table.digestHigh(slotId), slotId))
        {
            throw new InvariantViolation("slot " + slotId + " is not committed");
        }

        final boolean wasHidden = isHidden(slotId);
        final int pending = wasHidden ? findPendingSameKey(slotId) : NONE;
        hidden -= wasHidden ? 1 : 0;
        core.evictions.onLeaving(slotId);
        pool.routeRelease(slotId);
        pool.holderRelease(slotId);
        if (NONE != pending)
        {
            core.publishes.onBackingGone(pending);
        }
    }

    /** An eviction takes a committed value out of sight. */
    void hide(final int slotId)
    {
        table.residence(slotId, Residence.HIDDEN);
        hidden++;
    }

    /** An eviction lets a committed value be found again; it wins over a put that came meanwhile (contract GET-4). */
    void show(final int slotId)
    {
        table.residence(slotId, Residence.SELECTED);
        hidden--;
        additions++;
        final int pending = findPendingSameKey(slotId);
        if (NONE != pending)
        {
            core.publishes.onBackingShown(pending, slotId);
        }
    }

    /**
     * The slot of a committed value that the master names.
     *
     * @return the slot while it is in exactly that use and has that put id, or {@link #NONE}.
     */
    int committed(final PutIdDecoder version, final BackingDecoder backing)
    {
        final int slotId = committed(backing);
        final boolean isVersion = NONE != slotId && table.putSequence(slotId) == version.sequence() &&
            table.putOwnerId(slotId) == version.ownerId() && table.putGeneration(slotId) == version.generation();

        return isVersion ? slotId : NONE;
    }

    /**
     * The slot of a committed value that the master names.
     *
     * @return the slot while it is in exactly that use, or {@link #NONE}.
     */
    int committed(final BackingDecoder backing)
    {
        final int slotId = table.slotId(backing.grantId(), backing.slotIndex());
        final boolean isSlot = slotId >= 0 && slotId < table.capacity() &&
            table.grantId(slotId) == backing.grantId() && table.slotIndex(slotId) == backing.slotIndex();

        return isSlot && isCommitted(slotId) && table.useCounter(slotId) == backing.useCounter() &&
            table.slotSize(slotId) == backing.slotSize() ? slotId : NONE;
    }

    /** Is the slot a committed backing whose route the master has to know? */
    boolean isRouted(final int slotId)
    {
        return isCommitted(slotId) && table.isRouteLive(slotId);
    }

    boolean isCommitted(final int slotId)
    {
        return SlotState.COMMITTED == table.state(slotId);
    }

    /** Rises with every value that becomes readable: what was not found before may be found since. */
    long additions()
    {
        return additions;
    }

    /** Is the index entry of a slot what its state says? For audits. */
    boolean isIndexed(final int slotId, final boolean isCommitted)
    {
        final KeyIndex index = isCommitted ? committedIndex : localIndex;

        return index.contains(table.digestLow(slotId), table.digestHigh(slotId), slotId);
    }

    long committedCount()
    {
        return committedIndex.size();
    }

    long localVisibleCount()
    {
        return localIndex.size();
    }

    private boolean isHidden(final int slotId)
    {
        return Residence.HIDDEN == table.residence(slotId);
    }
}
