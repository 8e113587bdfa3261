package io.fluxon.sim.check;

import io.fluxon.codecs.control.DeleteResponseDecoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A delete that is answered with success has removed a value: the master has a put id of the key that it deleted,
 * and no owner that it knows has the value of such a put id any more, but hidden for an eviction of its own, or for
 * another delete that is not over (EVICT-2). A put id that was deleted is in no route as long as its master
 * lives (LIFE-4). A worker's delete has the same answer each time, and no other codes than the contract's (API-4,
 * API-8).
 */
@Watches({"EVICT-2", "LIFE-4", "API-4", "API-8"})
final class Deletes implements Checker
{
    private static final long NO_REMOVAL = 0;
    private static final Set<Integer> CODES = Set.of(
        ErrorCode.OK, -ErrorCode.KEY_NOT_FOUND, -ErrorCode.KEY_BEING_WRITTEN, -ErrorCode.BACK_PRESSURED);

    private final RouteDeleteResponseDecoder answer = new RouteDeleteResponseDecoder();
    private final DeleteResponseDecoder response = new DeleteResponseDecoder();
    private final Map<String, Set<PutId>> deletedOf = new HashMap<>();
    private final Set<PutId> deleted = new HashSet<>();
    private final Map<String, byte[]> responses = new HashMap<>();
    private final OperationBook book;
    private final Checks checks;
    private long epoch;
    private int seen;

    Deletes(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    /** A version of a key. */
    private record PutId(int ownerId, long generation, long sequence)
    {
    }

    /** What this master has deleted so far: from here on it may not return. */
    private void learn()
    {
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            seen = 0;
            deleted.clear();
            deletedOf.clear();
        }
        if (!checks.cluster().master().isDead() && seen < checks.master().deletedCount())
        {
            seen = checks.master().deletedCount();
            checks.master().deleted((ownerId, generation, sequence) ->
            {
                final PutId putId = new PutId(ownerId, generation, sequence);
                if (deleted.add(putId))
                {
                    deletedOf.computeIfAbsent(keyOf(putId), (key) -> new HashSet<>()).add(putId);
                }
            });
        }
    }

    private String keyOf(final PutId putId)
    {
        final Operation publish = book.publishOf(checks.of(putId.ownerId, putId.generation), putId.sequence);
        return publish.entries.stream()
            .filter((entry) -> putId.sequence == entry.sequence())
            .map(Operation.Entry::key)
            .findFirst().orElseThrow();
    }

    @Override
    public void afterMaster()
    {
        learn();
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isFromMaster() && RouteDeleteResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            learn();
            onAnswer(message);
        }
        else if (message.isToWorker() && DeleteResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            onResponse(message);
        }
    }

    private void onAnswer(final Message message)
    {
        final Operation operation = book.of(message);
        answer.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        int index = 0;
        for (final RouteDeleteResponseDecoder.ResultsDecoder result : answer.results())
        {
            final String key = operation.entries.get(index++).key();
            if (ErrorCode.OK == result.code())
            {
                checkGone(operation, key);
            }
        }
    }

    private void checkGone(final Operation operation, final String key)
    {
        final Set<PutId> putIds = deletedOf.getOrDefault(key, Set.of());
        if (putIds.isEmpty())
        {
            throw new Violation("LIFE-4", operation + ": " + key + " is said to be deleted, and no put id of it was");
        }
        for (final OwnerWatch owner : checks.owners())
        {
            if (checks.isKnownToMaster(owner))
            {
                checkGone(operation, owner, putIds);
            }
        }
    }

    /** What goes by an eviction, or by another delete that is not over, has no route; nobody finds it meanwhile. */
    private boolean isOnItsWay(final OwnerWatch owner, final int slotId)
    {
        final boolean[] isOnItsWay = new boolean[1];
        owner.view().evictions((job) -> isOnItsWay[0] |= Residence.HIDDEN == owner.table().residence(slotId) &&
            job.jobId() == owner.table().evictionJobId(slotId) &&
            (NO_REMOVAL == job.removalId() || checks.master().isRemovalUnderWay(job.removalId())));
        return isOnItsWay[0];
    }

    private void checkGone(final Operation operation, final OwnerWatch owner, final Set<PutId> putIds)
    {
        final SlotTable table = owner.table();
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            if (SlotState.COMMITTED == table.state(slotId) && table.isRouteLive(slotId) &&
                putIds.contains(putIdOf(table, slotId)) && !isOnItsWay(owner, slotId))
            {
                throw new Violation("EVICT-2", owner.describe(slotId) + " " + table.residence(slotId) +
                    ": is there although " + operation + " is answered: deleted");
            }
        }
    }

    private static PutId putIdOf(final SlotTable table, final int slotId)
    {
        return new PutId(table.putOwnerId(slotId), table.putGeneration(slotId), table.putSequence(slotId));
    }

    private void onResponse(final Message message)
    {
        response.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final DeleteResponseDecoder.ResultsDecoder result : response.results())
        {
            if (!CODES.contains(result.code()))
            {
                throw new Violation("API-8", message + ": a key has result " + result.code());
            }
        }
        final String request = message.owner() + "/" + message.sessionId() + "/" + message.correlationId();
        final byte[] content = Operation.answerContent(message);
        final byte[] before = responses.putIfAbsent(request, content);
        if (null != before && !Arrays.equals(before, content))
        {
            throw new Violation("API-4", message + ": is not what was answered before");
        }
    }

    /** Owners of a master's past may come back with what it has deleted: it takes nothing of that. */
    @Override
    public void full()
    {
        learn();
        if (!checks.cluster().master().isDead() && !deleted.isEmpty())
        {
            checks.master().replicas((replica) ->
            {
                if (deleted.contains(
                    new PutId(replica.putOwnerId(), replica.putGeneration(), replica.putSequence())))
                {
                    throw new Violation("LIFE-4", replica + ": has returned, and was deleted");
                }
            });
        }
    }
}
