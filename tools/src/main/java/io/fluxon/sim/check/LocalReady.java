package io.fluxon.sim.check;

import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * When a worker is told that its values are local-ready, every key of the put is found by readers of that owner (V1),
 * unless its result is that it failed; when it is told that they are committed, they are (PUT-2). A value that an
 * eviction has hidden since is there, and readers do not find it (EVICT-2).
 */
@Watches({"V1", "PUT-2"})
final class LocalReady implements Checker
{
    private final PutStartRequestDecoder start = new PutStartRequestDecoder();
    private final PutCommitRequestDecoder commit = new PutCommitRequestDecoder();
    private final PutStartResponseDecoder started = new PutStartResponseDecoder();
    private final PutCommitLocalDecoder local = new PutCommitLocalDecoder();
    private final PutCommitResultDecoder result = new PutCommitResultDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Map<OwnerWatch, Puts> putsOf = new HashMap<>();
    private final Checks checks;

    LocalReady(final Checks checks)
    {
        this.checks = checks;
    }

    /** The puts of one owner. */
    private static final class Puts
    {
        private final Map<String, List<String>> keysOfRequest = new HashMap<>();
        private final Map<Long, List<String>> keysOfPlan = new HashMap<>();
        private final Map<Long, Set<Integer>> missingOfPlan = new HashMap<>();
        private final Map<Long, Long> readIn = new HashMap<>();
        private final Map<Long, Ready> unresolved = new HashMap<>();
        private final Map<Integer, String> keysOfCommitted = new HashMap<>();
        private final Map<String, Long> givenUpIn = new HashMap<>();
        private final Map<String, Long> hiddenIn = new HashMap<>();
        private final List<Suspicion> suspicions = new ArrayList<>();
    }

    /** A put that is local-ready: its keys, and duty cycles of its owner before its commit was read. */
    private record Ready(List<String> keys, long cycles)
    {
    }

    /** A key that is said to be committed and is not, unless the duty cycle shows that it was given up. */
    private record Suspicion(String key, long cycles, Violation violation)
    {
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromWorker() && PutStartRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            start.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            start.atomicGroups().forEach((group) -> group.keyCount());
            final List<String> keys = new ArrayList<>();
            for (final PutStartRequestDecoder.KeysDecoder entry : start.keys())
            {
                entry.wrapKey(key);
                keys.add(Message.text(key));
            }
            of(message).keysOfRequest.put(request(message), keys);
        }
        else if (message.isFromWorker() && PutCommitRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            commit.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            if (of(message).keysOfPlan.containsKey(commit.planId()))
            {
                of(message).readIn.putIfAbsent(commit.planId(), checks.of(message.owner()).cycles());
            }
        }
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
            case PutStartResponseDecoder.TEMPLATE_ID ->
            {
                started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                final List<String> keys = of(message).keysOfRequest.remove(request(message));
                if (null != keys && ErrorCode.OK == started.status())
                {
                    of(message).keysOfPlan.put(started.planId(), keys);
                }
            }
            case PutCommitLocalDecoder.TEMPLATE_ID -> onLocal(message);
            case PutCommitResultDecoder.TEMPLATE_ID -> onResult(message);
            default ->
            {
            }
        }
    }

    private void onLocal(final Message message)
    {
        local.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final Puts puts = of(message);
        final List<String> keys = ErrorCode.OK == local.status() ? puts.keysOfPlan.remove(local.planId()) : null;
        if (null == keys)
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        final Long cycles = puts.readIn.remove(local.planId());
        puts.unresolved.put(local.planId(), new Ready(keys, null == cycles ? owner.cycles() : cycles));
        final Set<Integer> missing = new HashSet<>();
        for (int i = 0; i < keys.size(); i++)
        {
            key.wrap(keys.get(i).getBytes(StandardCharsets.ISO_8859_1));
            if (SlotTable.NONE == owner.view().find(key, 0, key.capacity()))
            {
                missing.add(i);
            }
        }
        if (!missing.isEmpty())
        {
            puts.missingOfPlan.put(local.planId(), missing);
        }
    }

    private void onResult(final Message message)
    {
        result.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final Set<Integer> missing = of(message).missingOfPlan.remove(result.planId());
        int index = 0;
        for (final PutCommitResultDecoder.ResultsDecoder entry : result.results())
        {
            if (ErrorCode.OK == entry.code())
            {
                checkCommitted(message, index);
            }
            if (null != missing && missing.contains(index) && ErrorCode.OK == entry.code())
            {
                suspect(message, index, new Violation("V1", message.owner() + ": key " + index + " of plan " +
                    result.planId() + " was not found by readers when its put was local-ready"));
            }
            index++;
        }
        of(message).unresolved.remove(result.planId());
    }

    /** Its answer may be one of many, or wait for a link, and the key be given up before it leaves. */
    private void suspect(final Message message, final int index, final Violation violation)
    {
        final Puts puts = of(message);
        final Ready ready = puts.unresolved.get(result.planId());
        puts.suspicions.add(new Suspicion(ready.keys.get(index), ready.cycles, violation));
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Puts puts = putsOf.computeIfAbsent(owner, (key) -> new Puts());
        for (int i = 0; i < owner.changedCount(); i++)
        {
            final int slotId = owner.changed(i);
            final String before = puts.keysOfCommitted.remove(slotId);
            if (null != before)
            {
                puts.givenUpIn.put(before, owner.cycles());
            }
            if (SlotState.COMMITTED == owner.table().state(slotId))
            {
                puts.keysOfCommitted.put(slotId, owner.key(slotId));
            }
        }
        lookForHidden(owner, puts);
        for (final Suspicion suspicion : puts.suspicions)
        {
            if (puts.givenUpIn.getOrDefault(suspicion.key, 0L) <= suspicion.cycles &&
                puts.hiddenIn.getOrDefault(suspicion.key, 0L) <= suspicion.cycles &&
                !isHeldWithoutRoute(owner, puts, suspicion.key))
            {
                throw suspicion.violation;
            }
        }
        puts.suspicions.clear();
    }

    private static void lookForHidden(final OwnerWatch owner, final Puts puts)
    {
        if (owner.view().ledger().inProgress() > 0)
        {
            puts.keysOfCommitted.forEach((slotId, name) ->
            {
                if (Residence.HIDDEN == owner.table().residence(slotId))
                {
                    puts.hiddenIn.put(name, owner.cycles());
                }
            });
        }
    }

    /** A value that was given up stays in its slot while somebody reads it. */
    private static boolean isHeldWithoutRoute(final OwnerWatch owner, final Puts puts, final String name)
    {
        return puts.keysOfCommitted.entrySet().stream().anyMatch((entry) ->
            name.equals(entry.getValue()) && !owner.table().isRouteLive(entry.getKey()));
    }

    /** Success is global commit; only a key whose committed value was given up since it was local-ready is excused. */
    private void checkCommitted(final Message message, final int index)
    {
        final Puts puts = of(message);
        final Ready ready = puts.unresolved.get(result.planId());
        if (null == ready)
        {
            return;
        }
        final OwnerWatch owner = checks.of(message.owner());
        final String name = ready.keys.get(index);
        key.wrap(name.getBytes(StandardCharsets.ISO_8859_1));
        final int slotId = owner.view().find(key, 0, key.capacity());
        if (SlotTable.NONE == slotId || !owner.table().isRouteLive(slotId) &&
            SlotState.COMMITTED != owner.table().state(slotId))
        {
            puts.suspicions.add(new Suspicion(name, ready.cycles, new Violation("PUT-2", owner + ": key " + name +
                " of plan " + result.planId() + " is said to be committed and is " +
                (SlotTable.NONE == slotId ? "not there" : owner.describe(slotId)))));
        }
    }

    private Puts of(final Message message)
    {
        return putsOf.computeIfAbsent(checks.of(message.owner()), (owner) -> new Puts());
    }

    private static String request(final Message message)
    {
        return message.sessionId() + "/" + message.correlationId();
    }
}
