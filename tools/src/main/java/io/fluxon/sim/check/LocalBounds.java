package io.fluxon.sim.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A commit is local-ready, and a get whose keys are all here is answered, within a bound of the owner's own running
 * time in which it can reach the worker, whatever the master does (V1, P1, LIFE-3); such a get is a hit of all its
 * keys, and answered at once (GET-1). Nothing but the answer that was asked for ends such a wait, or a refusal for want
 * of room (BOUND-1); any other status is no answer.
 */
@Watches({"V1", "P1", "LIFE-3", "GET-1"})
final class LocalBounds implements Checker
{
    /** Longest time in nanoseconds that one gap between duty cycles counts for: the owner's pause when it is idle. */
    private static final long LONGEST_CYCLE_NS = 20_000_000;

    /** Own running time in nanoseconds, far below any time after which a master counts as away. */
    private static final long BOUND_NS = 400_000_000;

    private static final long NO_PLAN = 0;

    private final GetStartRequestDecoder getStart = new GetStartRequestDecoder();
    private final GetStartResponseDecoder getStarted = new GetStartResponseDecoder();
    private final PutCommitRequestDecoder commit = new PutCommitRequestDecoder();
    private final PutCommitLocalDecoder local = new PutCommitLocalDecoder();
    private final StatusResponseDecoder status = new StatusResponseDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Map<OwnerWatch, Running> runningOf = new HashMap<>();
    private final Checks checks;
    private final OwnerSettings settings;

    LocalBounds(final Checks checks)
    {
        this.checks = checks;
        settings = checks.cluster().options().ownerSettings.get();
    }

    /** Where a key was when its get was read. */
    private record Local(String key, int slotId, long use)
    {
    }

    /**
     * A request that an owner has read: the commit of a plan, 0 = it is a get, which of a put that is being written has
     * to be taken; or a get of keys that are here.
     */
    private record Waiting(
        long sessionId,
        long connectionId,
        long requestId,
        long planId,
        boolean isStarted,
        List<Local> keys,
        boolean mayBeRefused,
        long sinceNs)
    {
    }

    /** Own running time of an owner, and what waits for it. */
    private static final class Running
    {
        private final Map<String, Waiting> waiting = new LinkedHashMap<>();
        private final Set<String> seen = new HashSet<>();
        private final Map<Long, SettledRequests> marksOf = new HashMap<>();
        private long lastNs;
        private long runningNs;
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        final Running running = new Running();
        running.lastNs = owner.view().nowNs();
        runningOf.put(owner, running);
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Running running = runningOf.get(owner);
        final long nowNs = owner.view().nowNs();
        running.runningNs += Math.min(LONGEST_CYCLE_NS, nowNs - running.lastNs);
        running.lastNs = nowNs;
        if (running.waiting.isEmpty())
        {
            return;
        }
        final Iterator<Waiting> requests = running.waiting.values().iterator();
        while (requests.hasNext())
        {
            final Waiting request = requests.next();
            if (!owner.view().hears(request.sessionId, request.connectionId) ||
                !owner.view().reaches(request.sessionId) || owner.owner().workerAnswerFaults.blockedUntilNs > nowNs ||
                !request.keys.stream().allMatch((local) -> isStillHere(owner, local)))
            {
                requests.remove();
            }
            else if (running.runningNs - request.sinceNs > BOUND_NS)
            {
                throw new Violation("V1", owner + ": has not answered in " + BOUND_NS + " ns of running time: " +
                    request);
            }
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isFromWorker())
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        final Running running = runningOf.get(owner);
        if (!owner.view().hears(message.sessionId(), message.link().connectionId()) ||
            owner.owner().generation() != message.generation())
        {
            return;
        }
        switch (message.templateId())
        {
            case KeepAliveDecoder.TEMPLATE_ID -> marks(running, message).move(message);
            case ReleaseHoldingsDecoder.TEMPLATE_ID,
                SessionCloseDecoder.TEMPLATE_ID,
                ConnectRequestDecoder.TEMPLATE_ID ->
            {
            }
            default ->
            {
                final SettledRequests marks = marks(running, message);
                if (!marks.isSettled(message) && running.seen.add(name(message)))
                {
                    onRequest(owner, message);
                }
            }
        }
    }

    private void onRequest(final OwnerWatch owner, final Message message)
    {
        if (PutCommitRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            commit.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            wait(owner, message, commit.planId(), List.of(), false);
        }
        else if (GetStartRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            final List<Local> keys = localKeys(owner, message);
            if (!keys.isEmpty())
            {
                wait(owner, message, NO_PLAN, keys, hasNoRoomForRead(owner, message, keys.size()));
            }
        }
    }

    /** Each key of a read may become a holding. */
    private boolean hasNoRoomForRead(final OwnerWatch owner, final Message message, final int count)
    {
        final long[] used = new long[2];
        owner.view().reads((read) ->
        {
            if (read.sessionId() == message.sessionId())
            {
                used[0]++;
                used[1] += read.count();
            }
        });
        owner.view().holdings(message.sessionId(), (id, slotId) -> used[1]++);
        return used[0] >= settings.maxPlansPerSession() || used[1] + count > settings.maxHoldingsPerSession();
    }

    private static SettledRequests marks(final Running running, final Message message)
    {
        return running.marksOf.computeIfAbsent(message.sessionId(), (key) -> new SettledRequests());
    }

    /** The keys of a good get that are all here now, else none. */
    private List<Local> localKeys(final OwnerWatch owner, final Message message)
    {
        getStart.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        int grouped = 0;
        for (final GetStartRequestDecoder.AtomicGroupsDecoder group : getStart.atomicGroups())
        {
            grouped += group.keyCount();
        }
        final List<Local> found = new ArrayList<>();
        for (final GetStartRequestDecoder.KeysDecoder keys : getStart.keys())
        {
            keys.wrapKey(key);
            final int slotId = owner.view().find(key, 0, key.capacity());
            if (SlotTable.NONE == slotId)
            {
                return List.of();
            }
            found.add(new Local(Message.text(key), slotId, owner.table().useCounter(slotId)));
        }
        final boolean isGood = (0 == grouped || found.size() == grouped) && found.size() <= settings.maxKeysPerBatch();
        return isGood ? found : List.of();
    }

    /** Is a key still where it was? A put may fail, and a report be refused, while a get is planned. */
    private boolean isStillHere(final OwnerWatch owner, final Local local)
    {
        key.wrap(local.key.getBytes(ISO_8859_1));
        return local.slotId == owner.view().find(key, 0, key.capacity()) &&
            local.use == owner.table().useCounter(local.slotId);
    }

    private void wait(
        final OwnerWatch owner,
        final Message message,
        final long planId,
        final List<Local> keys,
        final boolean mayBeRefused)
    {
        final boolean[] isStarted = new boolean[1];
        owner.view().puts((put) -> isStarted[0] |= put.sessionId() == message.sessionId() &&
            put.planId() == planId && OwnerView.PutState.STARTED == put.state());
        final Running running = runningOf.get(owner);
        running.waiting.put(name(message), new Waiting(
            message.sessionId(),
            message.link().connectionId(),
            message.correlationId(),
            planId,
            isStarted[0],
            keys,
            mayBeRefused,
            running.runningNs));
    }

    @Override
    public void onSent(final Message message)
    {
        if (!message.isToWorker())
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        final Running running = runningOf.get(owner);
        final Waiting request = running.waiting.get(name(message));
        switch (message.templateId())
        {
            case PutCommitLocalDecoder.TEMPLATE_ID -> onCommitted(owner, message, request);
            case GetStartResponseDecoder.TEMPLATE_ID -> onGetStarted(owner, message, request);
            case StatusResponseDecoder.TEMPLATE_ID -> onStatus(running, message);
            default ->
            {
            }
        }
    }

    /** The session has too many requests under way: it may come again. */
    private void onStatus(final Running running, final Message message)
    {
        status.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (ErrorCode.BACK_PRESSURED == status.status())
        {
            running.waiting.remove(name(message));
            running.seen.remove(name(message));
        }
    }

    private void onCommitted(final OwnerWatch owner, final Message message, final Waiting request)
    {
        local.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (null == request || NO_PLAN == request.planId || local.planId() != request.planId)
        {
            return;
        }
        if (request.isStarted && ErrorCode.OK != local.status())
        {
            throw new Violation("V1", owner + ": plan " + request.planId + " was being written, and its commit is " +
                "refused with " + local.status() + ": " + message);
        }
        runningOf.get(owner).waiting.remove(name(message));
    }

    private void onGetStarted(final OwnerWatch owner, final Message message, final Waiting request)
    {
        if (null == request || NO_PLAN != request.planId)
        {
            return;
        }
        runningOf.get(owner).waiting.remove(name(message));
        getStarted.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (ErrorCode.BACK_PRESSURED == getStarted.status() && request.mayBeRefused)
        {
            return;
        }
        final boolean areAllHits = ErrorCode.OK == getStarted.status() &&
            getStarted.rawPrefixHitLen() == request.keys.size() && 0 == getStarted.remoteHits();
        if (!areAllHits && request.keys.stream().allMatch((key) -> isStillHere(owner, key)))
        {
            throw new Violation("GET-1", owner + ": all " + request.keys.size() + " keys were here, status " +
                getStarted.status() + ", " + getStarted.rawPrefixHitLen() + " are hits, " + getStarted.remoteHits() +
                " of them remote: " + message);
        }
    }

    private static String name(final Message message)
    {
        return message.sessionId() + "/" + message.correlationId();
    }
}
