package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A plan or handle that a worker was told of lives until a request of the right kind of its own session uses it
 * (API-4), with a length that can be consumed (API-5), or until its session ends or is resumed without it; a handle
 * also until its time is over (GET-3). A repeated request makes nothing new (API-4).
 */
@Watches({"API-4", "API-5", "GET-3"})
final class NamedObjects implements Checker
{
    private static final int WHOLE_PREFIX = -1;

    private final PutStartResponseDecoder putStarted = new PutStartResponseDecoder();
    private final GetStartResponseDecoder getStarted = new GetStartResponseDecoder();
    private final GetStartRequestDecoder getStart = new GetStartRequestDecoder();
    private final GetTransferRequestDecoder transfer = new GetTransferRequestDecoder();
    private final GetCancelRequestDecoder cancel = new GetCancelRequestDecoder();
    private final PutCommitRequestDecoder commit = new PutCommitRequestDecoder();
    private final PutAbortRequestDecoder abort = new PutAbortRequestDecoder();
    private final Map<OwnerWatch, Objects> objectsOf = new HashMap<>();
    private final Checks checks;
    private final long handleTtlNs;

    NamedObjects(final Checks checks)
    {
        this.checks = checks;
        final ClusterOptions options = checks.cluster().options();
        handleTtlNs = options.ownerSettings.get().handleTtlNs();
    }

    /** A request of a session. */
    private record Request(long sessionId, long requestId)
    {
    }

    /** A plan or handle. */
    private record Named(
        VirtualWorker worker, Request request, long id, boolean isPut, long sinceNs, int transferable)
    {
    }

    /** All plans and handles of one owner. */
    private static final class Objects
    {
        private final Map<Long, Named> open = new LinkedHashMap<>();
        private final Map<Long, Request> requestOf = new HashMap<>();
        private final Set<Request> putStarts = new HashSet<>();
        private final Map<Request, List<Integer>> groupEnds = new HashMap<>();
        private final Map<Request, Long> readNs = new HashMap<>();
    }

    @Override
    public void onSent(final Message message)
    {
        if (!message.isToWorker())
        {
            return;
        }
        if (PutStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            putStarted.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            if (ErrorCode.OK == putStarted.status())
            {
                open(message, putStarted.planId(), true, 0);
            }
        }
        else if (GetStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            getStarted.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            if (ErrorCode.OK == getStarted.status() && GetKind.REMOTE == getStarted.kind() && 0 != getStarted.handle())
            {
                open(message, getStarted.handle(), false, getStarted.transferableLen());
            }
        }
    }

    private void open(final Message message, final long id, final boolean isPut, final int transferable)
    {
        final OwnerWatch owner = checks.of(message.owner());
        final Objects objects = of(owner);
        final Request request = new Request(message.sessionId(), message.correlationId());
        final Request other = objects.requestOf.putIfAbsent(id, request);
        if (null == other)
        {
            objects.open.put(id, new Named(
                (VirtualWorker)message.to(),
                request,
                id,
                isPut,
                objects.readNs.getOrDefault(request, message.nowNs()),
                transferable));
        }
        else if (!other.equals(request))
        {
            throw new Violation("API-4", owner + ": id " + id + " of " + other + " is given out again: " + message);
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isFromWorker())
        {
            return;
        }
        final Objects objects = of(checks.of(message.owner()));
        switch (message.templateId())
        {
            case PutStartRequestDecoder.TEMPLATE_ID ->
                objects.putStarts.add(new Request(message.sessionId(), message.correlationId()));
            case GetStartRequestDecoder.TEMPLATE_ID -> readGroups(objects, message);
            case PutCommitRequestDecoder.TEMPLATE_ID ->
            {
                commit.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                used(objects, message, commit.planId(), true);
            }
            case PutAbortRequestDecoder.TEMPLATE_ID ->
            {
                abort.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                used(objects, message, abort.planId(), true);
            }
            case GetCancelRequestDecoder.TEMPLATE_ID ->
            {
                cancel.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                used(objects, message, cancel.handle(), false);
            }
            case GetTransferRequestDecoder.TEMPLATE_ID -> onTransfer(objects, message);
            case SessionCloseDecoder.TEMPLATE_ID ->
                objects.open.values().removeIf((named) -> named.request.sessionId == message.sessionId());
            case ConnectRequestDecoder.TEMPLATE_ID -> resume(objects, message);
            default ->
            {
            }
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final Objects objects = of(owner);
        final long nowNs = checks.cluster().clock().nanoTime();
        if (!objects.open.isEmpty())
        {
            objects.open.values().removeIf((named) -> named.worker.isDead() ||
                !named.isPut && nowNs - named.sinceNs >= handleTtlNs);
        }
        for (final Named named : objects.open.values())
        {
            final boolean isThere = named.isPut ? owner.view().hasPut(named.request.sessionId, named.id) :
                owner.view().hasRead(named.request.sessionId, named.id);
            if (!isThere)
            {
                throw new Violation("API-4", owner + ": is gone without having been used: " + named);
            }
        }
        final long opened = owner.owner().get(OwnerCounter.PUT_PLANS_OPENED);
        if (opened > objects.putStarts.size())
        {
            throw new Violation("API-4", owner + ": " + opened + " put plans of " + objects.putStarts.size() +
                " requests");
        }
        final long read = owner.owner().get(OwnerCounter.READ_PLANS_OPENED);
        if (read > objects.groupEnds.size())
        {
            throw new Violation("API-4", owner + ": " + read + " reads of " + objects.groupEnds.size() + " requests");
        }
    }

    private Objects of(final OwnerWatch owner)
    {
        return objectsOf.computeIfAbsent(owner, (key) -> new Objects());
    }

    private static void used(final Objects objects, final Message message, final long id, final boolean isPut)
    {
        final Named named = objects.open.get(id);
        if (null != named && named.isPut == isPut && named.request.sessionId == message.sessionId())
        {
            objects.open.remove(id);
        }
    }

    private void readGroups(final Objects objects, final Message message)
    {
        getStart.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final List<Integer> ends = new ArrayList<>();
        int end = 0;
        for (final GetStartRequestDecoder.AtomicGroupsDecoder group : getStart.atomicGroups())
        {
            end += group.keyCount();
            ends.add(end);
        }
        if (ends.isEmpty())
        {
            ends.add(getStart.keys().count());
        }
        final Request request = new Request(message.sessionId(), message.correlationId());
        objects.groupEnds.putIfAbsent(request, ends);
        // an answer may wait for its channel: the time of a handle begins between the two
        objects.readNs.putIfAbsent(request, message.nowNs());
    }

    private void onTransfer(final Objects objects, final Message message)
    {
        transfer.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final Named named = objects.open.get(transfer.handle());
        final int length = transfer.consumePrefixLen();
        if (null != named && !named.isPut && (WHOLE_PREFIX == length || length <= named.transferable &&
            objects.groupEnds.getOrDefault(named.request, List.of()).contains(length)))
        {
            used(objects, message, named.id, false);
        }
    }

    /** What a resume does not name may go. */
    private static void resume(final Objects objects, final Message message)
    {
        final ResumeNames names = ResumeNames.of(message);
        objects.open.values().removeIf((named) -> named.request.sessionId == names.sessionId() &&
            !names.plans().contains(named.id) && !names.requests().contains(named.request.requestId));
    }
}
