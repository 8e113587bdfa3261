package io.fluxon.engine.owner;

import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.ClaimKind;
import io.fluxon.engine.memory.ClaimListener;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.LongHashSet;

/**
 * One read, from its request to the end of its handle (contract 5). Each key becomes a holder of a local value, an
 * interest in a flight, or a miss; the transferable prefix follows, and what lies beyond it is given back at once
 * (contract G5). Planned in slices (contract G10). Pooled.
 */
final class ReadPlan extends Job implements FlightWaiter, ClaimListener, OwnerTimers.TimerListener
{
    /**
     * Life of a read.
     */
    enum State
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
        /** The worker has its pages: those that were here are renewed in the hot window, the deepest first (HOT-1). */
        TOUCHING,
        /** Everything is given back. */
        ENDING
    }

    private final OwnerCore core;
    private final ReadItems items;
    private final ReadAnswer answer;
    private final PrefixPlanner planner = new PrefixPlanner();
    private final Claim claim = new Claim(this);
    private State state = State.FREE;
    private String reason;
    private WorkerSession session;
    private FetchJob fetch;
    private PullJob pull;
    private Flight claimed;
    private long planId;
    private long requestId;
    private long transferRequestId;
    private long timeoutNs;
    private long claimDeadlineNs;
    private long hiddenDeadlineNs;
    private long timerId = OwnerTimers.NONE;
    private int cursor;
    private int group;
    private int transferable;
    private int trimEnd;
    private boolean isBestEffort;
    private boolean isHandle;
    private boolean isAnswered;
    private boolean isAmongWaiting;

    ReadPlan(final OwnerCore core)
    {
        this.core = core;
        items = new ReadItems(core);
        answer = new ReadAnswer(core);
    }

    ReadItems items()
    {
        return items;
    }

    /** Takes a request over whose keys and groups are read; the first step is to follow. */
    void start(
        final WorkerSession ofSession, final long ofRequestId, final long timeout, final boolean bestEffort)
    {
        session = ofSession;
        requestId = ofRequestId;
        timeoutNs = timeout > 0 ? Math.min(timeout, core.settings.getTimeoutNs()) : core.settings.getTimeoutNs();
        isBestEffort = bestEffort;
        planId = core.nextId();
        fetch = null;
        transferRequestId = 0;
        claimDeadlineNs = 0;
        hiddenDeadlineNs = 0;
        isHandle = false;
        isAnswered = false;
        transferable = items.count();
        session.readPlans.put(planId, this);
        session.keysOfReads += items.count();
        core.counters.opened(OwnerCounter.READ_PLANS, OwnerCounter.READ_PLANS_OPENED);
        state(State.VALIDATING, "request");
    }

    State state()
    {
        return state;
    }

    /** The read as it is now, for inspection. */
    OwnerView.ReadPicture picture()
    {
        final int prefix = Math.min(transferable, items.count());

        return new OwnerView.ReadPicture(
            planId,
            session.sessionId,
            requestId,
            OwnerView.ReadState.valueOf(state.name()),
            items.count(),
            transferable,
            items.held(),
            items.used(prefix, items.count()),
            prefix - items.used(0, prefix),
            OwnerView.ClaimPicture.of(claim));
    }

    /** Holders that the read has, for audits. */
    int slotsHeld()
    {
        return items.held();
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (State.FREE == state)
        {
            return false;
        }

        final boolean isSmall = items.count() <= core.settings.planSliceKeys();
        boolean isRunnable;
        State before;
        do
        {
            before = state;
            isRunnable = switch (state)
            {
                case VALIDATING -> validate();
                case PLANNING -> plan(nowNs);
                case PREFIX -> computePrefix();
                case TRIMMING -> trim();
                case CLAIMING -> claimSlots(nowNs);
                case REQUESTING -> requestTransfers();
                case EXPORTING_INLINE -> exportInline();
                case CONSUMING -> consume();
                case TRANSFERRING -> transfer();
                case EXPORTING -> export();
                case TOUCHING -> touch();
                case ENDING -> end();
                case FREE, ASKED, STARTED -> false;
            };
        }
        while (isRunnable && before != state && isSmall);

        return isRunnable;
    }

    /** The worker wants a prefix; see {@link GetService} for what was checked before. */
    void consume(final int prefixLen, final long ofRequestId, final long ofTimeoutNs, final long nowNs)
    {
        transferRequestId = ofRequestId;
        isAnswered = false;
        closeHandle();
        setTimer(ofTimeoutNs > 0 ? nowNs + ofTimeoutNs : nowNs + core.settings.handleTtlNs());
        trimEnd = transferable;
        transferable = prefixLen;
        state(State.CONSUMING, "get transfer");
        core.jobs.start(this, nowNs);
    }

    /** Is the length one that can be consumed (contract API-5)? */
    boolean isConsumable(final int prefixLen)
    {
        return prefixLen > 0 && prefixLen <= transferable && items.isGroupEnd(prefixLen);
    }

    int transferableLen()
    {
        return transferable;
    }

    /** The worker gives its handle up. */
    void cancel(final String why, final long nowNs)
    {
        isAnswered = true;
        state(State.ENDING, why);
        core.jobs.start(this, nowNs);
    }

    /** Does the worker, which is back, still use the read or wait for an answer of it (contract API-10)? */
    boolean isNamed(final LongHashSet handles, final LongHashSet requests)
    {
        return handles.contains(planId) || requests.contains(requestId) || requests.contains(transferRequestId);
    }

    /** The worker is back and does not use the read: everything of it is given back (contract API-10). */
    void onSessionResumedWithout()
    {
        if (State.ENDING != state)
        {
            if (!isAnswered)
            {
                final RequestLog.Entry entry =
                    session.requests.entryOf(0 == transferRequestId ? requestId : transferRequestId);
                if (null != entry)
                {
                    entry.refused(ErrorCode.TRANSPORT);
                }
                session.outstanding--;
            }
            onSessionEnded();
        }
    }

    void onSessionEnded()
    {
        if (State.ENDING != state)
        {
            isAnswered = true;
            core.claims.cancel(claim);
            state(State.ENDING, "session ended");
            core.resume(this);
        }
    }

    /** A key that was hidden may be found again, or asked for; the read may have ended since it waited for one. */
    void onShown()
    {
        isAmongWaiting = false;
        if (State.PLANNING == state)
        {
            core.resume(this);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightChanged(final int index)
    {
        items.onStarted(index);
        goOnWhenAnswered();
        lookAgain();
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightFailed(final int index)
    {
        items.onFailed(index);
        goOnWhenAnswered();
        lookAgain();
    }

    /** {@inheritDoc} */
    @Override
    public void onFlightReady(final int index, final int slotId)
    {
        items.onReady(index, slotId);
        goOnWhenAnswered();
        lookAgain();
    }

    /** Something that a waiting read may wait for has changed. */
    private void lookAgain()
    {
        if (State.CLAIMING == state || State.TRANSFERRING == state)
        {
            core.resume(this);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        switch (state)
        {
            case PLANNING, CLAIMING -> core.resume(this);
            case ASKED ->
            {
                state(State.PREFIX, "no answer in time");
                core.resume(this);
            }
            case STARTED ->
            {
                core.counters.increment(OwnerCounter.HANDLES_EXPIRED);
                cancel("handle expired", nowNs);
            }
            case CONSUMING, TRANSFERRING ->
            {
                failTransfer(ErrorCode.GET_TIMEOUT, items.waitStage(transferable), "not all values came in time");
                core.resume(this);
            }
            default ->
            {
            }
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimGranted(final Claim granted, final long nowNs)
    {
        if (isClaimWanted())
        {
            core.flights.onSlot(claimed, core.claims.take(granted));
        }
        else
        {
            core.claims.cancel(granted);
        }
        claimed = null;
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimFailed(final Claim failed, final int errorCode, final Stage stage, final long nowNs)
    {
        if (isClaimWanted())
        {
            core.counters.increment(OwnerCounter.PREFIXES_CUT);
            core.flights.onNoSlot(claimed);
        }
        claimed = null;
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        if (State.ENDING == state || State.TOUCHING == state || State.EXPORTING == state ||
            State.EXPORTING_INLINE == state)
        {
            throw new InvariantViolation("read broke while " + state + " after " + reason + ": " + cause);
        }

        fail(ErrorCode.UNKNOWN, Stage.NONE, "internal error");
        core.resume(this);
    }

    private void goOnWhenAnswered()
    {
        if (State.ASKED == state && 0 == items.starting())
        {
            state(State.PREFIX, "all flights answered");
            core.resume(this);
        }
    }

    private boolean validate()
    {
        final KeyWalk keys = items.keys();
        final int from = cursor;
        final int to = keys.walk(core.settings.planSliceKeys());
        core.budget.charge(to - from);
        for (int i = from; i < to; i++)
        {
            if (!keys.isKeyValid(i))
            {
                return fail(ErrorCode.INVALID_ARGUMENT, Stage.NONE,
                    "key " + i + " is not 1 to " + Limits.MAX_KEY_BYTES + " bytes of UTF-8");
            }
            items.computeDigest(i);
        }
        cursor = to;

        return !keys.isDone() || state(State.PLANNING, "keys are good");
    }

    private boolean plan(final long nowNs)
    {
        final boolean isMasterThere = core.master.isAvailable();
        final int end = core.sliceEnd(cursor, items.count());
        for (int i = cursor; i < end; i++)
        {
            final int found = items.plan(i, this);
            if (ReadItems.HIDDEN == found && isWaitingForHidden(nowNs))
            {
                cursor = i;
                return false;
            }

            if (ReadItems.ABSENT == found && isMasterThere)
            {
                if (null == fetch)
                {
                    fetch = core.flights.takeFetch().begin(items.count() - i);
                }
                items.lead(i, this, fetch);
            }
            else if (ReadItems.FOUND != found)
            {
                items.miss(i);
            }
        }
        cursor = end;
        if (end < items.count())
        {
            return true;
        }

        cancelTimer();
        state(State.ASKED, "planned");
        final FetchJob started = fetch;
        fetch = null;
        if (null != started)
        {
            setTimer(nowNs + timeoutNs);
            core.flights.starts().start(started, nowNs);
        }
        else if (items.starting() > 0)
        {
            setTimer(nowNs + timeoutNs);
        }

        return State.ASKED == state && 0 == items.starting() ? state(State.PREFIX, "nothing to ask") :
            State.ASKED != state;
    }

    /** All hidden keys of a read are waited for until the same time (contract GET-4). */
    private boolean isWaitingForHidden(final long nowNs)
    {
        if (0 == hiddenDeadlineNs)
        {
            hiddenDeadlineNs = nowNs + core.settings.hiddenWaitNs();
        }

        if (nowNs - hiddenDeadlineNs >= 0)
        {
            return false;
        }

        setTimer(hiddenDeadlineNs);
        if (!isAmongWaiting)
        {
            isAmongWaiting = true;
            core.evictions.addWaiting(this);
        }

        return true;
    }

    private boolean computePrefix()
    {
        if (0 == cursor)
        {
            cancelTimer();
            planner.start(items.count(), isBestEffort);
            items.clearFailure();
            group = 0;
        }

        final int end = core.sliceEnd(cursor, items.count());
        int i = cursor;
        while (i < end && !planner.isDecided())
        {
            final boolean isEndOfGroup = i + 1 == items.groupEnd(group);
            planner.add(items.isHit(i), isEndOfGroup);
            group += isEndOfGroup ? 1 : 0;
            i++;
        }
        cursor = i;
        if (i < items.count() && !planner.isDecided())
        {
            return true;
        }

        trimEnd = transferable;
        transferable = planner.transferableLen();

        return state(State.TRIMMING, "prefix known");
    }

    private boolean trim()
    {
        if (!releaseTail())
        {
            return true;
        }

        return state(State.CLAIMING, "suffix released");
    }

    private boolean releaseTail()
    {
        final int from = transferable + cursor;
        final int to = core.sliceEnd(from, trimEnd);
        for (int i = from; i < to; i++)
        {
            if (items.release(i))
            {
                core.counters.increment(OwnerCounter.SUFFIX_RELEASES);
            }
        }
        cursor = to - transferable;

        return to >= trimEnd;
    }

    private boolean claimSlots(final long nowNs)
    {
        int budget = core.settings.planSliceKeys();
        while (cursor < transferable && budget > 0)
        {
            if (items.hasFailure(transferable))
            {
                endClaim();
                return state(State.PREFIX, "a flight failed");
            }

            if (!claimSlot(nowNs))
            {
                return false;
            }
            cursor++;
            core.budget.charge(1);
            budget--;
        }

        if (cursor < transferable)
        {
            return true;
        }

        cancelTimer();
        return items.hasFailure(transferable) ?
            state(State.PREFIX, "a flight failed") : state(State.REQUESTING, "slots are there");
    }

    /** Sees to the slot of the key at the cursor; false when that has to be waited for. */
    private boolean claimSlot(final long nowNs)
    {
        final Flight flight = items.flight(cursor);
        if (null == flight || SlotTable.NONE != flight.slotId)
        {
            return true;
        }

        if (this == flight.claimer || flight.isOver())
        {
            return false;
        }

        claimDeadlineNs = 0 == claimDeadlineNs ? nowNs + core.settings.claimSoftTimeoutNs() : claimDeadlineNs;
        if (null != flight.claimer)
        {
            // who claims may wait longer than a read does (contract SLOT-4)
            setTimer(claimDeadlineNs);
            return nowNs - claimDeadlineNs >= 0 && items.leave(cursor);
        }

        final int classIndex = core.pool.classFor(flight.valueLength);
        final int slotId = SlotTable.NONE == classIndex ? SlotTable.NONE : core.pool.takeNow(classIndex);
        if (SlotTable.NONE != slotId)
        {
            core.flights.onSlot(flight, slotId);
            return true;
        }

        final long maxWaitNs = claimDeadlineNs - nowNs;
        final int result = maxWaitNs > 0 ?
            core.claims.submit(claim, ClaimKind.GET, flight.valueLength, 1, maxWaitNs, nowNs) :
            ErrorCode.RESERVE_TIMEOUT;
        if (ErrorCode.OK == result)
        {
            core.flights.onSlot(flight, core.claims.take(claim));
            return true;
        }

        if (ClaimQueue.WAITING == result)
        {
            flight.claimer = this;
            claimed = flight;
            return false;
        }

        core.counters.increment(OwnerCounter.PREFIXES_CUT);
        core.flights.onNoSlot(flight);

        return true;
    }

    /** Does the flight that the claim is for still run, and wait for it? */
    private boolean isClaimWanted()
    {
        return null != claimed && this == claimed.claimer;
    }

    /** Whoever waits for the flight that is being claimed for may claim itself. */
    private void endClaim()
    {
        core.claims.cancel(claim);
        if (isClaimWanted())
        {
            claimed.claimer = null;
            core.flights.tellChange(claimed);
        }
        claimed = null;
    }

    private boolean requestTransfers()
    {
        final int end = core.sliceEnd(cursor, transferable);
        for (int i = cursor; i < end; i++)
        {
            final Flight flight = items.flight(i);
            if (null != flight && core.flights.isTransferWanted(flight))
            {
                pull(flight, transferable - i);
            }
        }
        cursor = end;
        if (end < transferable)
        {
            return true;
        }

        if (items.hasFailure(transferable))
        {
            return state(State.PREFIX, "a flight failed");
        }

        if (0 == items.joined())
        {
            return state(State.EXPORTING_INLINE, "wholly local");
        }

        return answerRemote();
    }

    /** What a read asks for goes out together, however many steps it takes (contract G8). */
    private void pull(final Flight flight, final int maxFlights)
    {
        if (null != flight.group && flight.group.isPulling())
        {
            flight.group.pull(flight);
            return;
        }

        if (null == pull)
        {
            pull = core.flights.takePull().begin(maxFlights, transferable > core.settings.planSliceKeys());
        }
        pull.add(flight);
    }

    private void endPull()
    {
        if (null != pull)
        {
            pull.end();
            pull = null;
        }
    }

    private boolean answerRemote()
    {
        isHandle = true;
        core.counters.opened(OwnerCounter.HANDLES, OwnerCounter.HANDLES_OPENED);
        core.counters.increment(OwnerCounter.GETS_REMOTE);
        answer.startRemote(session, requestId, planId, planner, items.joined());
        answered();
        setTimer(core.nowNs() + core.settings.handleTtlNs());
        state(State.STARTED, "handle given");

        return false;
    }

    private boolean exportInline()
    {
        if (0 == cursor)
        {
            if (transferable > 0)
            {
                core.counters.increment(OwnerCounter.GETS_INLINE);
            }
            answer.beginInline(session, requestId, planner, transferable);
        }

        if (!exportSome())
        {
            return true;
        }

        if (!answer.sendInline(this))
        {
            return false;
        }
        answered();

        return state(State.TOUCHING, "inline");
    }

    private boolean exportSome()
    {
        final int end = core.sliceEnd(cursor, transferable);
        for (int i = cursor; i < end; i++)
        {
            answer.export(i, items.exportSlot(i));
        }
        cursor = Math.max(end, 1);

        return end == transferable;
    }

    private boolean consume()
    {
        return releaseTail() ? state(State.TRANSFERRING, "tail released") : true;
    }

    private boolean transfer()
    {
        if (items.hasFailure(transferable))
        {
            return failTransfer(ErrorCode.STALE_GET_PLAN, Stage.TRANSFER, "a value did not come");
        }

        return 0 == items.joined() && state(State.EXPORTING, "prefix is readable");
    }

    private boolean export()
    {
        if (0 == cursor)
        {
            cancelTimer();
            answer.beginTransfer(session, transferRequestId, planId, transferable);
        }

        if (!exportSome())
        {
            return true;
        }

        if (!answer.sendTransfer(this))
        {
            return false;
        }
        answered();

        return state(State.TOUCHING, "transferred");
    }

    private boolean touch()
    {
        final int end = core.sliceEnd(cursor, transferable);
        items.touch(transferable - end, transferable - cursor);
        cursor = end;

        return end < transferable || state(State.ENDING, "renewed");
    }

    private boolean failTransfer(final int errorCode, final Stage stage, final String message)
    {
        final RequestLog.Entry entry = session.requests.entryOf(transferRequestId);
        if (null != entry)
        {
            entry.isAnswered = true;
            entry.status = errorCode;
            entry.stage = stage.value();
            entry.objectId = planId;
        }
        answered();
        if (session.isReachable())
        {
            core.workers.getTransferFailed(session, transferRequestId, planId, errorCode, stage, message);
        }

        return state(State.ENDING, message);
    }

    private boolean fail(final int errorCode, final Stage stage, final String message)
    {
        if (!isAnswered)
        {
            if (State.CONSUMING == state || State.TRANSFERRING == state || State.EXPORTING == state)
            {
                return failTransfer(errorCode, stage, message);
            }

            final RequestLog.Entry entry = session.requests.entryOf(requestId);
            if (null != entry)
            {
                entry.isAnswered = true;
                entry.status = errorCode;
                entry.stage = stage.value();
            }
            answered();
            core.workers.getStartFailed(session, requestId, errorCode, stage, message);
        }

        return state(State.ENDING, message);
    }

    private void answered()
    {
        isAnswered = true;
        session.outstanding--;
    }

    private boolean end()
    {
        if (0 == cursor)
        {
            cancelTimer();
            endClaim();
            closeHandle();
            if (null != fetch)
            {
                fetch.abandon();
                fetch = null;
            }
        }

        final int end = core.sliceEnd(cursor, items.count());
        for (int i = cursor; i < end; i++)
        {
            items.release(i);
        }
        cursor = end;
        if (end < items.count())
        {
            return true;
        }

        session.readPlans.remove(planId);
        session.keysOfReads -= items.count();
        session = null;
        items.reset();
        core.counters.closed(OwnerCounter.READ_PLANS, OwnerCounter.READ_PLANS_CLOSED);
        state(State.FREE, "done");
        core.gets.free(this);

        return false;
    }

    private void closeHandle()
    {
        if (isHandle)
        {
            isHandle = false;
            core.counters.closed(OwnerCounter.HANDLES, OwnerCounter.HANDLES_CLOSED);
        }
    }

    private void setTimer(final long deadlineNs)
    {
        cancelTimer();
        timerId = core.timers.schedule(deadlineNs, this);
    }

    private void cancelTimer()
    {
        core.timers.cancel(timerId);
        timerId = OwnerTimers.NONE;
    }

    private boolean state(final State next, final String why)
    {
        if (State.REQUESTING == state)
        {
            endPull();
        }
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
