package io.fluxon.tools.cluster;

import static java.util.Locale.ROOT;

import io.fluxon.engine.master.FetchedCopies;

import org.agrona.BitUtil;

/**
 * How large a cluster must be so that nothing a run needs is ever without room.
 *
 * @param gpuOwners     number of owners that serve workers.
 * @param cacheOwners   number of owners that are memory for the others.
 * @param slotBytes     of a page: its length, rounded up to 4 KiB.
 * @param quantumBytes  length of a grant.
 * @param capacityBytes of each gpu owner, a multiple of the quantum.
 * @param cacheCapacityBytes of each remote_cache owner, a multiple of the quantum.
 * @param maxKeys       most keys that have a route.
 * @param delayMasterMs that every message to and from the master is delayed.
 * @param livenessMs    silence after which a worker counts as hung at its owner, and an owner as lost at the master.
 * @param clientLivenessMs of the clients of the owners' media drivers, 0 = that of the configuration's default.
 * @param imageLivenessMs  of the channels between owners and master, 0 = that of the configuration's default.
 * @param getTimeoutMs     longest wait of a read, 0 = that of the configuration's default.
 * @param isPreallocated   true if owners touch all their memory before they are ready.
 * @param isDemoting       true if gpu owners have what they evict copied to remote_cache owners first.
 * @param fetchedCopies    what becomes of the copies of remote_cache owners that gpu owners have brought to themselves.
 * @param hotRatio         part of a class's grants that hot windows may fill, 0 = that of the configuration's default.
 */
public record ClusterPlan(
    int gpuOwners,
    int cacheOwners,
    long slotBytes,
    long quantumBytes,
    long capacityBytes,
    long cacheCapacityBytes,
    long maxKeys,
    int delayMasterMs,
    int livenessMs,
    int clientLivenessMs,
    int imageLivenessMs,
    int getTimeoutMs,
    boolean isPreallocated,
    boolean isDemoting,
    FetchedCopies fetchedCopies,
    double hotRatio)
{
    /** Largest page. */
    public static final int MAX_PAGE_BYTES = 512 << 20;

    /** Part of the capacity that values may fill before some are evicted. */
    private static final long HOT_PERCENT = 98;
    private static final int LIVENESS_MS = 10_000;
    private static final long SLOT_ALIGNMENT = 4096;
    private static final long MIN_QUANTUM_BYTES = 4L << 20;
    private static final long MAX_QUANTUM_BYTES = 512L << 20;
    private static final long GRANTS_OF_CAPACITY = 16;
    private static final long SLOTS_OF_SMALL_GRANT = 4;
    private static final long OVERHEAD_BYTES_OF_PROCESS = 48L << 20;
    private static final double GIBIBYTE = 1L << 30;

    /**
     * Plans a cluster.
     *
     * @param gpuOwners      number of owners that serve workers, greater than 0.
     * @param cacheOwners    number of owners that are memory for the others.
     * @param pageBytes      length of every page.
     * @param pagesOfOwner   most pages that a gpu owner holds; none of them is evicted.
     * @param pagesOfCluster most different pages.
     * @param delayMasterMs  that every message to and from the master is delayed.
     * @return the plan.
     */
    public static ClusterPlan of(
        final int gpuOwners,
        final int cacheOwners,
        final int pageBytes,
        final long pagesOfOwner,
        final long pagesOfCluster,
        final int delayMasterMs)
    {
        final long slotBytes = BitUtil.align((long) pageBytes, SLOT_ALIGNMENT);
        final long needBytes = pagesOfOwner * slotBytes;
        final long wishBytes = BitUtil.findNextPositivePowerOfTwo(
            Math.max(needBytes / GRANTS_OF_CAPACITY, SLOTS_OF_SMALL_GRANT * slotBytes));
        final long quantumBytes = Math.clamp(wishBytes, MIN_QUANTUM_BYTES, MAX_QUANTUM_BYTES);
        final long pagesOfGrant = quantumBytes / slotBytes;
        final long grants = Math.ceilDiv(pagesOfOwner * 100, pagesOfGrant * HOT_PERCENT);
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, grants * quantumBytes, quantumBytes,
            Math.max(pagesOfCluster, 1), delayMasterMs, LIVENESS_MS, 0, 0, 0, false, true,
            FetchedCopies.GIVEN_UP, 0);
    }

    /**
     * Plans a cluster whose memory is given, so that a run can fill it.
     *
     * @param gpuOwners          number of owners that serve workers, greater than 0.
     * @param cacheOwners        number of owners that are memory for the others.
     * @param pageBytes          length of every page, at most the quantum.
     * @param capacityBytes      of each gpu owner, a multiple of the quantum.
     * @param cacheCapacityBytes of each remote_cache owner, a multiple of the quantum.
     * @param quantumBytes       length of a grant.
     * @param isPreallocated     true if owners touch all their memory before they are ready.
     * @return the plan.
     */
    public static ClusterPlan ofMemory(
        final int gpuOwners,
        final int cacheOwners,
        final int pageBytes,
        final long capacityBytes,
        final long cacheCapacityBytes,
        final long quantumBytes,
        final boolean isPreallocated)
    {
        final long slotBytes = BitUtil.align((long) pageBytes, SLOT_ALIGNMENT);
        final long allBytes = gpuOwners * capacityBytes + cacheOwners * cacheCapacityBytes;
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            Math.max(allBytes / slotBytes, 1), 0, LIVENESS_MS, 0, 0, 0, isPreallocated, true,
            FetchedCopies.GIVEN_UP, 0);
    }

    /**
     * The same with another liveness timeout.
     *
     * @param newLivenessMs of workers and owners.
     * @return the plan.
     */
    public ClusterPlan withLivenessMs(final int newLivenessMs)
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, newLivenessMs, clientLivenessMs, imageLivenessMs, getTimeoutMs, isPreallocated,
            isDemoting, fetchedCopies, hotRatio);
    }

    /**
     * The same with another liveness timeout of the owners' media drivers.
     *
     * @param newClientLivenessMs of their clients, 0 = that of the configuration's default.
     * @return the plan.
     */
    public ClusterPlan withClientLivenessMs(final int newClientLivenessMs)
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, livenessMs, newClientLivenessMs, imageLivenessMs, getTimeoutMs, isPreallocated,
            isDemoting, fetchedCopies, hotRatio);
    }

    /**
     * The same with other times in which a network that is lost is noticed.
     *
     * @param newImageLivenessMs of the channels between owners and master.
     * @param newGetTimeoutMs    longest wait of a read.
     * @return the plan.
     */
    public ClusterPlan withNetworkTimes(final int newImageLivenessMs, final int newGetTimeoutMs)
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, livenessMs, clientLivenessMs, newImageLivenessMs, newGetTimeoutMs, isPreallocated,
            isDemoting, fetchedCopies, hotRatio);
    }

    /**
     * The same without copies of what gpu owners evict.
     *
     * @return the plan.
     */
    public ClusterPlan withoutDemotion()
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, livenessMs, clientLivenessMs, imageLivenessMs, getTimeoutMs, isPreallocated,
            false, fetchedCopies, hotRatio);
    }

    /**
     * The same with another end of copies that gpu owners have brought to themselves.
     *
     * @param newFetchedCopies what becomes of them.
     * @return the plan.
     */
    public ClusterPlan withFetchedCopies(final FetchedCopies newFetchedCopies)
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, livenessMs, clientLivenessMs, imageLivenessMs, getTimeoutMs, isPreallocated,
            isDemoting, newFetchedCopies, hotRatio);
    }

    /**
     * The same with other hot windows.
     *
     * @param newHotRatio part of a slot class's grants that they may fill, above 0 and below 1.
     * @return the plan.
     */
    public ClusterPlan withHotRatio(final double newHotRatio)
    {
        return new ClusterPlan(gpuOwners, cacheOwners, slotBytes, quantumBytes, capacityBytes, cacheCapacityBytes,
            maxKeys, delayMasterMs, livenessMs, clientLivenessMs, imageLivenessMs, getTimeoutMs, isPreallocated,
            isDemoting, fetchedCopies, newHotRatio);
    }

    /**
     * Bytes of memory that the cluster may come to use.
     *
     * @return number of bytes.
     */
    public long totalBytes()
    {
        return gpuOwners * capacityBytes + cacheOwners * cacheCapacityBytes +
            (gpuOwners + cacheOwners + 1) * OVERHEAD_BYTES_OF_PROCESS;
    }

    /**
     * Bytes that slots of the page's size can have: those of all owners, or of the gpu owners alone.
     *
     * @param isGpuOnly true for the gpu owners alone.
     * @return number of bytes; what is left of a grant behind its last slot does not count.
     */
    public long usableSlotBytes(final boolean isGpuOnly)
    {
        final long grants = gpuOwners * (capacityBytes / quantumBytes) +
            (isGpuOnly ? 0 : cacheOwners * (cacheCapacityBytes / quantumBytes));
        return grants * (quantumBytes / slotBytes) * slotBytes;
    }

    /**
     * Bytes of all owners' grants.
     *
     * @return number of bytes.
     */
    public long configuredBytes()
    {
        return gpuOwners * capacityBytes + cacheOwners * cacheCapacityBytes;
    }

    /**
     * Checks that there is room.
     *
     * @param directory where the cluster is to be.
     * @throws ClusterException that says what is missing if there is not.
     */
    public void checkRoom(final WorkDirectory directory)
    {
        checkRoom(directory, "use smaller pages (--page-bytes) or fewer requests (--requests)");
    }

    /**
     * Checks that there is room.
     *
     * @param directory where the cluster is to be.
     * @param advice    for the user.
     * @throws ClusterException that says what is missing if there is not.
     */
    public void checkRoom(final WorkDirectory directory, final String advice)
    {
        final long usableBytes = directory.usableBytes();
        if (totalBytes() > usableBytes)
        {
            throw new ClusterException(String.format(ROOT,
                "the run needs %.2f GiB in %s, which has %.2f GiB left: %s",
                totalBytes() / GIBIBYTE, directory.path().getParent(), usableBytes / GIBIBYTE, advice));
        }
    }
}
