package io.fluxon.tools.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.tools.report.CapacityResult;
import io.fluxon.tools.report.ControlCounts;
import io.fluxon.tools.report.LedgerResult;
import io.fluxon.tools.report.Leftover;
import io.fluxon.tools.report.ReplicaFigures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What the processes of a cluster say of themselves in their counters files.
 */
public final class ClusterCounters implements AutoCloseable
{
    private static final long POLL_MS = 2;

    private final List<Path> ownerFiles;
    private final List<ProcessCounters> owners = new ArrayList<>();
    private final List<ProcessCounters> former = new ArrayList<>();
    private final Path masterFile;
    private ProcessCounters master;

    /**
     * Maps the files.
     *
     * @param ownerFiles of all owners.
     * @param masterFile of the master, or null if it is not known.
     * @throws IllegalStateException if one is no counters file.
     */
    public ClusterCounters(final List<Path> ownerFiles, final Path masterFile)
    {
        this.ownerFiles = List.copyOf(ownerFiles);
        for (final Path file : ownerFiles)
        {
            owners.add(ProcessCounters.map(file));
        }
        this.masterFile = masterFile;
        master = null == masterFile ? null : ProcessCounters.map(masterFile);
    }

    /** Maps the file of a master that was started again. */
    public void reopenMaster()
    {
        master.close();
        master = ProcessCounters.map(masterFile);
    }

    /**
     * Maps the file of an owner that was started again; what the process before it counted is kept.
     *
     * @param index of the owner.
     */
    public void reopenOwner(final int index)
    {
        former.add(owners.set(index, ProcessCounters.map(ownerFiles.get(index))));
    }

    /**
     * Number of owners.
     *
     * @return number of owners.
     */
    public int ownerCount()
    {
        return owners.size();
    }

    /**
     * Is the master known?
     *
     * @return true if it is.
     */
    public boolean hasMaster()
    {
        return null != master;
    }

    /**
     * A counter of one owner.
     *
     * @param index   of the owner.
     * @param counter of it.
     * @return the value.
     */
    public long owner(final int index, final OwnerCounter counter)
    {
        return owners.get(index).get(counter.typeId());
    }

    /**
     * Name of an owner.
     *
     * @param index of the owner.
     * @return the name.
     */
    public String ownerName(final int index)
    {
        return owners.get(index).view().name();
    }

    /**
     * A counter of all owners together.
     *
     * @param counter of them.
     * @return the sum.
     */
    public long owners(final OwnerCounter counter)
    {
        return owners.stream().mapToLong(owner -> owner.get(counter.typeId())).sum();
    }

    /**
     * A counter of all owners together, those that were killed included.
     *
     * @param counter of them.
     * @return the sum.
     */
    public long ownersEver(final OwnerCounter counter)
    {
        return owners(counter) + former.stream().mapToLong(owner -> owner.get(counter.typeId())).sum();
    }

    /**
     * A counter of the master.
     *
     * @param counter of it.
     * @return the value, 0 if the master is not known.
     */
    public long master(final MasterCounter counter)
    {
        return null == master ? 0 : master.get(counter.typeId());
    }

    /**
     * Entries in the logs of distinct errors of all processes.
     *
     * @return number of entries.
     */
    public long distinctErrors()
    {
        return owners.stream().mapToLong(ProcessCounters::distinctErrors).sum() +
            (null == master ? 0 : master.distinctErrors());
    }

    /**
     * Temporary state now; exact after an audit.
     *
     * @return the counts.
     */
    public Leftover leftover()
    {
        return leftover(this::owners);
    }

    /**
     * Temporary state now of all but one owner, whose process is gone.
     *
     * @param index of the owner.
     * @return the counts.
     */
    public Leftover leftoverWithout(final int index)
    {
        return leftover((counter) -> owners(counter) - owner(index, counter));
    }

    private Leftover leftover(final ToLongFunction<OwnerCounter> owners)
    {
        return new Leftover(
            owners.applyAsLong(OwnerCounter.SLOTS_PREPARED),
            owners.applyAsLong(OwnerCounter.SLOTS_PENDING) +
                owners.applyAsLong(OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE),
            owners.applyAsLong(OwnerCounter.SLOTS_QUARANTINED),
            owners.applyAsLong(OwnerCounter.FLIGHTS) + master(MasterCounter.GETS_IN_FLIGHT),
            owners.applyAsLong(OwnerCounter.READ_PLANS),
            owners.applyAsLong(OwnerCounter.PUT_PLANS) + owners.applyAsLong(OwnerCounter.PUBLISH_JOBS),
            owners.applyAsLong(OwnerCounter.HOLDINGS),
            owners.applyAsLong(OwnerCounter.RESERVATIONS) + master(MasterCounter.RESERVATIONS),
            master(MasterCounter.FENCES));
    }

    /**
     * The books of evictions now, and their times by the slowest owner.
     *
     * @return the counts of all owners together.
     */
    public LedgerResult ledger()
    {
        return new LedgerResult(
            owners(OwnerCounter.EVICT_SELECTED),
            owners(OwnerCounter.EVICT_IN_PROGRESS),
            owners(OwnerCounter.EVICT_IN_RETRY),
            owners(OwnerCounter.EVICT_FREED),
            owners(OwnerCounter.EVICT_RESTORED),
            owners(OwnerCounter.EVICT_OBSOLETE),
            highest(OwnerCounter.EVICT_FREE_P50_NS),
            highest(OwnerCounter.EVICT_FREE_P99_NS));
    }

    private long highest(final OwnerCounter counter)
    {
        return owners.stream().mapToLong(owner -> owner.get(counter.typeId())).max().orElse(0);
    }

    /**
     * What the memory of all owners holds now; exact after an audit. Values that are held at three owners count against
     * those that are held once.
     *
     * @param plan of the cluster.
     * @return the bytes.
     */
    public CapacityResult capacity(final ClusterPlan plan)
    {
        return new CapacityResult(
            plan.configuredBytes(),
            plan.usableSlotBytes(false),
            plan.usableSlotBytes(true),
            owners(OwnerCounter.BYTES_USED),
            Math.max(0, 2 * master(MasterCounter.ROUTES) - master(MasterCounter.REPLICAS)) * plan.slotBytes(),
            owners(OwnerCounter.BYTES_FREE));
    }

    /**
     * What has become of copies so far.
     *
     * @return the counts of all owners together, and of the master.
     */
    public ReplicaFigures replicas()
    {
        return ReplicaFigures.of(this::owners, this::master);
    }

    /**
     * Work between owners and master so far, of all owners together.
     *
     * @return the counts.
     */
    public ControlCounts control()
    {
        return new ControlCounts(
            ownersEver(OwnerCounter.BATCH_GET_STARTS),
            ownersEver(OwnerCounter.BATCH_GET_DONES),
            ownersEver(OwnerCounter.DESCRIPTORS),
            ownersEver(OwnerCounter.SUBMISSIONS),
            ownersEver(OwnerCounter.RETRIES));
    }

    /**
     * Lets all processes count anew, and waits until they have.
     *
     * @param timeoutNs longest wait.
     * @return true if all have; the counters are exact then.
     */
    public boolean audit(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final long[] before = new long[owners.size()];
        for (int i = 0; i < before.length; i++)
        {
            before[i] = owner(i, OwnerCounter.AUDITS);
            owners.get(i).requestAudit();
        }
        final long masterBefore = master(MasterCounter.AUDITS);
        final boolean isMasterAsked = null != master && master.requestAudit();
        while (!isAudited(before) || (isMasterAsked && master(MasterCounter.AUDITS) == masterBefore))
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                return false;
            }
            pause();
        }
        return true;
    }

    private boolean isAudited(final long[] before)
    {
        for (int i = 0; i < before.length; i++)
        {
            if (owner(i, OwnerCounter.AUDITS) == before[i])
            {
                return false;
            }
        }
        return true;
    }

    private static void pause()
    {
        try
        {
            MILLISECONDS.sleep(POLL_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }

    @Override
    public void close()
    {
        owners.forEach(ProcessCounters::close);
        former.forEach(ProcessCounters::close);
        if (null != master)
        {
            master.close();
        }
    }
}
