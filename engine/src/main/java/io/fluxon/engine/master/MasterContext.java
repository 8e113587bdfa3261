package io.fluxon.engine.master;

import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.HugeMemory;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.concurrent.NanoClock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * All that a {@link MasterAgent} is given: its boundary and its settings. {@link #conclude()} validates once.
 */
public final class MasterContext
{
    private long epoch;
    private NanoClock nanoClock;
    private MessageSource source;
    private OwnerChannels ownerChannels;
    private MasterCounters counters;
    private KeyDigest keyDigest;
    private PageSource pages = HugeMemory.INSTANCE;
    private long heartbeatIntervalNs = SECONDS.toNanos(1);
    private long livenessTimeoutNs = SECONDS.toNanos(10);
    private long inflightTtlNs = SECONDS.toNanos(60);
    private long tombstoneTtlNs = SECONDS.toNanos(600);
    private int maxTombstones = 1 << 16;
    private int maxOwners = 64;
    private long maxRoutes = 1_000_000;
    private long maxReplicas;
    private int maxInflightGets = 1 << 18;
    private int maxReservations = 1 << 19;
    private int maxKeysPerBatch = 8192;
    private int maxKeyBytes = 512;
    private long maxValueBytes = 512L << 20;
    private int maxMessageBytes = 8 << 20;
    private int maxOpenOperations = Limits.MAX_OPEN_OPERATIONS;
    private int maxQueuedOperations = 4096;
    private long operationPoolBytes = 128L << 20;
    private long outcomePoolBytes = 512L << 20;
    private int maxQueuedBytes = 16 << 20;
    private int sliceKeys = 256;
    private int messageLimit = 32;
    private int maxReplicaTasks = 4096;
    private long replicaTaskTtlNs = SECONDS.toNanos(10);
    private long replicaRampNs = SECONDS.toNanos(60);
    private FetchedCopies fetchedCopies = FetchedCopies.GIVEN_UP;

    /**
     * Checks the settings and fills in what was not given.
     *
     * @return this.
     * @throws IllegalStateException that names the setting which is missing or wrong.
     */
    public MasterContext conclude()
    {
        given("nanoClock", nanoClock);
        given("source", source);
        given("ownerChannels", ownerChannels);
        given("counters", counters);
        given("pages", pages);
        if (null == keyDigest)
        {
            keyDigest = new Xx128KeyDigest(epoch);
        }

        if (0 == maxReplicas)
        {
            maxReplicas = 2 * maxRoutes;
        }

        within("epoch", epoch, 1, Long.MAX_VALUE);
        within("heartbeatIntervalNs", heartbeatIntervalNs, MILLISECONDS.toNanos(1), SECONDS.toNanos(3600));
        within("livenessTimeoutNs", livenessTimeoutNs, 2 * heartbeatIntervalNs, SECONDS.toNanos(7200));
        within("inflightTtlNs", inflightTtlNs, MILLISECONDS.toNanos(1), SECONDS.toNanos(86_400));
        within("tombstoneTtlNs", tombstoneTtlNs, MILLISECONDS.toNanos(1), SECONDS.toNanos(86_400));
        within("maxTombstones", maxTombstones, 1, 1 << 24);
        within("maxOwners", maxOwners, 1, 4096);
        within("maxRoutes", maxRoutes, 1, 1L << 28);
        within("maxReplicas", maxReplicas, maxRoutes, 1L << 30);
        within("maxInflightGets", maxInflightGets, maxKeysPerBatch, 1 << 24);
        within("maxReservations", maxReservations, 1, 1 << 24);
        within("maxKeysPerBatch", maxKeysPerBatch, 1, 65_534);
        within("maxKeyBytes", maxKeyBytes, 1, 512);
        within("maxValueBytes", maxValueBytes, 1, Integer.MAX_VALUE);
        within("maxMessageBytes", maxMessageBytes, 4096, 64 << 20);
        within("maxOpenOperations", maxOpenOperations, 1, Limits.MAX_OPEN_OPERATIONS);
        within("maxQueuedOperations", maxQueuedOperations, 1, Limits.MAX_OPEN_OPERATIONS);
        within("operationPoolBytes", operationPoolBytes, 2L * maxMessageBytes, 1L << 40);
        within("outcomePoolBytes", outcomePoolBytes, 2L * maxMessageBytes, 1L << 40);
        within("maxQueuedBytes", maxQueuedBytes, maxMessageBytes, 256 << 20);
        within("sliceKeys", sliceKeys, 1, 1 << 16);
        within("messageLimit", messageLimit, 1, 1 << 16);
        within("maxReplicaTasks", maxReplicaTasks, 1, 1 << 16);
        within("replicaTaskTtlNs", replicaTaskTtlNs, MILLISECONDS.toNanos(1), SECONDS.toNanos(3600));
        within("replicaRampNs", replicaRampNs, 0, SECONDS.toNanos(86_400));

        return this;
    }

    /**
     * Number of the master's incarnation, greater at each start.
     *
     * @param epoch at least 1.
     * @return this.
     */
    public MasterContext epoch(final long epoch)
    {
        this.epoch = epoch;
        return this;
    }

    /**
     * Number of the master's incarnation.
     *
     * @return the epoch.
     */
    public long epoch()
    {
        return epoch;
    }

    /**
     * Most replica tasks under way at once (contract REPL-1).
     *
     * @param maxReplicaTasks default 4,096.
     * @return this.
     */
    public MasterContext maxReplicaTasks(final int maxReplicaTasks)
    {
        this.maxReplicaTasks = maxReplicaTasks;
        return this;
    }

    /**
     * Most replica tasks under way at once (contract REPL-1).
     *
     * @return the bound.
     */
    public int maxReplicaTasks()
    {
        return maxReplicaTasks;
    }

    /**
     * How long a target has for a replica task.
     *
     * @param replicaTaskTtlNs nanoseconds, default 10 s.
     * @return this.
     */
    public MasterContext replicaTaskTtlNs(final long replicaTaskTtlNs)
    {
        this.replicaTaskTtlNs = replicaTaskTtlNs;
        return this;
    }

    /**
     * How long a target has for a replica task.
     *
     * @return nanoseconds.
     */
    public long replicaTaskTtlNs()
    {
        return replicaTaskTtlNs;
    }

    /**
     * Time in which an owner that has just joined comes to its full share of replicas (contract REPL-4).
     *
     * @param replicaRampNs nanoseconds, default 60 s; 0 = at once.
     * @return this.
     */
    public MasterContext replicaRampNs(final long replicaRampNs)
    {
        this.replicaRampNs = replicaRampNs;
        return this;
    }

    /**
     * Time in which an owner that has just joined comes to its full share of replicas (contract REPL-4).
     *
     * @return nanoseconds.
     */
    public long replicaRampNs()
    {
        return replicaRampNs;
    }

    /**
     * What becomes of the remote copy of a value that a gpu owner has brought to itself (contract REPL-3).
     *
     * @param fetchedCopies default {@link FetchedCopies#GIVEN_UP}.
     * @return this.
     */
    public MasterContext fetchedCopies(final FetchedCopies fetchedCopies)
    {
        this.fetchedCopies = fetchedCopies;
        return this;
    }

    /**
     * What becomes of the remote copy of a value that a gpu owner has brought to itself (contract REPL-3).
     *
     * @return what.
     */
    public FetchedCopies fetchedCopies()
    {
        return fetchedCopies;
    }

    /**
     * Clock, read once in each duty cycle.
     *
     * @param nanoClock monotonic.
     * @return this.
     */
    public MasterContext nanoClock(final NanoClock nanoClock)
    {
        this.nanoClock = nanoClock;
        return this;
    }

    /**
     * Clock, read once in each duty cycle.
     *
     * @return the clock.
     */
    public NanoClock nanoClock()
    {
        return nanoClock;
    }

    /**
     * Where large tables get their memory from.
     *
     * @param pages the kernel, when it is not given.
     * @return this.
     */
    public MasterContext pages(final PageSource pages)
    {
        this.pages = pages;
        return this;
    }

    /**
     * Where large tables get their memory from.
     *
     * @return source of huge pages.
     */
    public PageSource pages()
    {
        return pages;
    }

    /**
     * Where the owners' messages come from.
     *
     * @param source of messages; long ones come in parts.
     * @return this.
     */
    public MasterContext source(final MessageSource source)
    {
        this.source = source;
        return this;
    }

    /**
     * Where the owners' messages come from.
     *
     * @return the source.
     */
    public MessageSource source()
    {
        return source;
    }

    /**
     * How owners are answered.
     *
     * @param ownerChannels opens the channel to an owner.
     * @return this.
     */
    public MasterContext ownerChannels(final OwnerChannels ownerChannels)
    {
        this.ownerChannels = ownerChannels;
        return this;
    }

    /**
     * How owners are answered.
     *
     * @return opens the channel to an owner.
     */
    public OwnerChannels ownerChannels()
    {
        return ownerChannels;
    }

    /**
     * Counters.
     *
     * @param counters of this master.
     * @return this.
     */
    public MasterContext counters(final MasterCounters counters)
    {
        this.counters = counters;
        return this;
    }

    /**
     * Counters.
     *
     * @return the counters of this master.
     */
    public MasterCounters counters()
    {
        return counters;
    }

    /**
     * Digest of keys; a seeded XXH3 when not given.
     *
     * @param keyDigest that only the master's thread uses.
     * @return this.
     */
    public MasterContext keyDigest(final KeyDigest keyDigest)
    {
        this.keyDigest = keyDigest;
        return this;
    }

    /**
     * Digest of keys.
     *
     * @return the digest.
     */
    public KeyDigest keyDigest()
    {
        return keyDigest;
    }

    /**
     * How often owners are to send a heartbeat.
     *
     * @param heartbeatIntervalNs nanoseconds, default 1 s.
     * @return this.
     */
    public MasterContext heartbeatIntervalNs(final long heartbeatIntervalNs)
    {
        this.heartbeatIntervalNs = heartbeatIntervalNs;
        return this;
    }

    /**
     * How often owners are to send a heartbeat.
     *
     * @return nanoseconds.
     */
    public long heartbeatIntervalNs()
    {
        return heartbeatIntervalNs;
    }

    /**
     * Silence after which an owner is lost, in the master's own running time (contract LIFE-2).
     *
     * @param livenessTimeoutNs nanoseconds, default 10 s, at least two heartbeats.
     * @return this.
     */
    public MasterContext livenessTimeoutNs(final long livenessTimeoutNs)
    {
        this.livenessTimeoutNs = livenessTimeoutNs;
        return this;
    }

    /**
     * Silence after which an owner is lost.
     *
     * @return nanoseconds.
     */
    public long livenessTimeoutNs()
    {
        return livenessTimeoutNs;
    }

    /**
     * Life of a started get and of a reservation that nothing follows (contract T1), in the master's own running time.
     *
     * @param inflightTtlNs nanoseconds, default 60 s.
     * @return this.
     */
    public MasterContext inflightTtlNs(final long inflightTtlNs)
    {
        this.inflightTtlNs = inflightTtlNs;
        return this;
    }

    /**
     * Life of a started get and of a reservation.
     *
     * @return nanoseconds.
     */
    public long inflightTtlNs()
    {
        return inflightTtlNs;
    }

    /**
     * How long a deleted put id cannot return (contract LIFE-4), in running time of the master.
     *
     * @param tombstoneTtlNs 1 ms to 86,400 s; 10 minutes by default.
     * @return this.
     */
    public MasterContext tombstoneTtlNs(final long tombstoneTtlNs)
    {
        this.tombstoneTtlNs = tombstoneTtlNs;
        return this;
    }

    /**
     * How long a deleted put id cannot return.
     *
     * @return time in nanoseconds.
     */
    public long tombstoneTtlNs()
    {
        return tombstoneTtlNs;
    }

    /**
     * Most deleted put ids that are remembered; at the bound the oldest is forgotten (contract BOUND-1).
     *
     * @param maxTombstones 1 to 16,777,216; 65,536 by default.
     * @return this.
     */
    public MasterContext maxTombstones(final int maxTombstones)
    {
        this.maxTombstones = maxTombstones;
        return this;
    }

    /**
     * Most deleted put ids that are remembered.
     *
     * @return number of put ids.
     */
    public int maxTombstones()
    {
        return maxTombstones;
    }

    /**
     * Most owners that are registered at once. When all are live, another is refused.
     *
     * @param maxOwners default 64.
     * @return this.
     */
    public MasterContext maxOwners(final int maxOwners)
    {
        this.maxOwners = maxOwners;
        return this;
    }

    /**
     * Most owners that are registered at once.
     *
     * @return number of owners.
     */
    public int maxOwners()
    {
        return maxOwners;
    }

    /**
     * Most keys that have a route. At the bound a publish of a new key is refused with NO_SPACE.
     *
     * @param maxRoutes default 1,000,000.
     * @return this.
     */
    public MasterContext maxRoutes(final long maxRoutes)
    {
        this.maxRoutes = maxRoutes;
        return this;
    }

    /**
     * Most keys that have a route.
     *
     * @return number of keys.
     */
    public long maxRoutes()
    {
        return maxRoutes;
    }

    /**
     * Most replicas of all routes. At the bound a publish is refused with NO_SPACE, a get-done is stale.
     *
     * @param maxReplicas default twice the routes.
     * @return this.
     */
    public MasterContext maxReplicas(final long maxReplicas)
    {
        this.maxReplicas = maxReplicas;
        return this;
    }

    /**
     * Most replicas of all routes.
     *
     * @return number of replicas.
     */
    public long maxReplicas()
    {
        return maxReplicas;
    }

    /**
     * Most gets in flight. At the bound a get start is refused with BACK_PRESSURED.
     *
     * @param maxInflightGets default 262,144, at least one batch.
     * @return this.
     */
    public MasterContext maxInflightGets(final int maxInflightGets)
    {
        this.maxInflightGets = maxInflightGets;
        return this;
    }

    /**
     * Most gets in flight.
     *
     * @return number of gets.
     */
    public int maxInflightGets()
    {
        return maxInflightGets;
    }

    /**
     * Most reserved keys. At the bound a key is answered BACK_PRESSURED and not reserved, which only blunts the reject
     * flags of others.
     *
     * @param maxReservations default 524,288.
     * @return this.
     */
    public MasterContext maxReservations(final int maxReservations)
    {
        this.maxReservations = maxReservations;
        return this;
    }

    /**
     * Most reserved keys.
     *
     * @return number of keys.
     */
    public int maxReservations()
    {
        return maxReservations;
    }

    /**
     * Most keys of one message; a longer batch is refused with INVALID_ARGUMENT.
     *
     * @param maxKeysPerBatch default 8,192.
     * @return this.
     */
    public MasterContext maxKeysPerBatch(final int maxKeysPerBatch)
    {
        this.maxKeysPerBatch = maxKeysPerBatch;
        return this;
    }

    /**
     * Most keys of one message.
     *
     * @return number of keys.
     */
    public int maxKeysPerBatch()
    {
        return maxKeysPerBatch;
    }

    /**
     * Longest key in bytes.
     *
     * @return bytes.
     */
    public int maxKeyBytes()
    {
        return maxKeyBytes;
    }

    /**
     * Longest value in bytes.
     *
     * @return bytes.
     */
    public long maxValueBytes()
    {
        return maxValueBytes;
    }

    /**
     * Longest message, put together from its parts.
     *
     * @return bytes.
     */
    public int maxMessageBytes()
    {
        return maxMessageBytes;
    }

    /**
     * Most operations of one owner above its acknowledged watermark (contract T1); more are refused with
     * BACK_PRESSURED.
     *
     * @param maxOpenOperations default 65,536.
     * @return this.
     */
    public MasterContext maxOpenOperations(final int maxOpenOperations)
    {
        this.maxOpenOperations = maxOpenOperations;
        return this;
    }

    /**
     * Most operations of one owner above its acknowledged watermark.
     *
     * @return number of operations.
     */
    public int maxOpenOperations()
    {
        return maxOpenOperations;
    }

    /**
     * Most operations of one owner that wait for their turn; more are refused with BACK_PRESSURED.
     *
     * @param maxQueuedOperations default 4,096.
     * @return this.
     */
    public MasterContext maxQueuedOperations(final int maxQueuedOperations)
    {
        this.maxQueuedOperations = maxQueuedOperations;
        return this;
    }

    /**
     * Most operations of one owner that wait for their turn.
     *
     * @return number of operations.
     */
    public int maxQueuedOperations()
    {
        return maxQueuedOperations;
    }

    /**
     * Most bytes of operations that wait for their turn; more are refused with BACK_PRESSURED.
     *
     * @param operationPoolBytes default 128 MiB.
     * @return this.
     */
    public MasterContext operationPoolBytes(final long operationPoolBytes)
    {
        this.operationPoolBytes = operationPoolBytes;
        return this;
    }

    /**
     * Most bytes of operations that wait for their turn.
     *
     * @return bytes.
     */
    public long operationPoolBytes()
    {
        return operationPoolBytes;
    }

    /**
     * Most bytes of recorded outcomes; more operations are refused with BACK_PRESSURED.
     *
     * @param outcomePoolBytes default 512 MiB.
     * @return this.
     */
    public MasterContext outcomePoolBytes(final long outcomePoolBytes)
    {
        this.outcomePoolBytes = outcomePoolBytes;
        return this;
    }

    /**
     * Most bytes of recorded outcomes.
     *
     * @return bytes.
     */
    public long outcomePoolBytes()
    {
        return outcomePoolBytes;
    }

    /**
     * Most bytes that wait for one owner's channel; an answer that does not fit is dropped, the owner asks again.
     *
     * @param maxQueuedBytes default 16 MiB, at least the longest message.
     * @return this.
     */
    public MasterContext maxQueuedBytes(final int maxQueuedBytes)
    {
        this.maxQueuedBytes = maxQueuedBytes;
        return this;
    }

    /**
     * Most bytes that wait for one owner's channel.
     *
     * @return bytes.
     */
    public int maxQueuedBytes()
    {
        return maxQueuedBytes;
    }

    /**
     * Keys of one owner's operations that are worked on before others have their turn (contract G10); a duty cycle
     * works on twice as many in all.
     *
     * @param sliceKeys default 256.
     * @return this.
     */
    public MasterContext sliceKeys(final int sliceKeys)
    {
        this.sliceKeys = sliceKeys;
        return this;
    }

    /**
     * Keys of one owner's operations that are worked on before others have their turn.
     *
     * @return number of keys.
     */
    public int sliceKeys()
    {
        return sliceKeys;
    }

    /**
     * Messages taken in one duty cycle.
     *
     * @param messageLimit default 32.
     * @return this.
     */
    public MasterContext messageLimit(final int messageLimit)
    {
        this.messageLimit = messageLimit;
        return this;
    }

    /**
     * Messages taken in one duty cycle.
     *
     * @return number of messages.
     */
    public int messageLimit()
    {
        return messageLimit;
    }

    private static void given(final String name, final Object value)
    {
        if (null == value)
        {
            throw new IllegalStateException(name + " is not given");
        }
    }

    private static void within(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalStateException(name + ": " + value + " is not within " + min + " and " + max);
        }
    }
}
