package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Lets tests of whole clusters compare a master's routes with what owners have.
 */
public final class RouteView
{
    private final RouteTable routes;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BackingDecoder.ENCODED_LENGTH]);

    /**
     * A view of a master's routes.
     *
     * @param agent the master.
     */
    public RouteView(final MasterAgent agent)
    {
        routes = agent.state().routes;
    }

    /**
     * What is wrong with the master's record of a committed slot?
     *
     * @param ownerId of the slot's owner.
     * @param table   of the slot.
     * @param slotId  of the slot.
     * @param offset  of the slot in its segment.
     * @return text, or null when put id, length, checksum and backing identity agree.
     */
    public String difference(final int ownerId, final SlotTable table, final int slotId, final long offset)
    {
        table.wrapKey(slotId, key);
        final int route = routes.findVisible(key, 0, key.capacity());
        if (LineSlab.NONE == route)
        {
            return "there is no route";
        }
        if (!routes.hasPutId(
            route, table.putOwnerId(slotId), table.putGeneration(slotId), table.putSequence(slotId)))
        {
            return "the route has another put id";
        }
        final int replica = routes.liveReplicaOf(route, ownerId);
        if (LineSlab.NONE == replica)
        {
            return "the route has no replica of the owner";
        }
        new BackingEncoder().wrap(buffer, 0)
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(offset);
        if (!routes.hasBacking(replica, new BackingDecoder().wrap(buffer, 0)) ||
            offset != routes.slotOffset(replica))
        {
            return "the replica has another backing";
        }
        return routes.valueLength(route) != table.valueLength(slotId) ||
            routes.checksum(replica) != (int)table.checksum(slotId) ? "length or checksum differ" : null;
    }

    /**
     * Replicas in routes.
     *
     * @return their number.
     */
    public long replicas()
    {
        return routes.replicaCount();
    }
}
