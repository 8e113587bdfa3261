package io.fluxon.engine.owner;

import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.ClaimKind;
import io.fluxon.engine.memory.ClaimListener;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;

/**
 * Brings the copy of one atomic group here, at the target of a replica task (contract REPL-1): flights for the keys
 * that are not here, one claim for all their slots, and one message that appends all of them to their routes or none.
 * A key that is being written, fetched or evicted here makes it give up, and its source tries again. Pooled.
 * <pre>
 *   LOOKING --&gt; ASKED --&gt; CLAIMING --&gt; COPYING --&gt; APPENDING --&gt; ENDING
 *      |          |           |            |    all are here ^        ^
 *      +----------+-----------+------------+--- given up -------------+
 * </pre>
 */
final class ReplicaPull extends Job implements FlightWaiter, ClaimListener, OwnerTimers.TimerListener
{
    /**
     * Life of a pull.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Its keys are looked up, slice by slice. */
        LOOKING,
        /** Waits until the master has leased a source for each key. */
        ASKED,
        /** The slots of all its values are claimed together. */
        CLAIMING,
        /** The values are on their way. */
        COPYING,
        /** All are here; the master is told, until it answers (contract T1). */
        APPENDING,
        /** Everything is given back. */
        ENDING
    }

    private static final int GROUP_OFFSET = MasterOperation.BLOCK_OFFSET + PullReplicaDecoder.BLOCK_LENGTH;
    private static final int MIN_CAPACITY = 64;
    private static final ArrayList<Flight> NOTHING = new ArrayList<>(0);

    private final OwnerCore core;
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(1024);
    private final KeyWalk keys = new KeyWalk();
    private final Claim claim = new Claim(this);
    private Interest[] interests = new Interest[MIN_CAPACITY];
    private boolean[] isStarted = new boolean[MIN_CAPACITY];
    private boolean[] isBroughtHere = new boolean[MIN_CAPACITY];
    private int[] slots = new int[MIN_CAPACITY];
    private State state = State.FREE;
    private String reason;
    private FetchJob fetch;
    private PullJob pull;
    private long taskId;
    private long deadlineNs;
    private long timerId = OwnerTimers.NONE;
    private int count;
    private int cursor;
    private int held;
    private int waiting;
    private boolean isAnswered;

    ReplicaPull(final OwnerCore core)
    {
        this.core = core;
    }

    /** The master asks for a copy; the first step is to follow. */
    void start(final long ofTaskId, final long timeoutNs, final DirectBuffer request, final long nowNs)
    {
        taskId = ofTaskId;
        message.putBytes(0, request, 0, request.capacity());
        count = keys.wrap(message, GROUP_OFFSET).count();
        if (slots.length < count)
        {
            interests = new Interest[count];
            isStarted = new boolean[count];
            isBroughtHere = new boolean[count];
            slots = new int[count];
        }
        Arrays.fill(slots, 0, count, SlotTable.NONE);
        held = 0;
        waiting = 0;
        isAnswered = false;
        deadlineNs = nowNs + timeoutNs;
        timerId = core.timers.schedule(deadlineNs, this);
        state(State.LOOKING, "asked for");
    }

    long taskId()
    {
        return taskId;
    }

    State state()
    {
        return state;
    }

    /** Holders that the pull has, for audits. */
    int slotsHeld()
    {
        return held;
    }

    /** Visits the holders of the pull, for inspection. */
    void visitHeld(final OwnerView.HolderVisitor visitor)
    {
        for (int i = 0; i < count; i++)
        {
            if (hasHolder(i))
            {
                visitor.onHolder(OwnerView.Holder.PULL, taskId, slots[i]);
            }
        }
    }

    /** Visits the flights that the pull waits for, for inspection. */
    void visitInterests(final InterestView.InterestVisitor visitor)
    {
        for (int i = 0; i < count; i++)
        {
            if (null != interests[i])
            {
                visitor.onInterest(
                    OwnerView.Holder.PULL, taskId, state.compareTo(State.COPYING) >= 0, interests[i].flight.flightId);
            }
        }
    }

    /** The pull as it is now, for inspection. */
    ReplicaView.PullPicture picture()
    {
        return new ReplicaView.PullPicture(
            taskId,
            Arrays.stream(interests, 0, count).filter(Objects::nonNull).mapToLong((i) -> i.flight.flightId).toArray(),
            OwnerView.ClaimPicture.of(claim));
    }

    /** Flight that a key waits for, or null; for inspection. */
    Flight flight(final int index)
    {
        return index < count && null != interests[index] ? interests[index].flight : null;
    }

    /** Keys of the group, for inspection. */
    int count()
    {
        return count;
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case LOOKING -> look(nowNs);
            case ASKED -> 0 == waiting && state(State.CLAIMING, "sources leased");
            case CLAIMING -> claimSlots(nowNs);
            case COPYING -> copy(nowNs);
            case APPENDING -> isAnswered && held == count && state(State.ENDING, "appended");
            case ENDING -> end();
            case FREE -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightChanged(final int index)
    {
        if (!isStarted[index] && Flight.Phase.STARTING != interests[index].flight.phase)
        {
            isStarted[index] = true;
            waiting--;
        }
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightFailed(final int index)
    {
        left(index);
        giveUp(ErrorCode.STALE_GET_PLAN, "a value did not come");
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightReady(final int index, final int slotId)
    {
        left(index);
        hold(index, slotId);
        core.resume(this);
    }

    /** Is the payload of what it leads still to come with that of the others of the group? */
    boolean isPulling()
    {
        return State.ASKED == state || State.CLAIMING == state || State.COPYING == state;
    }

    /** The payload of a flight is to move, as the group or a read before it wants. */
    void pull(final Flight flight)
    {
        if (null == pull)
        {
            pull = core.flights.takePull().begin(count, count > core.settings.planSliceKeys()).together(this);
        }
        pull.add(flight);
    }

    /** All values are here, in the group's order; the master is told of all of them, and there is no way back. */
    void onAppending(final ArrayList<Flight> arrived)
    {
        for (int i = 0; i < count; i++)
        {
            final Flight flight = flight(i);
            if (null != flight)
            {
                arrived.add(flight);
            }
        }
        state(State.APPENDING, "all arrived");
    }

    /** The master has answered; what that means for each flight follows. */
    void onAnswered()
    {
        isAnswered = true;
        core.resume(this);
    }

    /** Nothing moves any more, and all that moved has ended. */
    void onPullEnded()
    {
        pull = null;
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        if (State.APPENDING != state)
        {
            giveUp(State.CLAIMING == state ? ErrorCode.NO_SPACE : ErrorCode.GET_TIMEOUT, "not in time");
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimGranted(final Claim granted, final long nowNs)
    {
        if (State.CLAIMING == state)
        {
            takeSlots(granted);
            state(State.COPYING, "slots are there");
        }
        if (Claim.State.GRANTED == granted.state())
        {
            core.claims.cancel(granted);
        }
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimFailed(final Claim failed, final int errorCode, final Stage stage, final long nowNs)
    {
        giveUp(ErrorCode.NO_SPACE, "no slots");
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("pull broke while " + state + " after " + reason + ": " + cause);
    }

    private boolean look(final long nowNs)
    {
        final int from = cursor;
        final int end = keys.walk(core.settings.planSliceKeys());
        core.budget.charge(end - from);
        for (int i = from; i < end; i++)
        {
            if (!keys.isKeyValid(i))
            {
                return giveUp(ErrorCode.INVALID_ARGUMENT, "a bad key");
            }
            if (!look(i))
            {
                return giveUp(ErrorCode.KEY_BEING_WRITTEN, "a key is being written or moved here");
            }
        }
        cursor = end;
        if (!keys.isDone())
        {
            return true;
        }

        if (null == fetch)
        {
            state(State.APPENDING, "all are here");
            core.flights.takeDone().start(NOTHING, this, nowNs);
            return true;
        }
        state(State.ASKED, "looked up");
        core.flights.starts().start(fetch, nowNs);
        fetch = null;

        return State.ASKED == state && 0 == waiting;
    }

    /** The key gets a holder or a flight; false when it can have neither now. */
    private boolean look(final int index)
    {
        final int offset = keys.keyOffset(index);
        final int length = keys.keyLength(index);
        core.digest.compute(message, offset, length);
        final long low = core.digest.low();
        final long high = core.digest.high();
        final int slotId = core.values.find(low, high, message, offset, length);
        if (LocalValues.NONE != slotId && core.values.isCommitted(slotId))
        {
            core.pool.holderAdd(slotId);
            hold(index, slotId);
            isBroughtHere[index] = false;
            core.evictions.copied().unmark(slotId);
            return true;
        }

        if (LocalValues.NONE != slotId || core.values.isHidden(low, high, message, offset, length) ||
            core.inflightPuts.contains(low, high, message, offset, length) ||
            null != core.flights.find(low, high, message, offset, length))
        {
            return false;
        }

        if (null == fetch)
        {
            fetch = core.flights.takeFetch().begin(count - index);
        }
        final Flight flight = core.flights.install(low, high, message, offset, length);
        flight.group = this;
        flight.isBehindFlight = index > 0 && null != interests[index - 1];
        fetch.add(flight);
        interests[index] = core.flights.join(flight, this, index);
        isStarted[index] = false;
        isBroughtHere[index] = true;
        waiting++;

        return true;
    }

    /** One claim for all, so that no two pulls can each hold half of what the other needs (contract SLOT-4). */
    private boolean claimSlots(final long nowNs)
    {
        long valueLength = 0;
        int needed = 0;
        core.budget.charge(count);
        for (int i = 0; i < count; i++)
        {
            final Flight flight = slotless(i);
            if (null != flight)
            {
                if (null != flight.claimer)
                {
                    return false;
                }
                if (needed > 0 && valueLength != flight.valueLength)
                {
                    return giveUp(ErrorCode.INVALID_ARGUMENT, "values of several lengths");
                }
                valueLength = flight.valueLength;
                needed++;
            }
        }

        return 0 == needed ? state(State.COPYING, "slots are there") : submit(needed, valueLength, nowNs);
    }

    private boolean submit(final int needed, final long valueLength, final long nowNs)
    {
        final int result =
            core.claims.submit(claim, ClaimKind.PUT, valueLength, needed, Math.max(1, deadlineNs - nowNs), nowNs);
        if (ErrorCode.OK != result && ClaimQueue.WAITING != result)
        {
            return giveUp(ErrorCode.NO_SPACE, "no slots");
        }

        for (int i = 0; i < count; i++)
        {
            final Flight flight = slotless(i);
            if (null != flight)
            {
                flight.claimer = this;
            }
        }
        if (ClaimQueue.WAITING == result)
        {
            return false;
        }
        takeSlots(claim);

        return state(State.COPYING, "slots are there");
    }

    private void takeSlots(final Claim granted)
    {
        for (int i = 0; i < count && Claim.State.GRANTED == granted.state(); i++)
        {
            final Flight flight = slotless(i);
            if (null != flight && this == flight.claimer)
            {
                core.flights.onSlot(flight, core.claims.take(granted));
            }
        }
    }

    /** Flight of a key that runs and has no slot, or null. */
    private Flight slotless(final int index)
    {
        final Flight flight = flight(index);

        return null != flight && SlotTable.NONE == flight.slotId && !flight.isOver() ? flight : null;
    }

    private boolean copy(final long nowNs)
    {
        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            final Flight flight = flight(i);
            if (null != flight && core.flights.isTransferWanted(flight))
            {
                pull(flight);
            }
        }
        cursor = end;
        if (State.COPYING != state || end < count)
        {
            return true;
        }

        if (null != pull)
        {
            pull.end();
        }
        if (held == count)
        {
            // whatever was missing has come by other means
            state(State.APPENDING, "all are here");
            core.flights.takeDone().start(NOTHING, this, nowNs);
            return true;
        }

        return false;
    }

    /** Does what has failed count? What the master has answered about is over for it. */
    private boolean giveUp(final int code, final String why)
    {
        if (State.ENDING != state)
        {
            core.counters.add(OwnerCounter.REPLICA_PAGES_REFUSED, count);
            if (!isAnswered)
            {
                core.pulls.sendGiveUp(taskId, code);
            }
            state(State.ENDING, why);
            if (null != fetch)
            {
                fetch.abandon();
                fetch = null;
            }
            if (null != pull)
            {
                pull.end();
                pull.notTogether();
                pull = null;
            }
            core.resume(this);
        }

        return true;
    }

    private boolean end()
    {
        if (0 == cursor)
        {
            core.timers.cancel(timerId);
            timerId = OwnerTimers.NONE;
            core.claims.cancel(claim);
            joinRings();
        }

        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            release(i);
        }
        cursor = Math.max(1, end);
        if (end < count)
        {
            return true;
        }

        keys.reset();
        if (null != pull)
        {
            pull.notTogether();
            pull = null;
        }
        state(State.FREE, "done");
        core.pulls.free(this);

        return false;
    }

    /**
     * The copies go together when they are evicted (contract EVICT-1). What was here before is renewed and goes with
     * what it went with, else all groups that have it would be one.
     */
    private void joinRings()
    {
        if (held != count)
        {
            return;
        }

        int sibling = SlotTable.NONE;
        core.windows.beginRun();
        for (int i = 0; i < count; i++)
        {
            if (Residence.HOT == core.table.residence(slots[i]))
            {
                core.windows.append(slots[i]);
            }
            if (isBroughtHere[i] && Residence.NONE != core.table.residence(slots[i]) &&
                slots[i] == core.rings.next(slots[i]))
            {
                if (SlotTable.NONE != sibling)
                {
                    core.rings.joinGroup(sibling, slots[i]);
                }
                sibling = slots[i];
            }
        }
        core.windows.admitRun();
    }

    private void release(final int index)
    {
        if (hasHolder(index))
        {
            held--;
            core.pool.holderRelease(slots[index]);
            slots[index] = SlotTable.NONE;
        }
        else if (null != interests[index])
        {
            final Interest interest = interests[index];
            interests[index] = null;
            interest.flight.group = null;
            core.flights.leave(interest);
        }
    }

    private void left(final int index)
    {
        interests[index] = null;
        waiting -= isStarted[index] ? 0 : 1;
        isStarted[index] = true;
    }

    private void hold(final int index, final int slotId)
    {
        slots[index] = slotId;
        held++;
    }

    private boolean hasHolder(final int index)
    {
        return SlotTable.NONE != slots[index];
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
