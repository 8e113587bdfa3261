package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.testing.MessageMutator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mutated messages of workers and of the master among right ones, with sessions, plans, handles and fetches going on:
 * nothing fails, nothing is left, and the owner works on.
 */
class OwnerFuzzTest
{
    private static final int ROUNDS = 20;
    private static final int ALL_ROUNDS = 200;
    private static final int MUTANTS_OF_ROUND = 50_000;
    private static final int WORKERS = 4;
    private static final int SLOTS = 1024;
    /** So that fewer values are hot than there are keys, and puts evict. */
    private static final double HOT_RATIO = 0.3;
    private static final EvictResult[] EVICT_RESULTS = {EvictResult.REMOVED, EvictResult.BUSY, EvictResult.STALE};
    private static final int CHECK_INTERVAL = 32;
    private static final int AUDIT_INTERVAL = 16_384;
    private static final int STEPS_OF_REST = 7_500;
    private static final long STEP_OF_REST_NS = 20_000_000L;
    private static final long MAX_GROWTH_BYTES = 24L << 20;

    private static final OwnerCounter[] TEMPORARY = {
        OwnerCounter.SLOTS_PREPARED, OwnerCounter.SLOTS_PENDING, OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE,
        OwnerCounter.SLOTS_QUARANTINED, OwnerCounter.CLAIMS_WAITING, OwnerCounter.PUT_PLANS, OwnerCounter.READ_PLANS,
        OwnerCounter.HANDLES, OwnerCounter.HOLDINGS, OwnerCounter.FLIGHTS, OwnerCounter.RESERVATIONS,
        OwnerCounter.PUBLISH_JOBS, OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED, OwnerCounter.OPERATIONS_OPEN,
        OwnerCounter.SESSIONS, OwnerCounter.EVICTION_JOBS, OwnerCounter.EVICT_IN_PROGRESS,
        OwnerCounter.EVICT_IN_RETRY, OwnerCounter.HIDDEN_VALUES, OwnerCounter.REPLICA_JOBS,
        OwnerCounter.REPLICA_PULLS};

    private static final ReplicaResult[] REPLICA_RESULTS = {ReplicaResult.SCHEDULED, ReplicaResult.SATISFIED,
        ReplicaResult.NO_SPACE, ReplicaResult.OBSOLETE, ReplicaResult.BUSY};

    private final FuzzWorker[] workers = new FuzzWorker[WORKERS];
    private MessageMutator mutator;
    private SplittableRandom random;
    private OwnerFixture owner;
    private int nextStreamId;
    private int next;
    private long step;
    private long steps;
    private long mutants;
    private long malformed;
    private long puts;
    private long hits;
    private long fetches;
    private long evictions;

    @Test
    @Tag("BOUND-1")
    @Tag("API-1")
    void shouldSurviveMutatedMessagesOfWorkers()
    {
        fuzz("workers", true);
    }

    @Test
    @Tag("BOUND-1")
    @Tag("T1")
    void shouldSurviveMutatedMessagesOfTheMaster()
    {
        fuzz("master", false);
    }

    private void fuzz(final String name, final boolean isOfWorkers)
    {
        final long firstSeed = Long.getLong("fluxon.test.seed", 20_260_101);
        final int rounds = Boolean.getBoolean("fluxon.test.all") ? ALL_ROUNDS : ROUNDS;
        final long startNs = cpuNs();
        long usedBytes = 0;
        for (int round = 0; round < rounds; round++)
        {
            try
            {
                round(firstSeed + round, isOfWorkers);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dfluxon.test.seed=" + (firstSeed + round) + ", step " + step, ex);
            }
            usedBytes = 1 == round ? usedBytes() : usedBytes;
        }
        System.out.printf("fuzz, %s to owner: %,d mutants among %,d steps in %.1f s of processor time; " +
            "%,d malformed, %,d puts, %,d pages read, %,d fetched, %,d evicted%n",
            name, mutants, steps, (cpuNs() - startNs) / 1e9, malformed, puts, hits, fetches, evictions);

        assertThat(mutants).isGreaterThanOrEqualTo((long)rounds * MUTANTS_OF_ROUND);
        assertThat(malformed).isGreaterThan(mutants / 20);
        assertThat(puts).isGreaterThan(mutants / 200);
        assertThat(hits).isGreaterThan(mutants / 200);
        assertThat(fetches).isGreaterThan(mutants / 5_000);
        assertThat(evictions).isGreaterThan(mutants / 5_000);
        assertThat(usedBytes() - usedBytes).as("growth of the heap").isLessThan(MAX_GROWTH_BYTES);
    }

    private void round(final long seed, final boolean isOfWorkers)
    {
        mutator = new MessageMutator(
            seed, OwnerFixture.GENERATION, OwnerFixture.GRANTS_OFFSET, TestMaster.SOURCE_OWNER_ID);
        random = mutator.random();
        step = 0;
        nextStreamId = 1_001;
        Arrays.fill(workers, null);
        owner = new OwnerFixture(SLOTS, new OwnerSettings()
            .maxSessions(250).planSliceKeys(2).publishLimit(64).hotCapacityRatio(HOT_RATIO));
        try
        {
            for (int i = 0; i < FuzzWorker.keys(); i += 2)
            {
                owner.master.routes.add(FuzzWorker.name(i));
            }
            owner.transfers.isAutomatic = true;
            owner.isRefusalExpected = true;
            owner.master.join();
            while (mutator.mutants() < MUTANTS_OF_ROUND)
            {
                step(isOfWorkers ? owner.toOwner : null, isOfWorkers ? null : owner.masterToOwner);
            }
            steps += step;
            mutants += mutator.mutants();
            malformed += owner.count(OwnerCounter.MESSAGES_MALFORMED);
            puts += owner.count(OwnerCounter.PUT_PLANS_OPENED);
            hits += owner.count(OwnerCounter.HOLDINGS_OPENED);
            evictions += owner.count(OwnerCounter.EVICT_FREED);
            fetches += owner.count(OwnerCounter.FLIGHTS_READY);
            assertNothingIsLeft();
            assertWorks();
        }
        finally
        {
            owner.close();
        }
    }

    private void step(final Wire fromWorkers, final Wire fromMaster)
    {
        if (0 == step % CHECK_INTERVAL)
        {
            check();
        }
        step++;
        final FuzzWorker worker = workers[random.nextInt(WORKERS)];
        if (null == worker)
        {
            return;
        }
        worker.send();
        mutate(fromWorkers);
        owner.checksums.next = 0 == random.nextInt(16) ? 1 : OwnerFixture.RIGHT_CHECKSUM;
        owner.nowNs += random.nextInt(400_000);
        owner.agent.doWork();
        owner.agent.doWork();
        worker.readAnswers();
        answer(fromMaster);
        owner.agent.doWork();
        if (0 == step % AUDIT_INTERVAL)
        {
            owner.assertBalanced();
        }
    }

    /** The master answers most of what it is asked, some of it wrongly; what it does not answer comes again. */
    private void answer(final Wire fromMaster)
    {
        owner.master.epoch = masterEpoch();
        owner.master.doneCode = 0 == random.nextInt(8) ? 124 : 0;
        owner.master.publishCode = 0 == random.nextInt(8) ? -123 : 0;
        owner.master.evictResult = EVICT_RESULTS[Math.max(0, random.nextInt(12) - 9)];
        owner.master.pump();
        mutate(fromMaster);
        while (!owner.master.requests.isEmpty())
        {
            final TestMaster.Request request = owner.master.requests.pollFirst();
            if (0 != random.nextInt(16))
            {
                owner.master.answer(request);
                mutate(fromMaster);
            }
        }
        if (0 == random.nextInt(32))
        {
            sayOfReplicas();
            mutate(fromMaster);
        }
        if (0 == random.nextInt(64))
        {
            if (0 == random.nextInt(8))
            {
                owner.master.refuseSession();
            }
            else
            {
                owner.master.peerRole = random.nextBoolean() ? OwnerRole.REMOTE_CACHE : OwnerRole.GPU;
                owner.master.sendPeers(step, TestMaster.SOURCE_OWNER_ID, 11);
            }
            mutate(fromMaster);
        }
        if (null != fromMaster && mutator.hasMessages() && random.nextBoolean())
        {
            mutator.mutateRemembered(owner.agent.core().master.lastOperationId() - random.nextInt(8));
            fromMaster.put(mutator.mutant(), 0, mutator.length());
        }
    }

    /** Asks for copies of what may be here, being written or nowhere, and says that some have ended. */
    private void sayOfReplicas()
    {
        owner.master.replicaResult = REPLICA_RESULTS[random.nextInt(REPLICA_RESULTS.length)];
        if (random.nextBoolean())
        {
            owner.master.sendReplicaEnd(
                owner.agent.core().master.lastOperationId() - random.nextInt(8), 122 * random.nextInt(2));
        }
        else
        {
            final String[] keys = new String[1 + random.nextInt(4)];
            for (int i = 0; i < keys.length; i++)
            {
                keys[i] = FuzzWorker.name(random.nextInt(FuzzWorker.keys()));
            }
            owner.master.sendPull(1 + random.nextInt(100), 1 + random.nextInt(1 << 30), keys);
        }
    }

    /** Puts mutants of the message that was sent last before or behind it, or in its place. */
    private void mutate(final Wire wire)
    {
        if (null == wire || wire.messages.isEmpty())
        {
            return;
        }

        final UnsafeBuffer message = wire.messages.peekLast();
        mutator.mutate(message, 0, message.capacity());
        if (0 == random.nextInt(8))
        {
            wire.messages.pollLast();
        }
        else if (random.nextBoolean())
        {
            wire.messages.pollLast();
            wire.put(mutator.mutant(), 0, mutator.length());
            wire.messages.addLast(message);
            return;
        }
        wire.put(mutator.mutant(), 0, mutator.length());
    }

    /**
     * One worker after the other ends and comes again, since a mutant may have ended its session or used up its request
     * ids; sessions that a mutant began end.
     */
    private void check()
    {
        if (!owner.errors.isEmpty())
        {
            throw new AssertionError("errors: " + owner.errors.size(), owner.errors.getFirst());
        }

        final FuzzWorker former = workers[next];
        if (null != former && random.nextBoolean())
        {
            former.worker.close();
        }
        workers[next] = null;
        for (final long sessionId : owner.watch.watched)
        {
            if (!isOfWorker(sessionId))
            {
                owner.watch.die(sessionId);
            }
        }
        owner.run();
        workers[next] = new FuzzWorker(owner, TestWorker.connected(owner, nextStreamId++), random);
        next = (next + 1) % WORKERS;
        owner.sessions.keySet().removeIf((streamId) -> !isStreamOfWorker(streamId));
    }

    private boolean isOfWorker(final long sessionId)
    {
        for (final FuzzWorker worker : workers)
        {
            if (null != worker && worker.worker.sessionId == sessionId)
            {
                return true;
            }
        }
        return false;
    }

    private boolean isStreamOfWorker(final int streamId)
    {
        for (final FuzzWorker worker : workers)
        {
            if (null != worker && worker.worker.streamId() == streamId)
            {
                return true;
            }
        }
        return false;
    }

    /** A mutant may have told the owner of a later incarnation of the master: then the master is that one. */
    private long masterEpoch()
    {
        return Math.max(TestMaster.EPOCH, owner.agent.core().master.epoch());
    }

    private static long cpuNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long usedBytes()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void assertNothingIsLeft()
    {
        registerAnew();
        owner.watch.watched.forEach(owner.watch::die);
        owner.checksums.next = OwnerFixture.RIGHT_CHECKSUM;
        owner.master.doneCode = 0;
        owner.master.evictResult = EvictResult.REMOVED;
        for (int i = 0; i < STEPS_OF_REST; i++)
        {
            owner.nowNs += STEP_OF_REST_NS;
            owner.agent.doWork();
            owner.master.epoch = masterEpoch();
            owner.master.pump();
            while (!owner.master.requests.isEmpty())
            {
                owner.master.answer(owner.master.requests.pollFirst());
            }
        }
        owner.run();
        for (final OwnerCounter counter : TEMPORARY)
        {
            assertThat(owner.count(counter)).as(counter.name()).isZero();
        }
        assertThat(owner.count(OwnerCounter.EXCEPTIONS)).isZero();
        owner.assertBalanced();
        assertThat(owner.count(OwnerCounter.AUDIT_HOLDERS_HELD)).isEqualTo(owner.count(OwnerCounter.SLOTS_COMMITTED));
    }

    /** A mutant may have given the owner a session that the master does not know. */
    private void registerAnew()
    {
        final long sessionId = owner.master.sessionId;
        owner.master.epoch = masterEpoch();
        owner.master.sessionId = 0;
        owner.master.refuseSession();
        owner.master.sessionId = sessionId;
    }

    private void assertWorks()
    {
        final TestWorker worker = TestWorker.connected(owner, nextStreamId++);
        owner.master.publishCode = 0;
        worker.put("key after all that");
        worker.getStart(false, "key after all that");
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
    }
}
