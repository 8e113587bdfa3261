package io.fluxon.engine.owner;

import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.window.WindowPolicyKind;

import java.util.Objects;

/**
 * Times and bounds of an {@link OwnerAgent} (contract BOUND-1). Times are nanoseconds.
 */
public final class OwnerSettings
{
    private long sessionTimeoutNs = 10_000_000_000L;
    private long keepAliveNs = 1_000_000_000L;
    private long handleTtlNs = 60_000_000_000L;
    private long getTimeoutNs = 5_000_000_000L;
    private long claimSoftTimeoutNs = 10_000_000L;
    private long startWindowNs = 200_000L;
    private long hiddenWaitNs = 10_000_000L;
    private long pressureIntervalNs = 200_000_000L;
    private long pressureLimitBytes = 256L << 20;
    private long pressureHeadroomBytes;
    private double hotCapacityRatio = 0.98;
    private WindowPolicyKind hotWindowPolicy = WindowPolicyKind.FLUXON;
    private int maxEvictionJobs = 1024;
    private int planSliceKeys = 64;
    private int cycleKeys = 1024;
    private int maxSessions = 64;
    private int maxOutstandingPerSession = 256;
    private int maxRequestsPerSession;
    private int maxPlansPerSession = 4096;
    private int maxHoldingsPerSession = 1 << 20;
    private int reportKeys = 512;
    private int maxKeysPerBatch = Limits.MAX_KEYS_PER_BATCH;
    private int maxQueuedBytesPerSession = 16 * 1024 * 1024;
    private int maxQueuedBytesMaster = 32 * 1024 * 1024;
    private int publishLimit = 65_536;
    private int maxPublishKeys = 1 << 24;
    private int workerMessageLimit = 8;
    private int masterMessageLimit = 8;
    private int completionLimit = 64;
    private int jobStepLimit = 16;
    private int maxRunnableJobs = 4096;
    private ReplicaSettings replicas = new ReplicaSettings();

    /**
     * Validates the settings.
     *
     * @return this.
     */
    public OwnerSettings conclude()
    {
        checkPositive("sessionTimeoutNs", sessionTimeoutNs);
        checkPositive("keepAliveNs", keepAliveNs);
        checkPositive("handleTtlNs", handleTtlNs);
        checkPositive("getTimeoutNs", getTimeoutNs);
        checkPositive("claimSoftTimeoutNs", claimSoftTimeoutNs);
        checkNotNegative("startWindowNs", startWindowNs);
        checkEviction();
        replicas.conclude();
        checkPositive("planSliceKeys", planSliceKeys);
        checkPositive("reportKeys", reportKeys);
        checkPositive("cycleKeys", cycleKeys);
        checkPositive("maxSessions", maxSessions);
        checkPositive("maxOutstandingPerSession", maxOutstandingPerSession);
        checkPositive("maxRequestsPerSession", maxRequestsPerSession());
        checkPositive("maxPlansPerSession", maxPlansPerSession);
        checkPositive("maxHoldingsPerSession", maxHoldingsPerSession);
        checkPositive("maxKeysPerBatch", maxKeysPerBatch);
        checkPositive("maxQueuedBytesPerSession", maxQueuedBytesPerSession);
        checkPositive("maxQueuedBytesMaster", maxQueuedBytesMaster);
        checkPositive("publishLimit", publishLimit);
        checkPositive("maxPublishKeys", maxPublishKeys);
        checkPositive("workerMessageLimit", workerMessageLimit);
        checkPositive("masterMessageLimit", masterMessageLimit);
        checkPositive("completionLimit", completionLimit);
        checkPositive("jobStepLimit", jobStepLimit);
        checkPositive("maxRunnableJobs", maxRunnableJobs);
        if (reportKeys > Limits.MAX_KEYS_PER_BATCH)
        {
            throw new IllegalArgumentException("reportKeys " + reportKeys + " is more than " +
                Limits.MAX_KEYS_PER_BATCH);
        }
        if (maxKeysPerBatch > Limits.MAX_KEYS_PER_BATCH)
        {
            throw new IllegalArgumentException("maxKeysPerBatch " + maxKeysPerBatch + " is more than " +
                Limits.MAX_KEYS_PER_BATCH);
        }

        return this;
    }

    /**
     * Sets: how long a read waits for a key that an eviction has hidden (contract GET-4).
     *
     * @param hiddenWaitNs 0 or more.
     * @return this.
     */
    public OwnerSettings hiddenWaitNs(final long hiddenWaitNs)
    {
        this.hiddenWaitNs = hiddenWaitNs;
        return this;
    }

    /**
     * Gets: how long a read waits for a key that an eviction has hidden (contract GET-4).
     *
     * @return 0 or more.
     */
    public long hiddenWaitNs()
    {
        return hiddenWaitNs;
    }

    /**
     * Sets: shortest time between two pressure steps (contract PRESS-1).
     *
     * @param pressureIntervalNs more than 0.
     * @return this.
     */
    public OwnerSettings pressureIntervalNs(final long pressureIntervalNs)
    {
        this.pressureIntervalNs = pressureIntervalNs;
        return this;
    }

    /**
     * Gets: shortest time between two pressure steps (contract PRESS-1).
     *
     * @return more than 0.
     */
    public long pressureIntervalNs()
    {
        return pressureIntervalNs;
    }

    /**
     * Sets: slot bytes that one pressure step selects, as far as cohorts allow (contract PRESS-1).
     *
     * @param pressureLimitBytes more than 0.
     * @return this.
     */
    public OwnerSettings pressureLimitBytes(final long pressureLimitBytes)
    {
        this.pressureLimitBytes = pressureLimitBytes;
        return this;
    }

    /**
     * Gets: slot bytes that one pressure step selects, as far as cohorts allow (contract PRESS-1).
     *
     * @return more than 0.
     */
    public long pressureLimitBytes()
    {
        return pressureLimitBytes;
    }

    /**
     * Sets: slot bytes of each class that the pressure step keeps free (contract PRESS-1).
     *
     * @param pressureHeadroomBytes 0 or more.
     * @return this.
     */
    public OwnerSettings pressureHeadroomBytes(final long pressureHeadroomBytes)
    {
        this.pressureHeadroomBytes = pressureHeadroomBytes;
        return this;
    }

    /**
     * Gets: slot bytes of each class that the pressure step keeps free (contract PRESS-1).
     *
     * @return 0 or more.
     */
    public long pressureHeadroomBytes()
    {
        return pressureHeadroomBytes;
    }

    /**
     * Sets: part of the bytes of a class's grants that its hot window may fill (contract HOT-1).
     *
     * @param hotCapacityRatio above 0 and below 1.
     * @return this.
     */
    public OwnerSettings hotCapacityRatio(final double hotCapacityRatio)
    {
        this.hotCapacityRatio = hotCapacityRatio;
        return this;
    }

    /**
     * Gets: part of the bytes of a class's grants that its hot window may fill (contract HOT-1).
     *
     * @return above 0 and below 1.
     */
    public double hotCapacityRatio()
    {
        return hotCapacityRatio;
    }

    /**
     * Sets: which value of a hot window goes first (contract HOT-1).
     *
     * @param hotWindowPolicy not null.
     * @return this.
     */
    public OwnerSettings hotWindowPolicy(final WindowPolicyKind hotWindowPolicy)
    {
        this.hotWindowPolicy = hotWindowPolicy;
        return this;
    }

    /**
     * Gets: which value of a hot window goes first (contract HOT-1).
     *
     * @return not null.
     */
    public WindowPolicyKind hotWindowPolicy()
    {
        return hotWindowPolicy;
    }

    /**
     * Sets: cohorts that are being evicted at once (contract BOUND-1).
     *
     * @param maxEvictionJobs more than 0.
     * @return this.
     */
    public OwnerSettings maxEvictionJobs(final int maxEvictionJobs)
    {
        this.maxEvictionJobs = maxEvictionJobs;
        return this;
    }

    /**
     * Gets: cohorts that are being evicted at once (contract BOUND-1).
     *
     * @return more than 0.
     */
    public int maxEvictionJobs()
    {
        return maxEvictionJobs;
    }

    /**
     * Sets: values of one part of a report to a new master (contract LIFE-4).
     *
     * @param reportKeys more than 0, at most 8192.
     * @return this.
     */
    public OwnerSettings reportKeys(final int reportKeys)
    {
        this.reportKeys = reportKeys;
        return this;
    }

    /**
     * Gets: values of one part of a report to a new master (contract LIFE-4).
     *
     * @return more than 0.
     */
    public int reportKeys()
    {
        return reportKeys;
    }

    /**
     * Sets: how long a session may be silent, in the owner's own running time (contract LIFE-2).
     *
     * @param sessionTimeoutNs more than 0.
     * @return this.
     */
    public OwnerSettings sessionTimeoutNs(final long sessionTimeoutNs)
    {
        this.sessionTimeoutNs = sessionTimeoutNs;
        return this;
    }

    /**
     * Gets: how long a session may be silent, in the owner's own running time (contract LIFE-2).
     *
     * @return more than 0.
     */
    public long sessionTimeoutNs()
    {
        return sessionTimeoutNs;
    }

    /**
     * Sets: interval of keep-alives, both ways.
     *
     * @param keepAliveNs more than 0.
     * @return this.
     */
    public OwnerSettings keepAliveNs(final long keepAliveNs)
    {
        this.keepAliveNs = keepAliveNs;
        return this;
    }

    /**
     * Gets: interval of keep-alives, both ways.
     *
     * @return more than 0.
     */
    public long keepAliveNs()
    {
        return keepAliveNs;
    }

    /**
     * Sets: how long a handle lives unconsumed (contract GET-3).
     *
     * @param handleTtlNs more than 0.
     * @return this.
     */
    public OwnerSettings handleTtlNs(final long handleTtlNs)
    {
        this.handleTtlNs = handleTtlNs;
        return this;
    }

    /**
     * Gets: how long a handle lives unconsumed (contract GET-3).
     *
     * @return more than 0.
     */
    public long handleTtlNs()
    {
        return handleTtlNs;
    }

    /**
     * Sets: how long a batch get start waits for the master, at most.
     *
     * @param getTimeoutNs more than 0.
     * @return this.
     */
    public OwnerSettings getTimeoutNs(final long getTimeoutNs)
    {
        this.getTimeoutNs = getTimeoutNs;
        return this;
    }

    /**
     * Gets: how long a batch get start waits for the master, at most.
     *
     * @return more than 0.
     */
    public long getTimeoutNs()
    {
        return getTimeoutNs;
    }

    /**
     * Sets: how long leaders wait at most for those of other reads while a batch get start is in flight (contract G9).
     *
     * @param startWindowNs at least 0: they do not wait.
     * @return this.
     */
    public OwnerSettings startWindowNs(final long startWindowNs)
    {
        this.startWindowNs = startWindowNs;
        return this;
    }

    /**
     * Gets: how long leaders wait at most for those of other reads while a batch get start is in flight (contract G9).
     *
     * @return at least 0.
     */
    public long startWindowNs()
    {
        return startWindowNs;
    }

    /**
     * Sets: how long one get waits for slots, all its keys together (contract SLOT-4).
     *
     * @param claimSoftTimeoutNs more than 0.
     * @return this.
     */
    public OwnerSettings claimSoftTimeoutNs(final long claimSoftTimeoutNs)
    {
        this.claimSoftTimeoutNs = claimSoftTimeoutNs;
        return this;
    }

    /**
     * Gets: how long one get waits for slots, all its keys together (contract SLOT-4).
     *
     * @return more than 0.
     */
    public long claimSoftTimeoutNs()
    {
        return claimSoftTimeoutNs;
    }

    /**
     * Sets: keys that all of one duty cycle touches (contract G10); the step that reaches it is the last.
     *
     * @param cycleKeys more than 0.
     * @return this.
     */
    public OwnerSettings cycleKeys(final int cycleKeys)
    {
        this.cycleKeys = cycleKeys;
        return this;
    }

    /**
     * Gets: keys that all of one duty cycle touches (contract G10).
     *
     * @return more than 0.
     */
    public int cycleKeys()
    {
        return cycleKeys;
    }

    /**
     * Sets: keys of one job step (contract G10).
     *
     * @param planSliceKeys more than 0.
     * @return this.
     */
    public OwnerSettings planSliceKeys(final int planSliceKeys)
    {
        this.planSliceKeys = planSliceKeys;
        return this;
    }

    /**
     * Gets: keys of one job step (contract G10).
     *
     * @return more than 0.
     */
    public int planSliceKeys()
    {
        return planSliceKeys;
    }

    /**
     * Sets: sessions at a time; the plan arena is split by it.
     *
     * @param maxSessions more than 0.
     * @return this.
     */
    public OwnerSettings maxSessions(final int maxSessions)
    {
        this.maxSessions = maxSessions;
        return this;
    }

    /**
     * Gets: sessions at a time; the plan arena is split by it.
     *
     * @return more than 0.
     */
    public int maxSessions()
    {
        return maxSessions;
    }

    /**
     * Sets: requests of a session that are not yet answered.
     *
     * @param maxOutstandingPerSession more than 0.
     * @return this.
     */
    public OwnerSettings maxOutstandingPerSession(final int maxOutstandingPerSession)
    {
        this.maxOutstandingPerSession = maxOutstandingPerSession;
        return this;
    }

    /**
     * Gets: requests of a session that are not yet answered.
     *
     * @return more than 0.
     */
    public int maxOutstandingPerSession()
    {
        return maxOutstandingPerSession;
    }

    /**
     * Sets: requests of a session, without commits, whose outcome is kept, because they are under way or the worker has
     * not said that it has the answer; the last quarter is for requests that end what others began.
     *
     * @param maxRequestsPerSession more than 0; 0 = as {@link #maxOutstandingPerSession()} asks for.
     * @return this.
     */
    public OwnerSettings maxRequestsPerSession(final int maxRequestsPerSession)
    {
        this.maxRequestsPerSession = maxRequestsPerSession;
        return this;
    }

    /**
     * Gets: requests of a session, without commits, whose outcome is kept. By default 4 times the sum of
     * {@link #maxOutstandingPerSession()} and the 256 that a worker can list as unanswered.
     *
     * @return more than 0.
     */
    public int maxRequestsPerSession()
    {
        return 0 == maxRequestsPerSession ? RequestLog.capacity(maxOutstandingPerSession) : maxRequestsPerSession;
    }

    /**
     * Gets: commits of a session whose outcome is kept: {@link #publishLimit()}, so many may wait for the master
     * (contract P1), and as many more as other requests.
     *
     * @return more than 0.
     */
    public int maxCommitsPerSession()
    {
        return publishLimit + maxRequestsPerSession();
    }

    /**
     * Sets: put plans and handles of a session, each.
     *
     * @param maxPlansPerSession more than 0.
     * @return this.
     */
    public OwnerSettings maxPlansPerSession(final int maxPlansPerSession)
    {
        this.maxPlansPerSession = maxPlansPerSession;
        return this;
    }

    /**
     * Gets: put plans and handles of a session, each.
     *
     * @return more than 0.
     */
    public int maxPlansPerSession()
    {
        return maxPlansPerSession;
    }

    /**
     * Sets: holdings of a session.
     *
     * @param maxHoldingsPerSession more than 0.
     * @return this.
     */
    public OwnerSettings maxHoldingsPerSession(final int maxHoldingsPerSession)
    {
        this.maxHoldingsPerSession = maxHoldingsPerSession;
        return this;
    }

    /**
     * Gets: holdings of a session.
     *
     * @return more than 0.
     */
    public int maxHoldingsPerSession()
    {
        return maxHoldingsPerSession;
    }

    /**
     * Sets: keys of one batch.
     *
     * @param maxKeysPerBatch more than 0.
     * @return this.
     */
    public OwnerSettings maxKeysPerBatch(final int maxKeysPerBatch)
    {
        this.maxKeysPerBatch = maxKeysPerBatch;
        return this;
    }

    /**
     * Gets: keys of one batch.
     *
     * @return more than 0.
     */
    public int maxKeysPerBatch()
    {
        return maxKeysPerBatch;
    }

    /**
     * Sets: bytes of answers that wait for a worker.
     *
     * @param maxQueuedBytesPerSession more than 0.
     * @return this.
     */
    public OwnerSettings maxQueuedBytesPerSession(final int maxQueuedBytesPerSession)
    {
        this.maxQueuedBytesPerSession = maxQueuedBytesPerSession;
        return this;
    }

    /**
     * Gets: bytes of answers that wait for a worker.
     *
     * @return more than 0.
     */
    public int maxQueuedBytesPerSession()
    {
        return maxQueuedBytesPerSession;
    }

    /**
     * Sets: bytes of messages that wait for the master.
     *
     * @param maxQueuedBytesMaster more than 0.
     * @return this.
     */
    public OwnerSettings maxQueuedBytesMaster(final int maxQueuedBytesMaster)
    {
        this.maxQueuedBytesMaster = maxQueuedBytesMaster;
        return this;
    }

    /**
     * Gets: bytes of messages that wait for the master.
     *
     * @return more than 0.
     */
    public int maxQueuedBytesMaster()
    {
        return maxQueuedBytesMaster;
    }

    /**
     * Sets: keys whose publish is asked and not answered (contract P1); further jobs wait.
     *
     * @param publishLimit more than 0.
     * @return this.
     */
    public OwnerSettings publishLimit(final int publishLimit)
    {
        this.publishLimit = publishLimit;
        return this;
    }

    /**
     * Gets: keys whose publish is asked and not answered (contract P1); further jobs wait.
     *
     * @return more than 0.
     */
    public int publishLimit()
    {
        return publishLimit;
    }

    /**
     * Sets: keys of all publish jobs; at the bound put starts are refused (contract BOUND-1).
     *
     * @param maxPublishKeys more than 0.
     * @return this.
     */
    public OwnerSettings maxPublishKeys(final int maxPublishKeys)
    {
        this.maxPublishKeys = maxPublishKeys;
        return this;
    }

    /**
     * Gets: keys of all publish jobs; at the bound put starts are refused (contract BOUND-1).
     *
     * @return more than 0.
     */
    public int maxPublishKeys()
    {
        return maxPublishKeys;
    }

    /**
     * Sets: messages of workers read in one duty cycle.
     *
     * @param workerMessageLimit more than 0.
     * @return this.
     */
    public OwnerSettings workerMessageLimit(final int workerMessageLimit)
    {
        this.workerMessageLimit = workerMessageLimit;
        return this;
    }

    /**
     * Gets: messages of workers read in one duty cycle.
     *
     * @return more than 0.
     */
    public int workerMessageLimit()
    {
        return workerMessageLimit;
    }

    /**
     * Sets: messages of the master read in one duty cycle.
     *
     * @param masterMessageLimit more than 0.
     * @return this.
     */
    public OwnerSettings masterMessageLimit(final int masterMessageLimit)
    {
        this.masterMessageLimit = masterMessageLimit;
        return this;
    }

    /**
     * Gets: messages of the master read in one duty cycle.
     *
     * @return more than 0.
     */
    public int masterMessageLimit()
    {
        return masterMessageLimit;
    }

    /**
     * Sets: completions of each boundary queue read in one duty cycle.
     *
     * @param completionLimit more than 0.
     * @return this.
     */
    public OwnerSettings completionLimit(final int completionLimit)
    {
        this.completionLimit = completionLimit;
        return this;
    }

    /**
     * Gets: completions of each boundary queue read in one duty cycle.
     *
     * @return more than 0.
     */
    public int completionLimit()
    {
        return completionLimit;
    }

    /**
     * Sets: job steps of one duty cycle.
     *
     * @param jobStepLimit more than 0.
     * @return this.
     */
    public OwnerSettings jobStepLimit(final int jobStepLimit)
    {
        this.jobStepLimit = jobStepLimit;
        return this;
    }

    /**
     * Gets: job steps of one duty cycle.
     *
     * @return more than 0.
     */
    public int jobStepLimit()
    {
        return jobStepLimit;
    }

    /**
     * Sets: runnable jobs above which no further worker message is read.
     *
     * @param maxRunnableJobs more than 0.
     * @return this.
     */
    public OwnerSettings maxRunnableJobs(final int maxRunnableJobs)
    {
        this.maxRunnableJobs = maxRunnableJobs;
        return this;
    }

    /**
     * Gets: runnable jobs above which no further worker message is read.
     *
     * @return more than 0.
     */
    public int maxRunnableJobs()
    {
        return maxRunnableJobs;
    }

    /**
     * Sets: copies at remote_cache owners.
     *
     * @param replicas their times and bounds.
     * @return this.
     */
    public OwnerSettings replicas(final ReplicaSettings replicas)
    {
        this.replicas = replicas;
        return this;
    }

    /**
     * Gets: copies at remote_cache owners.
     *
     * @return their times and bounds.
     */
    public ReplicaSettings replicas()
    {
        return replicas;
    }

    private void checkEviction()
    {
        checkNotNegative("hiddenWaitNs", hiddenWaitNs);
        checkPositive("pressureIntervalNs", pressureIntervalNs);
        checkPositive("pressureLimitBytes", pressureLimitBytes);
        checkNotNegative("pressureHeadroomBytes", pressureHeadroomBytes);
        checkPositive("maxEvictionJobs", maxEvictionJobs);
        Objects.requireNonNull(hotWindowPolicy, "hotWindowPolicy");
        if (!(hotCapacityRatio > 0 && hotCapacityRatio < 1))
        {
            throw new IllegalArgumentException("hotCapacityRatio " + hotCapacityRatio + " is not above 0 and below 1");
        }
    }

    private static void checkNotNegative(final String name, final long value)
    {
        if (value < 0)
        {
            throw new IllegalArgumentException(name + " " + value + " is less than 0");
        }
    }

    private static void checkPositive(final String name, final long value)
    {
        if (value <= 0)
        {
            throw new IllegalArgumentException(name + " must be more than 0: " + value);
        }
    }
}
