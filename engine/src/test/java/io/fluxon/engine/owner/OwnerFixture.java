package io.fluxon.engine.owner;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.ChecksumQueue;
import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;
import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An owner agent with everything around it in memory, a clock moved by hand, and the far sides scripted by the test.
 */
final class OwnerFixture implements AutoCloseable
{
    static final int OWNER_ID = 7;
    static final long GENERATION = 1000;
    static final long GRANTS_OFFSET = 1 << 20;
    static final long RIGHT_CHECKSUM = 0x1234;

    final Arena arena = Arena.ofConfined();
    final Wire toOwner = new Wire();
    final Wire masterToOwner = new Wire();
    final Wire ownerToMaster = new Wire();
    final Int2ObjectHashMap<Wire> sessions = new Int2ObjectHashMap<>();
    final Transfers transfers = new Transfers();
    final Checksums checksums = new Checksums();
    final Watch watch = new Watch();
    final List<Throwable> errors = new ArrayList<>();
    final OwnerSettings settings;
    final OwnerCounters counters;
    final SlotPool pool;
    final KeyIndex localIndex;
    final KeyIndex committedIndex;
    final OwnerAgent agent;
    final TestMaster master;
    long nowNs = 1_000_000_000L;
    /** Workers that were made: no two number their requests alike. */
    int workers;
    boolean isRefusalExpected;

    OwnerFixture(final int slots)
    {
        this(slots, new OwnerSettings().maxSessions(4));
    }

    OwnerFixture(final int slots, final OwnerSettings settings)
    {
        this(slots, 1, settings);
    }

    OwnerFixture(final int slots, final int grants, final OwnerSettings settings)
    {
        this.settings = settings;
        final long quantum = 4096L * slots;
        final CapacityPlan plan = new CapacityPlan()
            .capacityBytes(grants * quantum).grantQuantumBytes(quantum).conclude();
        final SlotTable table = new SlotTable(
            arena.allocate(SlotTable.requiredLength(plan.grantCount(), quantum), 64), plan.grantCount(), quantum);
        pool = new SlotPool(table, plan, GRANTS_OFFSET);
        localIndex = new KeyIndex("local", table.capacity(), table.localChain());
        committedIndex = new KeyIndex("committed", table.capacity(), table.committedChain());
        counters = new OwnerCounters(new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 20)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 18)), StandardCharsets.US_ASCII));
        agent = new OwnerAgent(new OwnerContext()
            .ownerId(OWNER_ID)
            .generation(GENERATION)
            .segmentPath("/dev/shm/segment")
            .segmentLength(GRANTS_OFFSET + grants * quantum)
            .mapOffset(4096)
            .arenaOffset(4096)
            .arenaLength(GRANTS_OFFSET - 4096)
            .nanoClock(() -> nowNs)
            .errorHandler(this::onError)
            .workerSource(toOwner)
            .sessionChannels(this::openSession)
            .masterSource(masterToOwner)
            .masterChannel(ownerToMaster)
            .transferQueue(transfers)
            .checksumQueue(checksums)
            .processWatch(watch)
            .slotPool(pool)
            .claimQueue(new ClaimQueue(pool))
            .localIndex(localIndex)
            .committedIndex(committedIndex)
            .keyDigest(new Xx128KeyDigest())
            .counters(counters)
            .settings(settings)
            .conclude());
        master = new TestMaster(this);
    }

    /** Works until nothing is done any more, at one instant. */
    void run()
    {
        int idle = 0;
        for (int i = 0; i < 10_000 && idle < 3; i++)
        {
            idle = 0 == agent.doWork() ? idle + 1 : 0;
        }
        assertThat(errors).isEmpty();
    }

    /** Lets time pass in steps of a millisecond. */
    void pass(final long millis)
    {
        for (long i = 0; i < millis; i++)
        {
            nowNs += 1_000_000;
            agent.doWork();
        }
        run();
    }

    long count(final OwnerCounter counter)
    {
        return counters.get(counter);
    }

    /** Audits and asserts that every holder is accounted for. */
    void assertBalanced()
    {
        final long audits = count(OwnerCounter.AUDITS);
        agent.requestAudit();
        run();
        assertThat(count(OwnerCounter.AUDITS)).isEqualTo(audits + 1);
        assertThat(count(OwnerCounter.AUDIT_HOLDERS_FOUND)).isEqualTo(count(OwnerCounter.AUDIT_HOLDERS_HELD));
        assertThat(count(OwnerCounter.AUDIT_MISMATCHES)).isZero();
    }

    @Override
    public void close()
    {
        agent.onClose();
        localIndex.close();
        committedIndex.close();
        arena.close();
    }

    private void onError(final Throwable error)
    {
        if (!isRefusalExpected || !(error instanceof RegistrationRefusedException))
        {
            errors.add(error);
        }
    }

    private Wire openSession(final int streamId)
    {
        return sessions.computeIfAbsent(streamId, (id) -> new Wire());
    }

    /**
     * One descriptor as offered.
     */
    record Transfer(long token, int batch, int peerOwnerId, long remoteOffset, long localOffset, long length)
    {
    }

    /**
     * Transfers that the test completes.
     */
    static final class Transfers implements TransferQueue
    {
        final ArrayDeque<Transfer> offered = new ArrayDeque<>();
        final Map<Integer, ArrayDeque<Transfer>> gathering = new HashMap<>();
        final List<Integer> submissions = new ArrayList<>();
        final List<Integer> peers = new ArrayList<>();
        private final LongArrayQueue completions = new LongArrayQueue();
        boolean isFull;
        boolean isAutomatic;

        @Override
        public boolean offer(
            final long token,
            final int batch,
            final int peerOwnerId,
            final long peerGeneration,
            final long remoteOffset,
            final long localOffset,
            final long length)
        {
            if (isAutomatic)
            {
                completions.addLong(token);
                completions.addLong(0);
            }
            else if (!isFull)
            {
                final Transfer transfer =
                    new Transfer(token, batch, peerOwnerId, remoteOffset, localOffset, length);
                gathering.getOrDefault(batch, offered).addLast(transfer);
            }

            return !isFull;
        }

        @Override
        public boolean gather(final int batch, final int peerOwnerId, final long peerGeneration)
        {
            if (!isFull)
            {
                assertThat(gathering.put(batch, new ArrayDeque<>())).isNull();
            }
            return !isFull;
        }

        @Override
        public boolean submit(final int batch, final int peerOwnerId, final long peerGeneration)
        {
            if (!isFull)
            {
                final ArrayDeque<Transfer> gathered = gathering.remove(batch);
                submissions.add(gathered.size());
                offered.addAll(gathered);
            }
            return !isFull;
        }

        void complete(final int status)
        {
            completions.addLong(offered.pollFirst().token);
            completions.addLong(status);
        }

        void completeAll()
        {
            while (!offered.isEmpty())
            {
                complete(0);
            }
        }

        @Override
        public int poll(final TransferListener listener, final int limit)
        {
            int count = 0;
            while (count < limit && !completions.isEmpty())
            {
                final long token = completions.pollLong();
                listener.onTransferCompleted(token, (int)completions.pollLong());
                count++;
            }

            return count;
        }

        @Override
        public boolean peerAdded(
            final int ownerId,
            final long generation,
            final long segmentLength,
            final String path,
            final String transferAddress)
        {
            return peers.add(ownerId);
        }

        @Override
        public boolean peerRemoved(final int ownerId, final long generation)
        {
            return peers.remove((Integer)ownerId);
        }
    }

    /**
     * Checksums, complete at once unless held back.
     */
    static final class Checksums implements ChecksumQueue
    {
        final LongArrayQueue pending = new LongArrayQueue();
        boolean isHeld;
        long next = RIGHT_CHECKSUM;

        @Override
        public boolean offer(final long token, final long offset, final long length)
        {
            return pending.addLong(token);
        }

        @Override
        public int poll(final ChecksumListener listener, final int limit)
        {
            int count = 0;
            while (!isHeld && count < limit && !pending.isEmpty())
            {
                listener.onChecksumCompleted(pending.pollLong(), next);
                count++;
            }

            return count;
        }
    }

    /**
     * Processes that die when the test says so.
     */
    static final class Watch implements ProcessWatch
    {
        final List<Long> watched = new ArrayList<>();
        boolean isBlind;
        boolean isSlow;
        boolean isFull;
        private final ArrayDeque<Long> looks = new ArrayDeque<>();
        private final ArrayDeque<Long> gone = new ArrayDeque<>();

        void die(final long sessionId)
        {
            gone.add(sessionId);
        }

        @Override
        public boolean watch(final long sessionId, final long processId, final long startTime)
        {
            looks.add(sessionId);
            return watched.add(sessionId);
        }

        @Override
        public boolean unwatch(final long sessionId)
        {
            return !isFull && watched.remove(sessionId);
        }

        @Override
        public int poll(final ProcessListener listener, final int limit)
        {
            int count = 0;
            while (!isSlow && count < limit && !looks.isEmpty())
            {
                final long sessionId = looks.pollFirst();
                if (isBlind)
                {
                    watched.remove(sessionId);
                    listener.onProcessUnseen(sessionId);
                }
                else
                {
                    listener.onProcessSeen(sessionId);
                }
                count++;
            }
            while (count < limit && !gone.isEmpty())
            {
                listener.onProcessGone(gone.pollFirst());
                count++;
            }

            return count;
        }
    }
}
