package io.fluxon.ipc.client;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.PutIdDecoder;

import java.util.ArrayList;
import java.util.List;

/**
 * What an owner has of a key, slot, grant or cohort, and what the master has of the key. Slots are not all of one
 * moment.
 *
 * @param ownerId of the owner.
 * @param grant   that was asked for, with a slot too; or null.
 * @param members number of slots that there are.
 * @param slots   the first of them, 256 at most.
 * @param route   of the key at the master; null when the key was not asked for, or the master did not answer.
 * @param note    what is to be said of it, empty when nothing.
 */
public record Inspection(int ownerId, Grant grant, int members, List<Slot> slots, Route route, String note)
{
    /**
     * A grant.
     *
     * @param grantId  of the grant.
     * @param slotSize of its slots in bytes, 0 when it serves no class.
     * @param slots    that it has.
     * @param used     slots that are not free.
     */
    public record Grant(int grantId, long slotSize, int slots, int used)
    {
    }

    /**
     * Where a value lies.
     *
     * @param grantId    of the grant.
     * @param slotIndex  in the grant.
     * @param slotSize   in bytes.
     * @param useCounter of the slot.
     * @param offset     of the first byte in the segment.
     */
    public record Backing(int grantId, int slotIndex, long slotSize, long useCounter, long offset)
    {
        static Backing of(final BackingDecoder backing)
        {
            return new Backing(backing.grantId(), backing.slotIndex(), backing.slotSize(), backing.useCounter(),
                backing.slotOffset());
        }
    }

    /**
     * A version of a key.
     *
     * @param ownerId    of the owner that put it.
     * @param generation of that owner.
     * @param sequence   of the put.
     */
    public record PutId(int ownerId, long generation, long sequence)
    {
        static PutId of(final PutIdDecoder putId)
        {
            return new PutId(putId.ownerId(), putId.generation(), putId.sequence());
        }
    }

    /**
     * A slot.
     *
     * @param key           of its value, empty when it is free.
     * @param state         code of the state of contract SLOT-2.
     * @param residence     code of where a committed value stands.
     * @param isRouteLive   has the master its route?
     * @param holders       references that keep its bytes.
     * @param valueLength   in bytes.
     * @param checksum      of the value.
     * @param version       put id.
     * @param backing       where it lies.
     * @param groupId       of its put.
     * @param groupLength   of its atomic group.
     * @param cohortId      of its TP cohort.
     * @param cohortRank    in the cohort.
     * @param cohortSize    ranks of the cohort, 0 = none.
     * @param evictionJobId of the job that evicts it, 0 = none.
     */
    public record Slot(
        String key,
        int state,
        int residence,
        boolean isRouteLive,
        int holders,
        long valueLength,
        long checksum,
        PutId version,
        Backing backing,
        long groupId,
        int groupLength,
        long cohortId,
        int cohortRank,
        int cohortSize,
        long evictionJobId)
    {
    }

    /**
     * A copy of a value that the master knows.
     *
     * @param ownerId    of the owner that has it.
     * @param generation of that owner.
     * @param backing    where it lies there.
     * @param readers    gets that read from it.
     */
    public record Replica(int ownerId, long generation, Backing backing, int readers)
    {
    }

    /**
     * What the master has of a key.
     *
     * @param exists         has it a route?
     * @param isBeingDeleted is its value on the way out?
     * @param version        put id of the route.
     * @param valueLength    in bytes.
     * @param groupLength    of the value's atomic group.
     * @param replicas       of owners that are live.
     */
    public record Route(
        boolean exists,
        boolean isBeingDeleted,
        PutId version,
        long valueLength,
        int groupLength,
        List<Replica> replicas)
    {
    }

    static Inspection of(final InspectResponseDecoder answer)
    {
        final boolean isRouteKnown = 0 != answer.isRouteKnown();
        final boolean hasRoute = 0 != answer.hasRoute();
        final boolean isBeingDeleted = 0 != answer.isBeingDeleted();
        final PutId version = PutId.of(answer.version());
        final long valueLength = answer.routeValueLength();
        final int groupLength = answer.routeGroupLength();
        final Grant grant = answer.grantId() < 0 ? null :
            new Grant(answer.grantId(), answer.grantSlotSize(), answer.grantSlots(), answer.grantUsed());
        final int ownerId = answer.ownerId();
        final int members = answer.members();
        final List<Slot> slots = new ArrayList<>();
        for (final InspectResponseDecoder.SlotsDecoder slot : answer.slots())
        {
            slots.add(slotOf(slot));
        }
        final List<Replica> replicas = new ArrayList<>();
        for (final InspectResponseDecoder.ReplicasDecoder replica : answer.replicas())
        {
            replicas.add(new Replica(replica.ownerId(), replica.ownerGeneration(), Backing.of(replica.backing()),
                replica.readers()));
        }
        final Route route = isRouteKnown ?
            new Route(hasRoute, isBeingDeleted, version, valueLength, groupLength, replicas) : null;
        return new Inspection(ownerId, grant, members, slots, route, answer.message());
    }

    private static Slot slotOf(final InspectResponseDecoder.SlotsDecoder slot)
    {
        final PutId version = PutId.of(slot.version());
        final Backing backing = Backing.of(slot.backing());
        return new Slot(slot.key(), slot.state(), slot.residence(), 0 != slot.isRouteLive(), slot.holders(),
            slot.valueLength(), slot.checksum(), version, backing, slot.groupId(), slot.groupLength(),
            slot.cohortId(), slot.cohortRank(), slot.cohortSize(), slot.evictionJobId());
    }
}
