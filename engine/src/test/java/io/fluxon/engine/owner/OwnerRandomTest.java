package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers that do anything in any order and die, transfers that fail, and a master whose messages are lost, repeated
 * and late: whatever happens, every holder is accounted for, and after the fault nothing temporary is left.
 */
class OwnerRandomTest
{
    private static final int STEPS = 3_000;
    private static final int SLOTS = 1024;
    private static final int PRESSED_SLOTS = 24;
    private static final int KEYS = 24;
    private static final int STEPS_PER_NEW_KEY = 4;
    private static final int WORKERS = 3;

    private Random random;
    private OwnerFixture owner;
    private LossyMaster master;
    private final List<Actor> actors = new ArrayList<>();
    private int nextStreamId = 1001;
    private int firstKey;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @Tag("API-9")
    @Tag("T1")
    @Tag("T2")
    @Tag("S2")
    void shouldAccountForEveryHolderWhateverHappens(final long seed)
    {
        random = new Random(seed);
        owner = new OwnerFixture(
            0 == seed % 4 ? PRESSED_SLOTS : SLOTS,
            new OwnerSettings().maxSessions(8).planSliceKeys(1 + (int)(seed % 7)).publishLimit(20));
        try
        {
            master = new LossyMaster(owner, random);
            for (int i = 0; i < STEPS / STEPS_PER_NEW_KEY + KEYS; i++)
            {
                if (random.nextInt(3) > 0)
                {
                    master.remoteKeys.add("k" + i);
                }
            }
            settle(20);
            for (int i = 0; i < WORKERS; i++)
            {
                actors.add(new Actor());
            }

            for (int i = 0; i < STEPS; i++)
            {
                firstKey = i / STEPS_PER_NEW_KEY;
                act();
                if (0 == i % 100)
                {
                    owner.assertBalanced();
                }
            }
            heal();
        }
        finally
        {
            owner.close();
        }
    }

    private void act()
    {
        final int index = random.nextInt(actors.size());
        final Actor actor = actors.get(index);
        actor.readAnswers();
        switch (random.nextInt(20))
        {
            case 0, 1, 2 -> actor.putStart();
            case 3, 4, 5 -> actor.commit();
            case 6 -> actor.abort();
            case 7, 8, 9 -> actor.getStart();
            case 10, 11 -> actor.getTransfer();
            case 12 -> actor.cancel();
            case 13 -> actor.release();
            case 14 -> master.isLossy = random.nextInt(4) > 0;
            case 15 -> completeTransfers();
            case 16 -> owner.checksums.isHeld = random.nextInt(3) == 0;
            case 17 -> owner.transfers.isFull = random.nextInt(3) == 0;
            case 18 ->
            {
                if (0 == random.nextInt(10))
                {
                    disturb(index);
                }
            }
            default -> owner.nowNs += random.nextInt(60) * 1_000_000L;
        }
        owner.checksums.next = 0 == random.nextInt(12) ? 1 : OwnerFixture.RIGHT_CHECKSUM;
        for (int i = random.nextInt(6); i > 0; i--)
        {
            owner.agent.doWork();
        }
        master.work();
        assertThat(owner.errors).isEmpty();
    }

    private void disturb(final int index)
    {
        final Actor actor = actors.get(index);
        switch (random.nextInt(4))
        {
            case 0 ->
            {
                actor.worker.close();
                owner.run();
                actors.set(index, new Actor());
            }
            case 1 -> owner.master.refuseSession();
            case 2 -> sleep(actor);
            default ->
            {
                actor.worker.die();
                owner.run();
                actors.set(index, new Actor());
            }
        }
    }

    /** One worker is silent until its session is hung. */
    private void sleep(final Actor sleeper)
    {
        for (int i = 0; i < 12; i++)
        {
            owner.nowNs += 1_000_000_000L;
            for (final Actor actor : actors)
            {
                if (sleeper != actor)
                {
                    actor.readAnswers();
                }
            }
            owner.agent.doWork();
            master.work();
        }
    }

    private String key()
    {
        return "k" + (firstKey + random.nextInt(KEYS));
    }

    private void completeTransfers()
    {
        for (int i = random.nextInt(4); i > 0 && !owner.transfers.offered.isEmpty(); i--)
        {
            if (random.nextBoolean())
            {
                owner.transfers.offered.addLast(owner.transfers.offered.pollFirst());
            }
            owner.transfers.complete(0 == random.nextInt(10) ? ErrorCode.TRANSPORT : 0);
        }
    }

    private void heal()
    {
        master.isLossy = false;
        owner.transfers.isFull = false;
        owner.checksums.isHeld = false;
        owner.checksums.next = OwnerFixture.RIGHT_CHECKSUM;
        for (final Actor actor : actors)
        {
            actor.worker.die();
        }
        settle(3_000);

        for (final OwnerCounter counter : List.of(
            OwnerCounter.SESSIONS, OwnerCounter.PUT_PLANS, OwnerCounter.READ_PLANS, OwnerCounter.HANDLES,
            OwnerCounter.HOLDINGS, OwnerCounter.FLIGHTS, OwnerCounter.RESERVATIONS, OwnerCounter.PUBLISH_JOBS,
            OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED, OwnerCounter.OPERATIONS_OPEN, OwnerCounter.EVICTION_JOBS,
            OwnerCounter.EVICT_IN_PROGRESS, OwnerCounter.EVICT_IN_RETRY, OwnerCounter.HIDDEN_VALUES))
        {
            assertThat(owner.count(counter)).as(counter.label()).isZero();
        }
        for (final SlotState state : List.of(
            SlotState.PREPARED, SlotState.PENDING, SlotState.PENDING_LOCAL_VISIBLE, SlotState.QUARANTINED))
        {
            assertThat(owner.pool.count(state)).as(state.name()).isZero();
        }
        owner.assertBalanced();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(owner.committedIndex.size());
        assertThat(owner.localIndex.size()).isZero();
        assertThat(committedOffsets()).isEqualTo(master.ownReplicas);
        assertThat(owner.count(OwnerCounter.HANDLES_OPENED)).isEqualTo(owner.count(OwnerCounter.HANDLES_CLOSED));
        assertThat(owner.count(OwnerCounter.PUBLISH_JOBS_OPENED))
            .isEqualTo(owner.count(OwnerCounter.PUBLISH_JOBS_CLOSED));
    }

    private Map<String, Long> committedOffsets()
    {
        final Map<String, Long> offsets = new TreeMap<>();
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        owner.committedIndex.forEach((ref) ->
        {
            final int slotId = (int)ref;
            owner.pool.table().wrapKey(slotId, key);
            offsets.put(key.getStringWithoutLengthAscii(0, key.capacity()), owner.pool.offset(slotId));
        });

        return offsets;
    }

    private void settle(final int millis)
    {
        for (int i = 0; i < millis; i++)
        {
            owner.nowNs += 1_000_000;
            owner.agent.doWork();
            owner.transfers.completeAll();
            master.work();
        }
        owner.run();
    }

    /**
     * A worker that does what comes into its mind.
     */
    private final class Actor
    {
        private final TestWorker worker = TestWorker.connected(owner, nextStreamId++);
        private final List<Long> plans = new ArrayList<>();
        private final List<long[]> handles = new ArrayList<>();
        private final List<Long> holdings = new ArrayList<>();
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();

        void putStart()
        {
            final int count = 1 + random.nextInt(7);
            final List<String> keys = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                keys.add(key());
            }
            worker.options = 0 == random.nextInt(3) ? random.nextInt(4) : 0;
            worker.valueLength = 0 == random.nextInt(20) ? 100 : TestWorker.VALUE_LENGTH;
            worker.timeoutNs = random.nextInt(100) * 1_000_000L;
            worker.groups = random.nextBoolean() ? new int[]{count} : new int[]{};
            if (worker.groups.length > 0)
            {
                master.declaredGroups.add(new TreeSet<>(keys));
            }
            worker.putStart(keys.toArray(String[]::new));
        }

        void commit()
        {
            if (!plans.isEmpty())
            {
                final long planId = plans.remove(random.nextInt(plans.size()));
                final long requestId = worker.commit(planId);
                if (0 == random.nextInt(4))
                {
                    worker.commitAs(requestId, planId);
                }
            }
        }

        void abort()
        {
            if (!plans.isEmpty())
            {
                worker.abort(plans.remove(random.nextInt(plans.size())));
            }
        }

        void getStart()
        {
            final int count = 1 + random.nextInt(9);
            final String[] keys = new String[count];
            for (int i = 0; i < count; i++)
            {
                keys[i] = key();
            }
            final int first = 1 + random.nextInt(count);
            worker.groups = count == first ? new int[]{} : new int[]{first, count - first};
            worker.timeoutNs = 0 == random.nextInt(3) ? random.nextInt(200) * 1_000_000L : 0;
            worker.getStart(random.nextInt(4) > 0, keys);
        }

        void getTransfer()
        {
            if (!handles.isEmpty())
            {
                final long[] handle = handles.remove(random.nextInt(handles.size()));
                worker.timeoutNs = random.nextInt(500) * 1_000_000L;
                worker.getTransfer(handle[0], random.nextBoolean() ? -1 : 1 + random.nextInt((int)handle[1]));
            }
        }

        void cancel()
        {
            if (!handles.isEmpty())
            {
                worker.cancel(handles.remove(random.nextInt(handles.size()))[0]);
            }
        }

        void release()
        {
            worker.release(holdings.toArray(Long[]::new));
            holdings.clear();
        }

        void readAnswers()
        {
            worker.keepAlive();
            final Wire wire = owner.sessions.get(worker.streamId());
            while (!wire.messages.isEmpty())
            {
                read(wire.messages.pollFirst());
            }
        }

        private void read(final UnsafeBuffer message)
        {
            header.wrap(message, 0);
            final int block = MessageHeaderDecoder.ENCODED_LENGTH;
            switch (header.templateId())
            {
                case PutStartResponseDecoder.TEMPLATE_ID ->
                {
                    final PutStartResponseDecoder response = new PutStartResponseDecoder()
                        .wrap(message, block, header.blockLength(), 1);
                    if (0 == response.status())
                    {
                        plans.add(response.planId());
                    }
                }
                case GetStartResponseDecoder.TEMPLATE_ID -> readStart(new GetStartResponseDecoder()
                    .wrap(message, block, header.blockLength(), 1));
                case GetTransferResponseDecoder.TEMPLATE_ID ->
                {
                    for (final GetTransferResponseDecoder.HoldingsDecoder holding : new GetTransferResponseDecoder()
                        .wrap(message, block, header.blockLength(), 1).holdings())
                    {
                        holdings.add(holding.holdingId());
                    }
                }
                default ->
                {
                }
            }
        }

        private void readStart(final GetStartResponseDecoder response)
        {
            if (0 != response.handle())
            {
                handles.add(new long[]{response.handle(), response.transferableLen()});
            }
            for (final GetStartResponseDecoder.HoldingsDecoder holding : response.holdings())
            {
                holdings.add(holding.holdingId());
            }
        }
    }
}
