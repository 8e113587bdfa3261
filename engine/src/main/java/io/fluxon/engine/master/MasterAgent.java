package io.fluxon.engine.master;

import io.fluxon.ipc.channel.MessageAssembler;
import io.fluxon.ipc.channel.MessageSource;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

import static io.fluxon.engine.master.MasterCounter.CYCLES_LONG;
import static io.fluxon.engine.master.MasterCounter.CYCLE_LONGEST_NS;
import static io.fluxon.engine.master.MasterCounter.FENCES;
import static io.fluxon.engine.master.MasterCounter.GETS_EXPIRED;
import static io.fluxon.engine.master.MasterCounter.GETS_IN_FLIGHT;
import static io.fluxon.engine.master.MasterCounter.GETS_LOST;
import static io.fluxon.engine.master.MasterCounter.INDEX_BYTES;
import static io.fluxon.engine.master.MasterCounter.OPERATIONS_QUEUED;
import static io.fluxon.engine.master.MasterCounter.OPERATION_BYTES;
import static io.fluxon.engine.master.MasterCounter.OUTCOMES;
import static io.fluxon.engine.master.MasterCounter.OUTCOME_BYTES;
import static io.fluxon.engine.master.MasterCounter.OWNERS_LIVE;
import static io.fluxon.engine.master.MasterCounter.PUT_IDS_DELETED;
import static io.fluxon.engine.master.MasterCounter.REMOVALS;
import static io.fluxon.engine.master.MasterCounter.REPLICAS;
import static io.fluxon.engine.master.MasterCounter.REPLICAS_DETACHED;
import static io.fluxon.engine.master.MasterCounter.RESERVATIONS;
import static io.fluxon.engine.master.MasterCounter.RESERVATIONS_EXPIRED;
import static io.fluxon.engine.master.MasterCounter.ROUTES;
import static io.fluxon.engine.master.MasterCounter.ROUTE_BYTES;
import static io.fluxon.engine.master.MasterCounter.STALLS;
import static io.fluxon.engine.master.MasterCounter.TENURES_DRAINING;

/**
 * The master: keeps the routes of all keys and decides, for the owners, what is published and who reads from whom. One
 * thread, one duty cycle of bounded steps; what it does follows from the messages and the times at which it was called.
 */
public final class MasterAgent implements Agent
{
    private static final int RECORDS_PER_SLICE = 256;
    private static final int EXPIRIES_PER_SLICE = 256;
    private static final int PEER_UPDATES_PER_SLICE = 4;
    private static final int FLUSH_LIMIT = 16;
    private static final long LONG_CYCLE_NS = 1_000_000;
    private static final int STALL_DIVISOR = 4;
    private static final int LIVENESS_CHECKS = 64;

    private final NanoClock nanoClock;
    private final MessageSource source;
    private final MessageAssembler assembler;
    private final MasterAdapter adapter;
    private final MasterState state;
    private final MasterCounters counters;
    private final MasterPublisher publisher;
    private final Operations operations;
    private final Registrations registrations;
    private final MasterAudit audit;
    private final int messageLimit;
    private final long stallNs;
    private final long livenessCheckNs;
    private long lastRunNs;
    private long lastLivenessCheckNs;
    private boolean hasRun;
    private boolean hadWork;

    /**
     * Creates a master.
     *
     * @param context all that it is given; concluded here.
     */
    public MasterAgent(final MasterContext context)
    {
        context.conclude();
        nanoClock = context.nanoClock();
        source = context.source();
        counters = context.counters();
        messageLimit = context.messageLimit();
        stallNs = context.livenessTimeoutNs() / STALL_DIVISOR;
        livenessCheckNs = context.livenessTimeoutNs() / LIVENESS_CHECKS;
        state = new MasterState(context);
        publisher = new MasterPublisher(context);
        operations = new Operations(context, state, publisher);
        registrations = new Registrations(context, state, operations, publisher);
        adapter = new MasterAdapter(state, counters, registrations, operations, publisher);
        assembler = new MessageAssembler(context.maxMessageBytes(), adapter);
        audit = new MasterAudit(state, counters);
    }

    /** {@inheritDoc} */
    @Override
    public int doWork()
    {
        final long nowNs = nanoClock.nanoTime();
        state.clockNs(nowNs);
        int work = run(nowNs);
        adapter.nowNs(nowNs);
        final int messages = source.poll(assembler, messageLimit);
        work += messages + judgeLiveness(nowNs, messages == messageLimit);
        work += operations.doWork();
        work += operations.replicaTasks().doWork();
        work += endByTime();
        work += clearEnded();
        work += state.reservations.reclaim(RECORDS_PER_SLICE);
        work += updatePeers();
        work += flush();
        work += registrations.sayFarewell(nowNs);
        work += audit.doWork();
        if (work > 0)
        {
            updateCounters();
        }
        hadWork = work > 0;

        return work;
    }

    /** {@inheritDoc} */
    @Override
    public String roleName()
    {
        return "master";
    }

    /** Gives all memory back and closes the owners' channels. */
    @Override
    public void onClose()
    {
        registrations.close();
        operations.replicaTasks().close();
        state.close();
    }

    /**
     * A connection has ended: what it left incomplete is forgotten. Called on the agent's thread.
     *
     * @param connectionId that will not be seen again.
     */
    public void onDisconnected(final long connectionId)
    {
        assembler.forget(connectionId);
    }

    /** Starts an audit; its result is in the counters when {@link MasterCounter#AUDITS} has risen. */
    public void requestAudit()
    {
        audit.request();
    }

    /** Deletes under way, for inspection. */
    Removals removals()
    {
        return operations.removals();
    }

    MasterState state()
    {
        return state;
    }

    MasterAudit audit()
    {
        return audit;
    }

    private int run(final long nowNs)
    {
        if (!hasRun)
        {
            hasRun = true;
            lastRunNs = nowNs;
            lastLivenessCheckNs = nowNs;
        }

        final long elapsedNs = nowNs - lastRunNs;
        lastRunNs = nowNs;
        measureCycle(elapsedNs);
        if (elapsedNs > stallNs)
        {
            counters.increment(STALLS);
            registrations.refreshAll(nowNs);
            state.run(stallNs);
            return 1;
        }
        state.run(elapsedNs);

        return 0;
    }

    /** A cycle that had work is followed by the next one at once: its length needs no clock of its own. */
    private void measureCycle(final long elapsedNs)
    {
        if (hadWork)
        {
            counters.raise(CYCLE_LONGEST_NS, elapsedNs);
            if (elapsedNs > LONG_CYCLE_NS)
            {
                counters.increment(CYCLES_LONG);
            }
        }
    }

    private int judgeLiveness(final long nowNs, final boolean mayHaveUnread)
    {
        if (nowNs - lastLivenessCheckNs < livenessCheckNs)
        {
            return 0;
        }
        lastLivenessCheckNs = nowNs;

        final int count = registrations.expire(nowNs, mayHaveUnread);
        final LongArrayList ended = registrations.endedConnections();
        for (int i = 0, size = ended.size(); i < size; i++)
        {
            assembler.forget(ended.getLong(i));
        }
        ended.clear();

        return count;
    }

    private int endByTime()
    {
        final int gets = state.gets.expire(state.nowMs(), EXPIRIES_PER_SLICE);
        counters.add(GETS_EXPIRED, gets);
        final int sets = state.reservations.expire(state.nowMs(), EXPIRIES_PER_SLICE);
        counters.add(RESERVATIONS_EXPIRED, sets);
        final int putIds = state.deleted.expire(state.nowMs(), EXPIRIES_PER_SLICE);

        return gets + sets + putIds;
    }

    private int clearEnded()
    {
        final int tenure = state.tenures.firstEnded();
        if (Tenures.NONE == tenure)
        {
            return 0;
        }

        int count = state.reservations.drain(tenure, RECORDS_PER_SLICE);
        if (count < RECORDS_PER_SLICE)
        {
            final int gets = state.gets.drain(tenure, RECORDS_PER_SLICE - count);
            counters.add(GETS_LOST, gets);
            count += gets;
        }

        if (count < RECORDS_PER_SLICE)
        {
            count += state.routes.drain(tenure, RECORDS_PER_SLICE - count);
        }

        if (state.tenures.isEmpty(tenure))
        {
            state.tenures.release(tenure);
        }

        return 1 + count;
    }

    private int updatePeers()
    {
        final OwnerRegistry owners = state.owners;
        final long version = registrations.peerVersion();
        int count = 0;
        for (int i = 0, size = owners.size(); i < size && count < PEER_UPDATES_PER_SLICE; i++)
        {
            final OwnerSession owner = owners.get(i);
            if (owner.isLive() && version != owner.knownPeerVersion() && publisher.peers(owner, owners, version))
            {
                owner.knownPeerVersion(version);
                count++;
            }
        }

        return count;
    }

    private int flush()
    {
        final OwnerRegistry owners = state.owners;
        int count = 0;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            final OutboundQueue outbound = owners.get(i).outbound();
            if (null != outbound)
            {
                count += outbound.flush(FLUSH_LIMIT);
            }
        }

        return count;
    }

    private void updateCounters()
    {
        final OwnerRegistry owners = state.owners;
        int outcomes = 0;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            outcomes += owners.get(i).outcomes().held();
        }

        counters.set(OWNERS_LIVE, owners.liveCount());
        counters.set(TENURES_DRAINING, state.tenures.endedCount());
        counters.set(ROUTES, state.routes.routeCount());
        counters.set(ROUTE_BYTES, state.routes.recordBytes());
        counters.set(INDEX_BYTES, state.routes.indexBytes());
        counters.set(REPLICAS, state.routes.replicaCount());
        counters.set(REPLICAS_DETACHED, state.routes.detachedCount());
        counters.set(FENCES, state.routes.fences());
        counters.set(REMOVALS, operations.removals().size());
        counters.set(PUT_IDS_DELETED, state.deleted.size());
        counters.set(GETS_IN_FLIGHT, state.gets.openCount());
        counters.set(RESERVATIONS, state.reservations.openMembers());
        counters.set(OUTCOMES, outcomes);
        counters.set(OUTCOME_BYTES, state.outcomePool.usedBytes());
        counters.set(OPERATIONS_QUEUED, operations.queued());
        counters.set(OPERATION_BYTES, state.operationPool.usedBytes());
    }
}
