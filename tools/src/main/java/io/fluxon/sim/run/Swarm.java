package io.fluxon.sim.run;

import io.fluxon.engine.master.FetchedCopies;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.engine.owner.ReplicaSettings;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.CollidingKeyDigest;
import java.util.function.Supplier;

/**
 * Configuration of a run, drawn from its choices: everything is as small as it may be now and then, features are on or
 * off, and all times are a tenth of what they are in production, so that they pass.
 */
final class Swarm
{
    /** After this time nothing lives that ends by time, in nanoseconds. */
    static final long LONGEST_TTL_NS = 14_000_000_000L;

    private static final long SECOND_NS = 1_000_000_000L;
    private static final int PAGE = 4096;
    private static final long WINDOW_NS = 200_000;
    private static final int NARROW_QUEUE_BYTES = 4096;
    private static final int NARROW_CLIENT_BYTES = 4096;
    private static final int[] OWNERS = {1, 2, 3, 2, 3};
    private static final WindowPolicyKind[] POLICIES = WindowPolicyKind.values();
    private static final double HOT_RATIO = 0.98;
    private static final int MOST_JOBS = 1024;
    private static final long HIDDEN_WAIT_NS = 1_000_000;
    private static final long PRESSURE_NS = 20_000_000;
    private static final int MOST_REPLICA_TASKS = 64;
    private static final long REPLICA_TTL_NS = SECOND_NS;
    private static final long DEMOTION_NS = SECOND_NS / 10;
    private static final int SECTION_CHOICES = 8;
    private static final int MOST_OPERATIONS = 700;
    private static final double MOST_DELETES = 0.3;

    /** Shape of the cluster. */
    final ClusterOptions options = new ClusterOptions();
    /** Number of keys that workers use. */
    final int keys;
    /** Most keys of one call. */
    final int batchKeys;
    /** Calls that workers begin in the run. */
    final int operations;
    /** Longest time between two actions of a worker, in nanoseconds. */
    final long thinkNs;
    /** Greatest rate of any fault of a message or a piece of work. */
    final double faultRate;
    /** Share of steps in which a worker sends what no client sends. */
    final double rudeRate;
    /** Share of a worker's calls that delete. */
    final double deleteRate;
    /** Kinds of mishaps that happen, one bit each. */
    final int mishaps;
    /** Mean time between two mishaps, in nanoseconds. */
    final long mishapNs;

    /** Share of puts that wish replicas. */
    final double replicaRate;

    private final Choices.Stream choices;

    Swarm(final Choices choices)
    {
        this.choices = choices.stream("swarm");
        options.choices = choices;
        options.settles = this.choices.chance(0.5);
        options.owners = OWNERS[this.choices.below(OWNERS.length)];
        options.workers = Math.max(2, options.owners * (1 + this.choices.below(2)));
        options.maxMessageLength = this.choices.chance(0.3) ? 512 : 64 * 1024;
        keys = 2 + (int)this.choices.magnitude(1, 64);
        final int fewKeys = 1 + this.choices.below(8);
        operations = 1 + this.choices.below(MOST_OPERATIONS);
        thinkNs = 10_000_000 / this.choices.magnitude(1, 1_000);
        faultRate = this.choices.chance(0.85) ? 0.25 / this.choices.magnitude(1, 60) : 0;
        rudeRate = this.choices.rate(0.02);
        mishaps = this.choices.chance(0.85) ? this.choices.below(1 << Mishaps.KINDS) : 0;
        mishapNs = SECOND_NS / 2 / this.choices.magnitude(1, 100);
        memory();
        times();
        owners();
        limits();
        batchKeys = fewKeys * (this.choices.chance(0.1) ? 4 : 1);
        slicesAndQueues();
        evictions();
        replicaRate = replicas(choices.stream("replicas"));
        deleteRate = deletes(choices);
    }

    /** Some owners are only memory for the others; now and then nobody is, and no replica finds a target. */
    private double replicas(final Choices.Stream stream)
    {
        if (options.owners < 2 || !stream.chance(0.6))
        {
            return 0;
        }

        options.remoteOwners = stream.chance(0.1) ? 0 : 1 + stream.below(options.owners - 1);
        final int inflight = stream.chance(0.5) ? 1 + stream.below(4) : MOST_REPLICA_TASKS;
        final int queue = stream.chance(0.25) ? 1 + stream.below(3) : MOST_JOBS;
        final int pulls = stream.chance(0.25) ? 1 + stream.below(2) : MOST_REPLICA_TASKS;
        final int tasks = stream.chance(0.25) ? 1 + stream.below(3) : MOST_JOBS;
        final long demotionBoundNs = stream.chance(0.25) ? 0 : DEMOTION_NS >> stream.below(8);
        final long demotionBytes = PAGE * stream.magnitude(1, 1024);
        final Supplier<OwnerSettings> settings = options.ownerSettings;
        options.ownerSettings = () -> settings.get().replicas(new ReplicaSettings()
            .taskMaxInflight(inflight)
            .maxQueue(queue)
            .maxPulls(pulls)
            .demotionBoundNs(demotionBoundNs)
            .demotionLimitBytes(demotionBytes)
            .timeoutNs(REPLICA_TTL_NS + 2 * SECOND_NS));
        options.masterSettings = options.masterSettings.andThen((context) -> context
            .maxReplicaTasks(tasks)
            .replicaTaskTtlNs(REPLICA_TTL_NS)
            .replicaRampNs(SECOND_NS));

        final double rate = stream.chance(0.5) ? 1 : 0.5;
        final FetchedCopies fetchedCopies = stream.chance(0.3) ? FetchedCopies.KEPT : FetchedCopies.GIVEN_UP;
        options.masterSettings = options.masterSettings.andThen((context) -> context.fetchedCopies(fetchedCopies));

        return rate;
    }

    /** Half of the runs delete, some a lot. Of a stream of its own, so that runs from before are the same. */
    private static double deletes(final Choices choices)
    {
        final Choices.Stream stream = choices.stream("deletes");
        return stream.chance(0.5) ? MOST_DELETES / stream.magnitude(1, 16) : 0;
    }

    /** Windows far smaller than their grants evict all the time; headroom has values go before anybody waits. */
    private void evictions()
    {
        choices.align(SECTION_CHOICES);
        final WindowPolicyKind policy = POLICIES[choices.below(POLICIES.length)];
        final double ratio = choices.chance(0.5) ? HOT_RATIO : HOT_RATIO / choices.magnitude(1, 20);
        final long headroomBytes = choices.chance(0.3) ? PAGE * choices.magnitude(1, 16) : 0;
        final int jobs = choices.chance(0.25) ? 1 + choices.below(3) : MOST_JOBS;
        final long hiddenWaitNs = choices.chance(0.25) ? 0 : HIDDEN_WAIT_NS << choices.below(4);
        final Supplier<OwnerSettings> settings = options.ownerSettings;
        options.ownerSettings = () -> settings.get()
            .hotWindowPolicy(policy)
            .hotCapacityRatio(ratio)
            .pressureHeadroomBytes(headroomBytes)
            .pressureIntervalNs(PRESSURE_NS)
            .maxEvictionJobs(jobs)
            .hiddenWaitNs(hiddenWaitNs);
    }

    /** A master that takes few keys at a time has many operations under way; short queues are soon full. */
    private void slicesAndQueues()
    {
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.5))
        {
            final int keysOfSlice = 1 + choices.below(4);
            options.masterSettings = options.masterSettings.andThen((context) -> context.sliceKeys(keysOfSlice));
        }
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.25))
        {
            final Supplier<OwnerSettings> settings = options.ownerSettings;
            options.ownerSettings = () -> settings.get()
                .maxQueuedBytesPerSession(NARROW_QUEUE_BYTES)
                .maxQueuedBytesMaster(NARROW_QUEUE_BYTES);
        }
    }

    private void memory()
    {
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.3))
        {
            options.grantQuantumBytes = PAGE << choices.below(3);
            options.grantsPerOwner = 1 + choices.below(4);
        }
        else
        {
            options.grantsPerOwner = 2 + choices.below(8);
        }
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.15) && options.grantsPerOwner > 1)
        {
            options.expectedValueLength = choices.chance(0.5) ? WorkerLoad.LARGE : WorkerLoad.SMALL;
            options.expectedGrants = 1 + choices.below(options.grantsPerOwner - 1);
        }
        if (choices.chance(0.25))
        {
            final int digests = 1 + choices.below(4);
            options.digest = () -> new CollidingKeyDigest(digests);
        }
    }

    private void times()
    {
        options.reserveHardTimeoutNs = 3 * SECOND_NS;
        options.ownerLivenessTimeoutNs = SECOND_NS;
        options.inflightTtlNs = 6 * SECOND_NS;
        options.masterSettings = (context) -> context.heartbeatIntervalNs(SECOND_NS / 10);
        options.workerSettings = (context) -> context
            .putTimeoutNs(4 * SECOND_NS)
            .getTimeoutNs(SECOND_NS)
            .answerGraceNs(SECOND_NS / 20)
            .connectTimeoutNs(2 * SECOND_NS)
            .resumeTimeoutNs(3 * SECOND_NS)
            .retryNs(SECOND_NS / 40)
            .maxRetryNs(SECOND_NS / 5);
    }

    private void owners()
    {
        choices.align(SECTION_CHOICES);
        final int slice = 1 + choices.below(8);
        final int reportKeys = 1 + choices.below(8);
        final boolean isNarrow = choices.chance(0.25);
        final int width = 1 + choices.below(2);
        final long window = choices.chance(0.5) ? WINDOW_NS << choices.below(8) : choices.chance(0.25) ? 0 : WINDOW_NS;
        options.ownerSettings = () -> settings(slice, reportKeys, isNarrow ? width : 0).startWindowNs(window);
    }

    private static OwnerSettings settings(final int slice, final int reportKeys, final int width)
    {
        final OwnerSettings settings = new OwnerSettings()
            .planSliceKeys(slice)
            .reportKeys(reportKeys)
            .sessionTimeoutNs(SECOND_NS)
            .keepAliveNs(SECOND_NS / 10)
            .handleTtlNs(6 * SECOND_NS)
            .getTimeoutNs(SECOND_NS / 2);
        return 0 == width ? settings : settings
            .maxQueuedBytesPerSession(NARROW_QUEUE_BYTES)
            .maxQueuedBytesMaster(NARROW_QUEUE_BYTES)
            .workerMessageLimit(width)
            .masterMessageLimit(width)
            .completionLimit(width)
            .jobStepLimit(width)
            .publishLimit(width)
            .maxPublishKeys(8 * width)
            .maxRunnableJobs(2 * width)
            .maxOutstandingPerSession(2 * width)
            .maxRequestsPerSession(96 * width)
            .maxPlansPerSession(2 * width)
            .maxHoldingsPerSession(8 * width);
    }

    private void limits()
    {
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.25))
        {
            options.maxWaitingClaims = 1 + choices.below(4);
        }
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.25))
        {
            options.masterSettings = options.masterSettings.andThen((context) -> context
                .messageLimit(1)
                .sliceKeys(1)
                .maxQueuedOperations(1)
                .maxReservations(8));
        }
        if (choices.chance(0.25))
        {
            options.workerSettings = options.workerSettings.andThen((context) -> context
                .pollLimit(1)
                .maxOutstanding(3)
                .maxUnpublished(2)
                .maxReads(2)
                .releaseBatch(2));
        }
        choices.align(SECTION_CHOICES);
        if (choices.chance(0.15))
        {
            options.workerSettings = options.workerSettings.andThen((context) -> context
                .maxQueuedBytes(NARROW_CLIENT_BYTES));
        }
    }
}
