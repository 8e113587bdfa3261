package io.fluxon.sim.run;

import io.fluxon.sim.cluster.CollidingKeyDigest;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.Random;

/**
 * Shapes of clusters for random runs: everything as small as it may be now and then, and all times a tenth of what they
 * are in production, so that they pass.
 */
final class RandomOptions
{
    /** After this time nothing lives that ends by time. */
    static final long LONGEST_TTL_NS = 14_000_000_000L;

    private static final long SECOND_NS = 1_000_000_000L;
    private static final int PAGE = 4096;

    private RandomOptions()
    {
    }

    static ClusterOptions of(final long seed, final Random random)
    {
        final ClusterOptions options = new ClusterOptions();
        options.seed = seed;
        options.owners = 1 + random.nextInt(3);
        options.workers = options.owners * (1 + random.nextInt(2));
        options.maxMessageLength = random.nextBoolean() ? 64 * 1024 : 512;
        if (0 == random.nextInt(4))
        {
            options.grantQuantumBytes = 2 * PAGE;
            options.grantsPerOwner = 1 + random.nextInt(2);
        }
        else
        {
            options.grantsPerOwner = 2 + random.nextInt(8);
        }
        if (0 == random.nextInt(4))
        {
            options.digest = () -> new CollidingKeyDigest(3);
        }
        times(options);
        final int slice = 1 + random.nextInt(8);
        final boolean isNarrow = 0 == random.nextInt(4);
        options.ownerSettings = () -> settings(slice, isNarrow);
        if (isNarrow)
        {
            narrow(options);
        }
        return options;
    }

    private static void times(final ClusterOptions options)
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

    private static OwnerSettings settings(final int slice, final boolean isNarrow)
    {
        final OwnerSettings settings = new OwnerSettings()
            .planSliceKeys(slice)
            .sessionTimeoutNs(SECOND_NS)
            .keepAliveNs(SECOND_NS / 10)
            .handleTtlNs(6 * SECOND_NS)
            .getTimeoutNs(SECOND_NS / 2);
        return !isNarrow ? settings : settings
            .workerMessageLimit(1)
            .masterMessageLimit(1)
            .completionLimit(1)
            .jobStepLimit(1)
            .publishLimit(1)
            .maxPublishKeys(8)
            .maxRunnableJobs(2)
            .maxOutstandingPerSession(2)
            .maxPlansPerSession(2)
            .maxHoldingsPerSession(8);
    }

    private static void narrow(final ClusterOptions options)
    {
        options.maxWaitingClaims = 2;
        options.masterSettings = options.masterSettings.andThen((context) -> context
            .messageLimit(1)
            .sliceKeys(1)
            .maxQueuedOperations(1)
            .maxReservations(8));
        options.workerSettings = options.workerSettings.andThen((context) -> context
            .pollLimit(1)
            .maxOutstanding(3)
            .maxUnpublished(2)
            .maxReads(2)
            .releaseBatch(2));
    }
}
