package io.fluxon.engine.master;

/**
 * The tables of the master, and its running time: it goes on only as long as the master runs, so that nobody's time is
 * up because the master stood still (contract LIFE-2).
 */
final class MasterState implements AutoCloseable
{
    private static final long NS_PER_MS = 1_000_000;

    final LookAhead lookAhead;
    final Tenures tenures;
    final RouteTable routes;
    final InflightGets gets;
    final Reservations reservations;
    final Tombstones deleted;
    final OwnerRegistry owners;
    final BytePool operationPool;
    final BytePool outcomePool;
    private final long ttlMs;
    private long runningNs;
    private long clockNs;

    MasterState(final MasterContext context)
    {
        lookAhead = new LookAhead(context.keyDigest());
        tenures = new Tenures(4 * context.maxOwners());
        routes = new RouteTable(
            context.maxRoutes(), context.maxReplicas(), lookAhead, tenures, context.pages());
        gets = new InflightGets(context.maxInflightGets(), routes, tenures, context.pages());
        reservations = new Reservations(context.maxReservations(), lookAhead, tenures, context.pages());
        deleted = new Tombstones(context.maxTombstones(), (int)(context.tombstoneTtlNs() / NS_PER_MS));
        owners = new OwnerRegistry(context.maxOwners(), context.epoch());
        operationPool = new BytePool(context.operationPoolBytes());
        outcomePool = new BytePool(context.outcomePoolBytes());
        ttlMs = Math.max(1, context.inflightTtlNs() / NS_PER_MS);
    }

    /** The master has run on. */
    void run(final long elapsedNs)
    {
        runningNs += elapsedNs;
    }

    /** Time of this duty cycle. */
    long clockNs()
    {
        return clockNs;
    }

    void clockNs(final long nowNs)
    {
        clockNs = nowNs;
    }

    /** Running time in milliseconds; wraps, so two of them are compared by their difference. */
    int nowMs()
    {
        return (int)(runningNs / NS_PER_MS);
    }

    /** When a get or reservation that begins now will be over. */
    int deadlineMs()
    {
        return (int)(runningNs / NS_PER_MS + ttlMs);
    }

    @Override
    public void close()
    {
        gets.close();
        reservations.close();
        routes.close();
        operationPool.close();
        outcomePool.close();
    }
}
