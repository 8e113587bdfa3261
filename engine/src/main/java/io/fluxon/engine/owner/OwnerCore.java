package io.fluxon.engine.owner;

import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.MessageAssembler;

/**
 * The parts of one owner core, as its jobs see them.
 */
final class OwnerCore
{
    /** Lowest bits of a checksum's token, which say for whom it is. */
    static final int CHECKSUM_KIND_BITS = 2;
    static final long CHECKSUM_OF_PUBLISH = 0;
    static final long CHECKSUM_OF_FLIGHT = 1;
    static final long CHECKSUM_OF_RECHECK = 2;

    final OwnerContext context;
    final OwnerSettings settings;
    final OwnerCounters counters;
    final SlotPool pool;
    final SlotTable table;
    final ClaimQueue claims;
    final KeyDigest digest;
    final OwnerTimers timers;
    final KeyBudget budget;
    final JobQueue jobs;
    final HotWindows windows;
    final CohortRings rings;
    final LocalValues values;
    final InflightPuts inflightPuts;
    final WorkerPublisher workers;
    final MasterLink master;
    final Sessions sessions;
    final PutService puts;
    final PublishService publishes;
    final EvictionService evictions;
    final FlightService flights;
    final Rechecks rechecks;
    final GetService gets;
    final ReplicaService replicas;
    final ReplicaPulls pulls;
    final MessageAssembler workerMessages;
    final MessageAssembler masterMessages;

    private long nowNs;
    private long lastId;
    private long nextHoldingId = 1;

    OwnerCore(final OwnerContext context)
    {
        this.context = context;
        settings = context.settings();
        counters = context.counters();
        pool = context.slotPool();
        table = pool.table();
        claims = context.claimQueue();
        digest = context.keyDigest();
        nowNs = context.nanoClock().nanoTime();
        timers = new OwnerTimers(nowNs);
        budget = new KeyBudget(settings.cycleKeys());
        jobs = new JobQueue(context.errorHandler(), counters, budget);
        windows = new HotWindows(this);
        rings = new CohortRings(table, settings.maxKeysPerBatch());
        values = new LocalValues(this);
        inflightPuts = new InflightPuts(table);
        workers = new WorkerPublisher(context);
        master = new MasterLink(this);
        sessions = new Sessions(this);
        publishes = new PublishService(this);
        evictions = new EvictionService(this);
        puts = new PutService(this);
        flights = new FlightService(this);
        rechecks = new Rechecks(this);
        gets = new GetService(this);
        replicas = new ReplicaService(this);
        pulls = new ReplicaPulls(this);
        workerMessages = new MessageAssembler(Limits.MAX_MESSAGE_BYTES, new WorkerAdapter(this));
        masterMessages = new MessageAssembler(Limits.MAX_MESSAGE_BYTES, new MasterAdapter(this));
    }

    /** Time of this duty cycle. */
    long nowNs()
    {
        return nowNs;
    }

    void nowNs(final long newNowNs)
    {
        nowNs = newNowNs;
    }

    /** Next id of a session, plan, job or flight: one sequence, so that no two things share one. */
    long nextId()
    {
        return ++lastId;
    }

    /** First of a run of holding ids (contract GET-2). */
    long nextHoldingIds(final int count)
    {
        final long first = nextHoldingId;
        nextHoldingId += count;

        return first;
    }

    /** Holding ids from this one on were not given out yet. */
    long holdingIdLimit()
    {
        return nextHoldingId;
    }

    /** A checksum is there; the lowest bits of its token say for whom. */
    void onChecksum(final long token, final long checksum)
    {
        final long kind = token & (1L << CHECKSUM_KIND_BITS) - 1;
        final long id = token >>> CHECKSUM_KIND_BITS;
        if (CHECKSUM_OF_PUBLISH == kind)
        {
            publishes.onChecksum(id, checksum);
        }
        else if (CHECKSUM_OF_FLIGHT == kind)
        {
            flights.onChecksum(id, checksum);
        }
        else
        {
            rechecks.onChecksum((int)id, checksum);
        }
    }

    /** End of a step's slice of keys, which are charged. */
    int sliceEnd(final int from, final int count)
    {
        final int end = Math.min(count, from + settings.planSliceKeys());
        budget.charge(Math.max(0, end - from));

        return end;
    }

    /** Lets a job go on. */
    void resume(final Job job)
    {
        jobs.resume(job);
    }
}
