package io.fluxon.sim.check;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Evictions hide what they ask the master to remove from the first message to its definitive answer, and what was
 * removed for ever; they name exactly the members of their job, which nobody reads. The master removes nothing that a
 * get reads from, and nothing but what was named (EVICT-2). A job has all of its group that is here (EVICT-1), and each
 * slot that was selected is in exactly one place of the books at every instant (S4).
 */
@Watches({"EVICT-1", "EVICT-2", "S4"})
final class Evictions implements Checker
{
    private final EvictSourceResponseDecoder answer = new EvictSourceResponseDecoder();
    private final Map<OwnerWatch, Jobs> jobsOf = new HashMap<>();
    private final Set<String> evictedKeys = new HashSet<>();
    private final OperationBook book;
    private final Checks checks;

    Evictions(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    /** What one owner evicts. */
    private static final class Jobs
    {
        private final Set<Long> seen = new HashSet<>();
        private final Map<Long, Asked> asked = new HashMap<>();
        private final List<OwnerView.EvictionPicture> now = new ArrayList<>();
    }

    /** A question that the owner has sent, and what the master has answered to it. */
    private static final class Asked
    {
        private final Operation operation;
        private EvictResult result;

        private Asked(final Operation operation)
        {
            this.operation = operation;
        }
    }

    /** Has the master been seen to remove a copy of a key? */
    boolean wasEvicted(final String key)
    {
        return evictedKeys.contains(key);
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        jobsOf.put(owner, new Jobs());
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToMaster() && EvictSourceRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            final Operation operation = book.of(message);
            final Jobs jobs = jobsOf.get(operation.owner);
            if (!operation.isOver && !jobs.asked.containsKey(operation.id))
            {
                jobs.asked.put(operation.id, new Asked(operation));
                checkMembers(operation);
            }
        }
        else if (message.isFromMaster() && EvictSourceResponseDecoder.TEMPLATE_ID == message.templateId() &&
            EvictResult.REMOVED == resultOf(message))
        {
            checkRemoved(book.of(message));
        }
    }

    /** The question names what its job has, each member once. */
    private static void checkMembers(final Operation operation)
    {
        final Set<Integer> named = new HashSet<>();
        for (final Operation.Entry entry : operation.entries)
        {
            if (!named.add(entry.slotId()) || entry.use() != operation.owner.table().useCounter(entry.slotId()))
            {
                throw new Violation("EVICT-2", operation + ": names " + entry + " twice, or what is no more: " +
                    operation.owner.describe(entry.slotId()));
            }
        }
        operation.owner.view().evictions((job) ->
        {
            if (job.operationId() == operation.id && !named.equals(setOf(job.slots())))
            {
                throw new Violation("EVICT-1", operation + ": names slots " + named + ", its job has " +
                    setOf(job.slots()));
            }
        });
    }

    /** The master has removed what was named, and nothing else of these keys. */
    private void checkRemoved(final Operation operation)
    {
        if (null == operation)
        {
            return;
        }
        final OwnerWatch owner = operation.owner;
        for (final Operation.Entry entry : operation.entries)
        {
            evictedKeys.add(entry.key());
            if (checks.isKnownToMaster(owner))
            {
                checkOthers(owner, operation, entry);
            }
        }
    }

    private void checkOthers(final OwnerWatch owner, final Operation operation, final Operation.Entry entry)
    {
        final SlotTable table = owner.table();
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            if (SlotState.COMMITTED == table.state(slotId) && table.isRouteLive(slotId) &&
                Residence.HIDDEN != table.residence(slotId) && entry.key().equals(owner.key(slotId)) &&
                !checks.hasRoute(owner, slotId))
            {
                throw new Violation("EVICT-2", operation + ": has removed the route of another value: " +
                    owner.describe(slotId));
            }
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromMaster() && OperationBook.isAnswer(message.templateId()) && book.isAccepted(message))
        {
            final Operation operation = book.of(message);
            final Asked asked = null == operation ? null : jobsOf.get(operation.owner).asked.get(operation.id);
            if (null != asked && operation.isOver && null == asked.result)
            {
                asked.result = EvictSourceResponseDecoder.TEMPLATE_ID == message.templateId() ?
                    resultOf(message) : EvictResult.BUSY;
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Jobs jobs = jobsOf.get(owner);
        jobs.now.clear();
        owner.view().evictions(jobs.now::add);
        checkBooks(owner, jobs);
        final Iterator<Asked> questions = jobs.asked.values().iterator();
        while (questions.hasNext())
        {
            if (!isToBeHidden(owner, questions.next()))
            {
                questions.remove();
            }
        }
        for (int i = 0; i < jobs.now.size(); i++)
        {
            if (jobs.seen.add(jobs.now.get(i).jobId()))
            {
                checkCohort(owner, jobs.now.get(i));
            }
        }
    }

    private static void checkBooks(final OwnerWatch owner, final Jobs jobs)
    {
        final OwnerView.LedgerPicture ledger = owner.view().ledger();
        long members = 0;
        long inRetry = 0;
        for (int i = 0; i < jobs.now.size(); i++)
        {
            final int slots = jobs.now.get(i).slots().length;
            members += slots;
            inRetry += OwnerView.EvictionState.RETRY == jobs.now.get(i).state() ? slots : 0;
        }
        if (ledger.selected() !=
            ledger.inProgress() + ledger.inRetry() + ledger.freed() + ledger.restored() + ledger.obsolete() ||
            ledger.inProgress() + ledger.inRetry() != members || ledger.inRetry() != inRetry)
        {
            throw new Violation("S4", owner + ": " + ledger + ", its jobs have " + members + " slots, " + inRetry +
                " of them in retry");
        }
    }

    /** Returns false when there is nothing left that has to be hidden. */
    private boolean isToBeHidden(final OwnerWatch owner, final Asked asked)
    {
        final boolean isRemoved = EvictResult.REMOVED == asked.result;
        if (null != asked.result && !isRemoved)
        {
            return false;
        }
        final SlotTable table = owner.table();
        boolean isAnyThere = false;
        for (final Operation.Entry entry : asked.operation.entries)
        {
            final int slotId = entry.slotId();
            if (entry.use() == table.useCounter(slotId) && SlotState.COMMITTED == table.state(slotId) &&
                table.isRouteLive(slotId))
            {
                isAnyThere = true;
                if (Residence.HIDDEN != table.residence(slotId) || table.holderCount(slotId) > 1)
                {
                    throw new Violation("EVICT-2", owner.describe(slotId) + " " + table.residence(slotId) +
                        ": can be read although " + asked.operation + (isRemoved ? " has removed it" :
                        " has no answer"));
                }
            }
        }
        return isAnyThere || !isRemoved;
    }

    /** All of a group that have been committed here for longer than this duty cycle are in the job, or in another. */
    private static void checkCohort(final OwnerWatch owner, final OwnerView.EvictionPicture job)
    {
        final SlotTable table = owner.table();
        for (final int member : job.slots())
        {
            for (int slotId = 0; slotId < table.capacity(); slotId++)
            {
                if (SlotState.COMMITTED == table.state(slotId) && table.isRouteLive(slotId) &&
                    isSameGroup(owner, member, slotId) && 0 == table.evictionJobId(slotId) && !isNew(owner, slotId))
                {
                    throw new Violation("EVICT-1", owner.describe(slotId) + ": is of the group of slot " + member +
                        ", which is evicted without it by " + job);
                }
            }
        }
    }

    private static boolean isNew(final OwnerWatch owner, final int slotId)
    {
        for (int i = 0; i < owner.changedCount(); i++)
        {
            if (slotId == owner.changed(i))
            {
                return true;
            }
        }
        return false;
    }

    /** The group of a value is known here when it was put here. */
    private static boolean isSameGroup(final OwnerWatch owner, final int member, final int slotId)
    {
        final SlotTable table = owner.table();
        return isPutHere(owner, member) && isPutHere(owner, slotId) && table.groupLength(member) > 1 &&
            table.groupId(member) == table.groupId(slotId);
    }

    private static boolean isPutHere(final OwnerWatch owner, final int slotId)
    {
        return owner.table().putOwnerId(slotId) == owner.owner().ownerId() &&
            owner.table().putGeneration(slotId) == owner.owner().generation();
    }

    @Override
    public void afterMaster()
    {
        final int orphaned = checks.cluster().master().isDead() ? 0 : checks.master().orphanedReads();
        if (0 != orphaned)
        {
            throw new Violation("EVICT-2", "the master has removed what " + orphaned + " gets read from");
        }
    }

    /** What is hidden is hidden by one job that has a reason to, and each slot is in one job. */
    @Override
    public void full(final OwnerWatch owner)
    {
        final SlotTable table = owner.table();
        final Set<Integer> members = new HashSet<>();
        final Set<Integer> waiting = new HashSet<>();
        owner.view().evictions((job) ->
        {
            for (final int slotId : job.slots())
            {
                if (!members.add(slotId) || table.evictionJobId(slotId) != job.jobId())
                {
                    throw new Violation("S4", owner.describe(slotId) + ": is not in one job: " + job);
                }
            }
            waiting.addAll(OwnerView.EvictionState.RETRY == job.state() ? setOf(job.slots()) : Set.of());
        });
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            final Residence residence = table.residence(slotId);
            final boolean isInJob = Residence.SELECTED == residence || Residence.HIDDEN == residence;
            if (isInJob != members.contains(slotId))
            {
                throw new Violation("S4", owner.describe(slotId) + " " + residence + ": is " +
                    (isInJob ? "in no" : "in an") + " eviction job");
            }
            if (Residence.HIDDEN == residence && waiting.contains(slotId))
            {
                throw new Violation("EVICT-2", owner.describe(slotId) + ": is hidden by a job that waits");
            }
        }
    }

    private EvictResult resultOf(final Message message)
    {
        return answer.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version()).result();
    }

    private static Set<Integer> setOf(final int[] slots)
    {
        final Set<Integer> set = new HashSet<>();
        for (final int slotId : slots)
        {
            set.add(slotId);
        }
        return set;
    }
}
