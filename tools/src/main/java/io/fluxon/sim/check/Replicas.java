package io.fluxon.sim.check;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.ReplicaView;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.sim.cluster.VirtualMaster;
import io.fluxon.sim.cluster.VirtualOwner;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies are made of what puts have wished only (PUT-3), of values that are held in place while the copy is under way,
 * as many at once as configured and one of each key (REPL-1), at remote_cache owners only (REPL-4), all of a group or
 * none of it (REPL-1). A victim waits for its copy for a bounded time only (REPL-3). What was targeted, appended and
 * given up balances when all is quiet (P2).
 */
@Watches({"PUT-3", "REPL-1", "REPL-3", "REPL-4", "P2"})
final class Replicas implements Checker
{
    private static final long SLACK_NS = 1_200_000_000;
    private static final long LONGEST_CYCLE_NS = 20_000_000;

    private final BatchGetDoneResponseDecoder done = new BatchGetDoneResponseDecoder();
    private final ReplicaStartRequestDecoder replica = new ReplicaStartRequestDecoder();
    private final UnsafeBuffer content = new UnsafeBuffer(0, 0);
    private final Map<Integer, Set<String>> wished = new HashMap<>();
    private final Map<OwnerWatch, Demotions> demotionsOf = new HashMap<>();
    private final Set<String> keys = new HashSet<>();
    private final OperationBook book;
    private final Checks checks;
    private final int maxUnderWay;
    private final long demotionBoundNs;

    Replicas(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
        demotionBoundNs = checks.cluster().options().ownerSettings.get().replicas().demotionBoundNs();
        maxUnderWay = checks.cluster().options().ownerSettings.get().replicas().taskMaxInflight();
    }

    @Override
    public void onPutAsked(final PutAttempt put)
    {
        if (null != put.wishes)
        {
            final Set<String> names = wished.computeIfAbsent(put.owner.ownerId(), (id) -> new HashSet<>());
            for (int i = 0; i < put.count(); i++)
            {
                if (put.wishes[i])
                {
                    names.add(put.names[i]);
                }
            }
        }
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToMaster() && ReplicaStartRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            checkStart(book.of(message), message);
        }
        else if (message.isFromMaster() && PullReplicaDecoder.TEMPLATE_ID == message.templateId() &&
            !message.owner().isRemoteCache())
        {
            throw new Violation("REPL-4", message + ": is sent to an owner that is no remote_cache");
        }
        else if (message.isFromMaster() && BatchGetDoneResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            final Operation operation = book.of(message);
            if (null != operation && 0 != taskOf(operation))
            {
                checkAppended(operation, message);
            }
        }
    }

    private void checkStart(final Operation operation, final Message message)
    {
        replica.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        if (operation.isOver)
        {
            return;
        }
        final OwnerWatch owner = operation.owner;
        final Set<String> names = wished.getOrDefault(owner.owner().ownerId(), Set.of());
        for (final Operation.Entry entry : operation.entries)
        {
            if (0 == replica.isDemotion() && !names.contains(entry.key()))
            {
                throw new Violation("PUT-3", operation + ": a copy of " + entry.key() + ", which no put has wished");
            }
            final int slotId = entry.slotId();
            if (owner.table().useCounter(slotId) != entry.use() || owner.table().holderCount(slotId) < 1 ||
                SlotState.COMMITTED != owner.table().state(slotId))
            {
                throw new Violation("REPL-1", operation + ": is not held in place: " + owner.describe(slotId));
            }
        }
    }

    private void checkAppended(final Operation operation, final Message message)
    {
        done.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        int stale = 0;
        int index = 0;
        for (final BatchGetDoneResponseDecoder.ItemsDecoder item : done.items())
        {
            stale += ErrorCode.STALE_GET_PLAN == item.code() ? 1 : 0;
            index++;
        }
        if (0 != stale && index != stale)
        {
            throw new Violation("REPL-1", operation + ": " + (index - stale) + " of " + index +
                " copies are appended, the rest is not");
        }
        if (0 == stale && 1 == operation.answered)
        {
            checkWhole(operation);
        }
    }

    /** When the answer is sent for the first time each key has its copy. */
    private void checkWhole(final Operation operation)
    {
        for (final Operation.Entry entry : operation.entries)
        {
            if (!checks.master().hasReplica(operation.owner.owner().ownerId(), entry.key()))
            {
                throw new Violation("REPL-1", operation + ": " + entry + " is not appended");
            }
        }
    }

    private long taskOf(final Operation operation)
    {
        if (BatchGetDoneRequestDecoder.TEMPLATE_ID != operation.templateId)
        {
            return 0;
        }
        content.wrap(operation.content);
        return content.getLong(0, ByteOrder.LITTLE_ENDIAN);
    }

    /** The cohorts of one owner that wait for their copy, and since when. */
    private static final class Demotions
    {
        private Map<Long, Long> sinceNs = new HashMap<>();
        private long runningNs;
        private long lastNs;
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        final Demotions demotions = new Demotions();
        demotions.lastNs = owner.view().nowNs();
        demotionsOf.put(owner, demotions);
    }

    /** A copy that does not come keeps no slot from being freed for longer than the bound of own running time (S3). */
    private void checkDemotions(final OwnerWatch owner)
    {
        final Demotions demotions = demotionsOf.get(owner);
        demotions.runningNs += Math.min(LONGEST_CYCLE_NS, owner.view().nowNs() - demotions.lastNs);
        demotions.lastNs = owner.view().nowNs();
        if (0 == owner.owner().get(OwnerCounter.EVICTION_JOBS))
        {
            demotions.sinceNs.clear();
            return;
        }
        final Map<Long, Long> now = new HashMap<>();
        owner.view().evictions((job) ->
        {
            if (OwnerView.EvictionState.DEMOTING == job.state())
            {
                now.put(job.jobId(), demotions.sinceNs.getOrDefault(job.jobId(), demotions.runningNs));
                if (demotions.runningNs - now.get(job.jobId()) > demotionBoundNs + SLACK_NS)
                {
                    throw new Violation("REPL-3", owner + " " + job + ": waits for a copy since " +
                        (demotions.runningNs - now.get(job.jobId())) + " ns");
                }
            }
        });
        demotions.sinceNs = now;
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        checkDemotions(owner);
        if (0 == owner.owner().get(OwnerCounter.REPLICA_JOBS))
        {
            return;
        }
        final int[] count = new int[1];
        keys.clear();
        owner.replicaView().replicas((job) ->
        {
            count[0]++;
            if (job.isAsked())
            {
                checkPinned(owner, job);
            }
        });
        if (count[0] > maxUnderWay)
        {
            throw new Violation("REPL-1", owner + ": " + count[0] + " copies under way, allowed are " + maxUnderWay);
        }
    }

    private void checkPinned(final OwnerWatch owner, final ReplicaView.ReplicaPicture job)
    {
        if (job.pinned() != job.slots().length)
        {
            throw new Violation("REPL-1", owner + ": operation " + job.operationId() + " holds " + job.pinned() +
                " of " + job.slots().length + " values in place");
        }
        for (final int slotId : job.slots())
        {
            if (!keys.add(owner.key(slotId)))
            {
                throw new Violation("REPL-1", owner.describe(slotId) + ": two copies of its key are under way");
            }
        }
    }

    @Override
    public void atQuiet()
    {
        for (final VirtualOwner owner : checks.cluster().owners())
        {
            final long over = owner.get(OwnerCounter.REPLICA_PAGES_DONE) +
                owner.get(OwnerCounter.REPLICA_PAGES_SATISFIED) + owner.get(OwnerCounter.REPLICA_PAGES_NO_SPACE) +
                owner.get(OwnerCounter.REPLICA_PAGES_OBSOLETE) + owner.get(OwnerCounter.REPLICA_PAGES_GAVE_UP) +
                owner.get(OwnerCounter.REPLICA_PAGES_DROPPED);
            final long demoted = owner.get(OwnerCounter.DEMOTION_PAGES_DONE) +
                owner.get(OwnerCounter.DEMOTION_PAGES_SATISFIED) + owner.get(OwnerCounter.DEMOTION_PAGES_NO_SPACE) +
                owner.get(OwnerCounter.DEMOTION_PAGES_GAVE_UP) + owner.get(OwnerCounter.DEMOTION_PAGES_SKIPPED);
            if (over != owner.get(OwnerCounter.REPLICA_PAGES_WISHED) ||
                demoted != owner.get(OwnerCounter.DEMOTION_PAGES_SELECTED))
            {
                throw new Violation("P2", owner + ": of " + owner.get(OwnerCounter.REPLICA_PAGES_WISHED) +
                    " pages wished " + over + " have an outcome, of " +
                    owner.get(OwnerCounter.DEMOTION_PAGES_SELECTED) + " to be demoted " + demoted);
            }
        }
        final VirtualMaster master = checks.cluster().master();
        final long ended =
            master.get(MasterCounter.REPLICA_PAGES_APPENDED) + master.get(MasterCounter.REPLICA_PAGES_GIVEN_UP);
        if (ended != master.get(MasterCounter.REPLICA_PAGES_TARGETED))
        {
            throw new Violation("P2", "master: of " + master.get(MasterCounter.REPLICA_PAGES_TARGETED) +
                " pages targeted " + ended + " are appended or given up");
        }
    }
}
