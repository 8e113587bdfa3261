package io.fluxon.sim.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.engine.memory.SlotTable;
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
 * keys, and answered at once (GET-1).
 */
@Watches({"V1", "P1", "LIFE-3", "GET-1"})
final class LocalBounds implements Checker
{
    /** Longest time in nanoseconds that one gap between duty cycles counts for: the owner's pause when it is idle. */
    private static final long LONGEST_CYCLE_NS = 20_000_000;

    /** Own running time in nanoseconds, far below any time after which a master counts as away. */
    private static final long BOUND_NS = 400_000_000;

    private final GetStartRequestDecoder getStart = new GetStartRequestDecoder();
    private final GetStartResponseDecoder getStarted = new GetStartResponseDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Map<OwnerWatch, Running> runningOf = new HashMap<>();
    private final Checks checks;

    LocalBounds(final Checks checks)
    {
        this.checks = checks;
    }

    /** Where a key was when its get was read. */
    private record Local(String key, int slotId, long use)
    {
    }

    /** A request that an owner has read. */
    private record Waiting(
        long sessionId, long connectionId, long requestId, boolean isPut, List<Local> keys, long sinceNs)
    {
    }

    /** Own running time of an owner, and what waits for it. */
    private static final class Running
    {
        private final Map<String, Waiting> waiting = new LinkedHashMap<>();
        private final Set<String> seen = new HashSet<>();
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
                !owner.view().reaches(request.sessionId) || owner.owner().workerAnswerFaults.blockedUntilNs > nowNs)
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
        if (!owner.view().hears(message.sessionId(), message.link().connectionId()) ||
            !runningOf.get(owner).seen.add(name(message)))
        {
            return;
        }
        if (PutCommitRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            wait(owner, message, true, List.of());
        }
        else if (GetStartRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            final List<Local> keys = localKeys(owner, message);
            if (!keys.isEmpty())
            {
                wait(owner, message, false, keys);
            }
        }
    }

    /** The keys of a get that are all here now, else none. */
    private List<Local> localKeys(final OwnerWatch owner, final Message message)
    {
        getStart.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        getStart.atomicGroups().forEach((group) -> group.keyCount());
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
        return found;
    }

    /** Is a key still where it was? A put may fail, and a report be refused, while a get is planned. */
    private boolean isStillHere(final OwnerWatch owner, final Local local)
    {
        key.wrap(local.key.getBytes(ISO_8859_1));
        return local.slotId == owner.view().find(key, 0, key.capacity()) &&
            local.use == owner.table().useCounter(local.slotId);
    }

    private void wait(final OwnerWatch owner, final Message message, final boolean isPut, final List<Local> keys)
    {
        final Running running = runningOf.get(owner);
        running.waiting.putIfAbsent(name(message), new Waiting(
            message.sessionId(),
            message.link().connectionId(),
            message.correlationId(),
            isPut,
            keys,
            running.runningNs));
    }

    @Override
    public void onSent(final Message message)
    {
        if (!message.isToWorker())
        {
            return;
        }
        switch (message.templateId())
        {
            case PutCommitLocalDecoder.TEMPLATE_ID, StatusResponseDecoder.TEMPLATE_ID ->
                runningOf.get(checks.of(message.owner())).waiting.remove(name(message));
            case GetStartResponseDecoder.TEMPLATE_ID -> onGetStarted(message);
            default ->
            {
            }
        }
    }

    private void onGetStarted(final Message message)
    {
        final OwnerWatch owner = checks.of(message.owner());
        final Waiting request = runningOf.get(owner).waiting.remove(name(message));
        if (null == request)
        {
            return;
        }
        getStarted.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (ErrorCode.OK == getStarted.status() &&
            (getStarted.rawPrefixHitLen() < request.keys.size() || getStarted.remoteHits() > 0) &&
            request.keys.stream().allMatch((local) -> isStillHere(owner, local)))
        {
            throw new Violation("GET-1", owner + ": all " + request.keys.size() + " keys were here, " +
                getStarted.rawPrefixHitLen() + " are hits, " + getStarted.remoteHits() + " of them remote: " + message);
        }
    }

    private static String name(final Message message)
    {
        return message.sessionId() + "/" + message.correlationId();
    }
}
