package io.fluxon.engine.owner;

import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;
import org.agrona.collections.LongLongConsumer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A read-only picture of an owner core for inspection: used by the simulator, and by tools that inspect. It has no
 * effect on the core. Only for the core's own thread, between two duty cycles or from within its boundary.
 */
public final class OwnerView
{
    private final OwnerCore core;

    /**
     * A view of an owner.
     *
     * @param agent the owner.
     */
    public OwnerView(final OwnerAgent agent)
    {
        core = agent.core();
    }

    /**
     * Life of a session.
     */
    public enum SessionState
    {
        /** The worker is heard. */
        ACTIVE,
        /** It is silent for longer than the timeout, and its process is not proven gone (contract SLOT-7). */
        HUNG,
        /** It is being resumed: what its worker still uses is kept, the rest is released (contract API-10). */
        RESUMING,
        /** It has ended; what it had is being released. */
        CLOSING,
        /** Nothing of it is left. */
        CLOSED
    }

    /**
     * Life of a put between start and commit.
     */
    public enum PutState
    {
        /** In the pool. */
        FREE,
        /** Its keys are checked. */
        VALIDATING,
        /** Waits for slots. */
        CLAIMING,
        /** Its slots are taken and get their keys. */
        FILLING,
        /** The worker's kernel writes. */
        STARTED,
        /** Committed: the values become local-visible. */
        COMMITTING,
        /** Gives its slots back: aborted, failed, or its session has ended. */
        ABORTING,
        /** Its session is hung: its slots are put aside. */
        QUARANTINING,
        /** Waits for its worker to come back, or the end of its process. */
        QUARANTINED,
        /** Its worker is back and still uses it: its slots are what they were (contract API-10). */
        RESTORING
    }

    /**
     * Life of a read.
     */
    public enum ReadState
    {
        /** In the pool. */
        FREE,
        /** Its keys are checked. */
        VALIDATING,
        /** Key by key: holder, interest or leader (contract G1). */
        PLANNING,
        /** Waits until the master has answered for its flights. */
        ASKED,
        /** The transferable prefix is computed. */
        PREFIX,
        /** What lies beyond the prefix is given back. */
        TRIMMING,
        /** The flights of the prefix get their slots. */
        CLAIMING,
        /** The payload of the prefix is asked for (contract G7). */
        REQUESTING,
        /** The holdings of a wholly local prefix are handed out (contract GET-1). */
        EXPORTING_INLINE,
        /** The worker has a handle. */
        STARTED,
        /** The tail behind the consumed prefix is given back (contract API-5). */
        CONSUMING,
        /** Waits until the consumed prefix is readable here. */
        TRANSFERRING,
        /** The holdings of the consumed prefix are handed out. */
        EXPORTING,
        /** The pages that were here are renewed in the hot window (contract HOT-1). */
        TOUCHING,
        /** Everything is given back. */
        ENDING
    }

    /**
     * Phase of a flight (contract G7).
     */
    public enum FlightPhase
    {
        /** In the pool. */
        FREE,
        /** The master has not said whether there is a source: no hit. */
        STARTING,
        /** A source is leased: counts for the prefix, exposes no bytes. */
        STARTED,
        /** Its bytes are here and right; the master is told. */
        FINISHING,
        /** Readable; the flight has ended. */
        READY,
        /** Nobody wants it any more, and its bytes are still in motion. Cannot be joined. */
        REVOKING,
        /** Ended without a value. */
        FAILED
    }

    /**
     * Life of an eviction job.
     */
    public enum EvictionState
    {
        /** In the pool. */
        FREE,
        /** A remote_cache owner may get a copy first; readers find the members (contract REPL-3). */
        DEMOTING,
        /** Its members are checked and hidden, slice by slice. */
        SELECTED,
        /** All are hidden; the request is encoded. */
        PREPARED,
        /** The master has been asked; members stay hidden until its answer. */
        ASKED,
        /** The routes are removed: references are dropped. */
        FREED,
        /** Some members were absent: these are dropped, the rest is selected anew. */
        STALE,
        /** A member is in use, or the master is away or busy: what is hidden is shown again. */
        BUSY,
        /** Waits before the next round; readers find the members. */
        RETRY,
        /** The members go back to their window. */
        RESTORED
    }

    /**
     * Who can have a holder of a slot (contract S2).
     */
    public enum Holder
    {
        /** A put between start and commit. */
        PUT,
        /** A committed put that has no result yet. */
        PUBLISH,
        /** A flight. */
        FLIGHT,
        /** A recheck of a value that another owner got wrong. */
        RECHECK,
        /** A read that is planned or has a handle. */
        READ,
        /** A holding of a worker. */
        HOLDING,
        /** A replica job, at the source: its pin (contract REPL-1). */
        REPLICA,
        /** A pull, at the target of a replica task. */
        PULL,
        /** The committed index. */
        RESIDENT
    }

    /**
     * Hears of each holder.
     */
    public interface HolderVisitor
    {
        /**
         * One holder.
         *
         * @param kind   who has it.
         * @param id     of the plan, job, flight, read or holding; 0 for the index.
         * @param slotId of the slot.
         */
        void onHolder(Holder kind, long id, int slotId);
    }

    /**
     * Hears of each flight.
     */
    public interface FlightVisitor
    {
        /**
         * One flight.
         *
         * @param flight as it is now.
         */
        void onFlight(FlightPicture flight);
    }

    /**
     * Hears of each put between start and commit.
     */
    public interface PutVisitor
    {
        /**
         * One put.
         *
         * @param put as it is now.
         */
        void onPut(PutPicture put);
    }

    /**
     * Hears of each read.
     */
    public interface ReadVisitor
    {
        /**
         * One read.
         *
         * @param read as it is now.
         */
        void onRead(ReadPicture read);
    }

    /**
     * Hears of each session.
     */
    public interface SessionVisitor
    {
        /**
         * One session.
         *
         * @param session as it is now.
         */
        void onSession(SessionPicture session);
    }

    /**
     * The window in which reads ask the master together.
     *
     * @param gathered   leaders that wait.
     * @param deadlineNs until when they wait, if there are any.
     * @param asking     batch get starts that the master has not answered.
     */
    public record WindowPicture(int gathered, long deadlineNs, int asking)
    {
    }

    /**
     * A flight.
     *
     * @param flightId   unique in its generation.
     * @param phase      its phase (contract G7).
     * @param slotId     of its target, {@link SlotTable#NONE} = none.
     * @param interests  that reads have in it.
     * @param isInMotion is its payload on its way?
     * @param isJoinable would a read of its key find it?
     * @param key        its key, as ISO-8859-1 text.
     */
    public record FlightPicture(
        long flightId, FlightPhase phase, int slotId, int interests, boolean isInMotion, boolean isJoinable, String key)
    {
    }

    /**
     * A put between start and commit.
     *
     * @param planId    of the plan.
     * @param sessionId of its session.
     * @param requestId of its start.
     * @param state     its state.
     * @param count     of its keys.
     * @param claim     of its slots.
     */
    public record PutPicture(
        long planId, long sessionId, long requestId, PutState state, int count, ClaimPicture claim)
    {
    }

    /**
     * A read.
     *
     * @param planId       of the read; its handle when it has one.
     * @param sessionId    of its session.
     * @param requestId    of its start.
     * @param state        its state.
     * @param count        of its keys.
     * @param transferable prefix that can be had, as far as it is known.
     * @param held         keys of which it holds a value.
     * @param tail         keys behind the prefix of which it has a value or a share in a flight.
     * @param misses       keys of the prefix of which it has neither.
     * @param claim        of a slot for one of its flights.
     */
    public record ReadPicture(
        long planId,
        long sessionId,
        long requestId,
        ReadState state,
        int count,
        int transferable,
        int held,
        int tail,
        int misses,
        ClaimPicture claim)
    {
    }

    /**
     * An eviction job (contract EVICT-2).
     *
     * @param jobId       of the job.
     * @param state       its state.
     * @param operationId of its question while that is asked; 0 = none.
     * @param removalId   of the master's round that it is about, 0 = none.
     * @param rounds      that ended because something was in use or away.
     * @param slots       its members, those that it has left.
     */
    public record EvictionPicture(
        long jobId, EvictionState state, long operationId, long removalId, int rounds, int[] slots)
    {
    }

    /**
     * The books of contract S4, in slots.
     *
     * @param selected   that fell out of a hot window.
     * @param inProgress of jobs that go on.
     * @param inRetry    of jobs that wait for their next round.
     * @param freed      whose value was evicted.
     * @param restored   that went back to their window.
     * @param obsolete   that lost their route by other means.
     */
    public record LedgerPicture(
        long selected, long inProgress, long inRetry, long freed, long restored, long obsolete)
    {
    }

    /**
     * Hears of each eviction job.
     */
    public interface EvictionVisitor
    {
        /**
         * One job.
         *
         * @param job as it is now.
         */
        void onEviction(EvictionPicture job);
    }

    /**
     * A claim of a plan.
     *
     * @param state      of the claim.
     * @param sequence   in the order of arrival (contract SLOT-4).
     * @param classIndex of the slots, {@link SlotTable#NONE} when it never claimed.
     * @param count      of the slots.
     */
    public record ClaimPicture(Claim.State state, long sequence, int classIndex, int count)
    {
        static ClaimPicture of(final Claim claim)
        {
            return new ClaimPicture(claim.state(), claim.sequence(), claim.classIndex(), claim.count());
        }
    }

    /**
     * A session.
     *
     * @param sessionId   of the session.
     * @param processId   of its worker.
     * @param state       its state.
     * @param arenaRange  its part of the plan arena.
     * @param lastHeardNs when its worker was heard last.
     * @param holdings    that hold something.
     * @param putPlans    between start and commit.
     * @param readPlans   that have not ended.
     * @param underWay    requests that have no answer yet and count for the bound of the session (contract BOUND-1).
     */
    public record SessionPicture(
        long sessionId,
        long processId,
        SessionState state,
        int arenaRange,
        long lastHeardNs,
        int holdings,
        int putPlans,
        int readPlans,
        int underWay)
    {
    }

    /**
     * Its slots by state.
     *
     * @return the pool; not to be changed.
     */
    public SlotPool pool()
    {
        return core.pool;
    }

    /**
     * Its slots.
     *
     * @return the table; not to be changed.
     */
    public SlotTable table()
    {
        return core.table;
    }

    /**
     * Time of the last duty cycle.
     *
     * @return nanoseconds.
     */
    public long nowNs()
    {
        return core.nowNs();
    }

    /**
     * Visits all holders.
     *
     * @param visitor hears of each.
     */
    public void holders(final HolderVisitor visitor)
    {
        for (int i = 0; i < core.sessions.count(); i++)
        {
            final WorkerSession session = core.sessions.get(i);
            session.putPlans.forEachLong((id, plan) -> visitPut(plan, visitor));
            session.readPlans.forEachLong((id, plan) -> plan.items().visitHeld(id, visitor));
            session.holdings.forEachLong((id, slotId) -> visitor.onHolder(Holder.HOLDING, id, (int)slotId));
        }
        core.publishes.forEachJob((job) -> visitSlots(Holder.PUBLISH, job.jobId(), job.batch(), visitor));
        core.replicas.forEachUnderWay((job) -> job.visitHeld(visitor));
        core.pulls.forEachPull((pull) -> pull.visitHeld(visitor));
        flights((flight) ->
        {
            if (SlotTable.NONE != flight.slotId())
            {
                visitor.onHolder(Holder.FLIGHT, flight.flightId(), flight.slotId());
            }
        });
        core.rechecks.holders(visitor);
        residents(visitor);
    }

    /**
     * Leaders of reads that wait to ask the master together (contract G9).
     *
     * @return how it stands.
     */
    public WindowPicture startWindow()
    {
        final StartWindow window = core.flights.starts();
        return new WindowPicture(window.gathered(), window.deadlineNs(), window.asking());
    }

    /**
     * Visits all flights, those that have ended and did not tell all their waiters yet included.
     *
     * @param visitor hears of each once.
     */
    public void flights(final FlightVisitor visitor)
    {
        core.flights.forEachRunning((flight) -> visitor.onFlight(picture(flight)));
        final LongHashSet seen = new LongHashSet();
        for (int i = 0; i < core.sessions.count(); i++)
        {
            core.sessions.get(i).readPlans.forEachLong((id, plan) -> visitEnded(plan.items(), seen, visitor));
        }
        core.pulls.forEachPull((pull) -> visitEnded(pull, seen, visitor));
    }

    /**
     * Visits all eviction jobs. Where a slot stands is in its record ({@link SlotTable#residence}).
     *
     * @param visitor hears of each.
     */
    public void evictions(final EvictionVisitor visitor)
    {
        core.evictions.forEachJob((job) -> visitor.onEviction(job.picture()));
    }

    /**
     * What has become of the slots that fell out of the hot windows.
     *
     * @return the books of contract S4.
     */
    public LedgerPicture ledger()
    {
        final EvictionLedger ledger = core.evictions.ledger();

        return new LedgerPicture(
            ledger.selected(),
            ledger.inProgress(),
            ledger.inRetry(),
            ledger.freed(),
            ledger.restored(),
            ledger.obsolete());
    }

    /**
     * Values in the hot windows.
     *
     * @return their number.
     */
    public long hotCount()
    {
        return core.windows.hot();
    }

    /**
     * Next slot of those that are evicted together (contract EVICT-1).
     *
     * @param slotId of a committed value.
     * @return the next one of its cohort; itself when it is alone.
     */
    public int nextOfCohort(final int slotId)
    {
        return core.rings.next(slotId);
    }

    /**
     * Visits all puts between start and commit.
     *
     * @param visitor hears of each.
     */
    public void puts(final PutVisitor visitor)
    {
        for (int i = 0; i < core.sessions.count(); i++)
        {
            core.sessions.get(i).putPlans.forEachLong((id, plan) -> visitor.onPut(plan.picture()));
        }
    }

    /**
     * Visits all reads.
     *
     * @param visitor hears of each.
     */
    public void reads(final ReadVisitor visitor)
    {
        for (int i = 0; i < core.sessions.count(); i++)
        {
            core.sessions.get(i).readPlans.forEachLong((id, plan) -> visitor.onRead(plan.picture()));
        }
    }

    /**
     * Visits all sessions.
     *
     * @param visitor hears of each.
     */
    public void sessions(final SessionVisitor visitor)
    {
        for (int i = 0; i < core.sessions.count(); i++)
        {
            final WorkerSession session = core.sessions.get(i);
            visitor.onSession(new SessionPicture(
                session.sessionId,
                session.processId,
                SessionState.valueOf(session.state.name()),
                session.arenaRange,
                session.lastHeardNs,
                session.holdings.size(),
                session.putPlans.size(),
                session.readPlans.size(),
                session.outstanding));
        }
    }

    /**
     * Slot of a holding.
     *
     * @param sessionId of its session.
     * @param holdingId of the holding.
     * @return slot id, or {@link SlotTable#NONE} when there is no such holding.
     */
    public int holding(final long sessionId, final long holdingId)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null == session ? SlotTable.NONE : (int)session.holdings.get(holdingId);
    }

    /**
     * Does a session have a put that its worker may commit or abort?
     *
     * @param sessionId of the session.
     * @param planId    of the put.
     * @return true between start and commit or abort.
     */
    public boolean hasPut(final long sessionId, final long planId)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null != session && session.putPlans.containsKey(planId);
    }

    /**
     * Does a session have a read with this handle?
     *
     * @param sessionId of the session.
     * @param handle    of the read.
     * @return true until it ends.
     */
    public boolean hasRead(final long sessionId, final long handle)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null != session && session.readPlans.containsKey(handle);
    }

    /**
     * Visits the holdings of a session.
     *
     * @param sessionId of the session.
     * @param visitor   hears of id and slot of each.
     */
    public void holdings(final long sessionId, final LongLongConsumer visitor)
    {
        final WorkerSession session = core.sessions.find(sessionId);
        if (null != session)
        {
            session.holdings.forEachLong(visitor);
        }
    }

    /**
     * State of a session.
     *
     * @param sessionId of the session.
     * @return its state, or null when it is not known.
     */
    public SessionState sessionState(final long sessionId)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null == session ? null : SessionState.valueOf(session.state.name());
    }

    /**
     * Does the owner act on what a session sends over a connection?
     *
     * @param sessionId    of the session.
     * @param connectionId of the connection.
     * @return false when the session is not active, or has another connection since it was resumed.
     */
    public boolean hears(final long sessionId, final long connectionId)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null != session && session.isActive() && connectionId == session.connectionId;
    }

    /**
     * Does what an owner sends to a session arrive somewhere?
     *
     * @param sessionId of the session.
     * @return false when nobody listens.
     */
    public boolean reaches(final long sessionId)
    {
        final WorkerSession session = core.sessions.find(sessionId);

        return null != session && session.outbound.channel().isConnected();
    }

    /**
     * Is the slot found under its key by local readers before the master has confirmed it?
     *
     * @param slotId of the slot.
     * @return true when the local-visible index has it.
     */
    public boolean isLocalVisible(final int slotId)
    {
        return core.values.isIndexed(slotId, false);
    }

    /**
     * Is the slot the committed backing of its key?
     *
     * @param slotId of the slot.
     * @return true when the committed index has it.
     */
    public boolean isCommitted(final int slotId)
    {
        return core.values.isIndexed(slotId, true);
    }

    /**
     * Slot that a local reader of a key would find now.
     *
     * @param key    buffer that holds the key.
     * @param offset of its first byte.
     * @param length of the key in bytes.
     * @return slot id, or {@link SlotTable#NONE}.
     */
    public int find(final DirectBuffer key, final int offset, final int length)
    {
        core.digest.compute(key, offset, length);

        return core.values.find(core.digest.low(), core.digest.high(), key, offset, length);
    }

    /**
     * Entries of the local-visible index.
     *
     * @return their number.
     */
    public long localVisibleCount()
    {
        return core.values.localVisibleCount();
    }

    /**
     * Entries of the committed index.
     *
     * @return their number.
     */
    public long committedCount()
    {
        return core.values.committedCount();
    }

    /**
     * Claims that wait for slots.
     *
     * @return their number.
     */
    public int waitingClaims()
    {
        return core.claims.waiting();
    }

    /**
     * Slots in the table of running puts.
     *
     * @return their number.
     */
    public long inflightPuts()
    {
        return core.inflightPuts.count();
    }

    /**
     * Is an operation at the master open, so that its answer is awaited?
     *
     * @param operationId of the operation.
     * @return true from its beginning to its answer.
     */
    public boolean isOpen(final long operationId)
    {
        return core.master.isOpen(operationId);
    }

    /**
     * Session at the master.
     *
     * @return its id, 0 = none.
     */
    public long masterSession()
    {
        return core.master.sessionId();
    }

    /**
     * Newest epoch of the master that was heard.
     *
     * @return the epoch, 0 = none.
     */
    public long masterEpoch()
    {
        return core.master.epoch();
    }

    /**
     * Would an answer to an operation be accepted now?
     *
     * @return true while the master knows this owner and all its values (contract LIFE-4).
     */
    public boolean isRegistered()
    {
        return core.master.isRegistered();
    }

    /**
     * Can a question to the master be expected to be answered soon?
     *
     * @return true while the owner is registered and the master is heard.
     */
    public boolean isMasterAvailable()
    {
        return core.master.isAvailable();
    }

    private void residents(final HolderVisitor visitor)
    {
        final SlotTable table = core.table;
        for (int grantId = 0; grantId < core.pool.plan().grantCount(); grantId++)
        {
            final int end = core.pool.grantEnd(grantId);
            for (int index = 0; index < end; index++)
            {
                final int slotId = table.slotId(grantId, index);
                if (core.values.isRouted(slotId) && isCommitted(slotId))
                {
                    visitor.onHolder(Holder.RESIDENT, 0, slotId);
                }
            }
        }
    }

    private static void visitPut(final PutPlan plan, final HolderVisitor visitor)
    {
        if (PutPlan.State.COMMITTING != plan.state())
        {
            visitSlots(Holder.PUT, plan.planId(), plan.batch(), visitor);
        }
    }

    private static void visitSlots(
        final Holder kind, final long id, final PutBatch batch, final HolderVisitor visitor)
    {
        for (int i = 0; i < batch.count; i++)
        {
            if (batch.hasSlot(i))
            {
                visitor.onHolder(kind, id, batch.slots[i]);
            }
        }
    }

    private void visitEnded(final ReadItems items, final LongHashSet seen, final FlightVisitor visitor)
    {
        for (int i = 0; i < items.count(); i++)
        {
            final Flight flight = items.flight(i);
            if (null != flight && flight.isOver() && seen.add(flight.flightId))
            {
                visitor.onFlight(picture(flight));
            }
        }
    }

    private void visitEnded(final ReplicaPull pull, final LongHashSet seen, final FlightVisitor visitor)
    {
        for (int i = 0; i < pull.count(); i++)
        {
            final Flight flight = pull.flight(i);
            if (null != flight && flight.isOver() && seen.add(flight.flightId))
            {
                visitor.onFlight(picture(flight));
            }
        }
    }

    private FlightPicture picture(final Flight flight)
    {
        return new FlightPicture(
            flight.flightId,
            FlightPhase.valueOf(flight.phase.name()),
            flight.slotId,
            flight.interestCount,
            flight.isInMotion,
            core.flights.isJoinable(flight),
            new String(flight.key.byteArray(), 0, flight.keyLength, ISO_8859_1));
    }
}
