package io.fluxon.engine.master;

import com.sun.management.ThreadMXBean;
import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.EvictSourceRequestEncoder;
import io.fluxon.codecs.control.HeartbeatEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.RegisterRequestEncoder;
import io.fluxon.codecs.control.ReserveRequestEncoder;
import io.fluxon.codecs.control.RouteExistsRequestEncoder;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

class AllocationTest
{
    private static final int ROUNDS = 20_000;
    private static final int MEASURED_ROUNDS = 5_000;
    private static final int BATCH = 16;
    private static final int SLOTS = 64;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReserveRequestEncoder reserve = new ReserveRequestEncoder();
    private final PublishRequestEncoder publish = new PublishRequestEncoder();
    private final BatchGetStartRequestEncoder start = new BatchGetStartRequestEncoder();
    private final BatchGetDoneRequestEncoder done = new BatchGetDoneRequestEncoder();
    private final BatchGetRevokeRequestEncoder revoke = new BatchGetRevokeRequestEncoder();
    private final RouteExistsRequestEncoder exists = new RouteExistsRequestEncoder();
    private final EvictSourceRequestEncoder evict = new EvictSourceRequestEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
    private final long[] sessions = new long[2];
    private final long[] nextIds = { 1, 1 };
    private long nowNs;
    private int pending;
    private int pendingOwner;
    private long sent;
    private long lastSequence;
    private MasterAgent master;
    private MasterCounters counters;

    @Test
    @Tag("ZERO-1")
    void shouldAllocateNothingInSteadyState()
    {
        final CountersManager manager = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(256 * 1024)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1024)),
            StandardCharsets.UTF_8);
        counters = new MasterCounters(manager);
        master = new MasterAgent(new MasterContext()
            .epoch(1)
            .nanoClock(() -> nowNs)
            .source(this::poll)
            .ownerChannels((name) -> new Sink())
            .counters(counters)
            .maxRoutes(1000));
        register(0);
        register(1);
        for (int round = 0; round < ROUNDS; round++)
        {
            round(round);
        }

        final long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < MEASURED_ROUNDS; round++)
        {
            round(round);
        }
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).isLessThan(MEASURED_ROUNDS);
        assertThat(sent).isGreaterThan(ROUNDS * 11L);
        assertThat(counters.get(MasterCounter.EVICTIONS_BUSY)).isEqualTo(ROUNDS + MEASURED_ROUNDS);
        assertThat(counters.get(MasterCounter.EVICTIONS_STALE)).isEqualTo(ROUNDS + MEASURED_ROUNDS);
        assertThat(counters.get(MasterCounter.ROUTES)).isZero();
        master.onClose();
    }

    private void round(final int round)
    {
        nowNs += 1_000_000;
        final int firstKey = round % SLOTS * BATCH;
        final long reserveId = nextIds[0];
        reserve(firstKey);
        publish(firstKey, reserveId);
        final long startId = nextIds[1];
        start(firstKey);
        done(startId);
        evict(0, firstKey, 0, BATCH);
        revoke(startId);
        exists(firstKey);
        evict(0, firstKey, 0, 1);
        evict(0, firstKey, 0, BATCH);
        evict(0, firstKey, 1, BATCH);
        evict(1, firstKey, 0, 1);
        heartbeat(0);
        heartbeat(1);
    }

    private void reserve(final int firstKey)
    {
        reserve.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[0]).correlationId(nextIds[0]++).ackedWatermark(nextIds[0] - 2);
        reserve.options().clear();
        final ReserveRequestEncoder.KeysEncoder keys = reserve.keysCount(BATCH);
        for (int i = 0; i < BATCH; i++)
        {
            keys.next().putSequence(firstKey + i).putKey(key(firstKey + i), 0, key.capacity());
        }
        deliver(0, reserve.encodedLength());
    }

    private void publish(final int firstKey, final long reserveId)
    {
        publish.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[0]).correlationId(nextIds[0]++).ackedWatermark(nextIds[0] - 2)
            .reserveOperationId(reserveId).cohortId(0).cohortRank(0).cohortSize(0);
        publish.options().clear();
        lastSequence = nextIds[0] * 100;
        publish.atomicGroupsCount(1).next().keyCount(BATCH).mergedCount(0).groupLength(BATCH);
        final PublishRequestEncoder.EntriesEncoder entries = publish.entriesCount(BATCH);
        for (int i = 0; i < BATCH; i++)
        {
            entries.next().putSequence(lastSequence + i);
            entries.backing().grantId(1).slotIndex(i).slotSize(4096).useCounter(1).slotOffset(4096);
            entries.valueLength(4096).checksum(7).putKey(key(firstKey + i), 0, key.capacity());
        }
        deliver(0, publish.encodedLength());
    }

    private void start(final int firstKey)
    {
        start.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[1]).correlationId(nextIds[1]++).ackedWatermark(nextIds[1] - 2);
        final BatchGetStartRequestEncoder.KeysEncoder keys = start.keysCount(BATCH);
        for (int i = 0; i < BATCH; i++)
        {
            keys.next().putKey(key(firstKey + i), 0, key.capacity());
        }
        deliver(1, start.encodedLength());
    }

    private void done(final long startId)
    {
        done.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[1]).correlationId(nextIds[1]++).ackedWatermark(nextIds[1] - 2)
            .replicaTaskId(0);
        final BatchGetDoneRequestEncoder.ItemsEncoder item = done.itemsCount(1).next()
            .startOperationId(startId).index(0);
        item.backing().grantId(1).slotIndex(1).slotSize(4096).useCounter(1).slotOffset(4096);
        item.checksum(7);
        deliver(1, done.encodedLength());
    }

    private void revoke(final long startId)
    {
        revoke.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[1]).correlationId(nextIds[1]++).ackedWatermark(nextIds[1] - 2);
        revoke.itemsCount(1).next().startOperationId(startId).index(-1).mismatch((short)0);
        deliver(1, revoke.encodedLength());
    }

    private void evict(final int owner, final int firstKey, final int from, final int to)
    {
        evict.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[owner]).correlationId(nextIds[owner]++)
            .ackedWatermark(nextIds[owner] - 2).removalId(0);
        final EvictSourceRequestEncoder.MembersEncoder members = evict.membersCount(to - from);
        for (int i = from; i < to; i++)
        {
            members.next().version().ownerId(0).generation(1).sequence(lastSequence + i);
            members.backing().grantId(1).slotIndex(i + owner).slotSize(4096).useCounter(1).slotOffset(4096);
            members.putKey(key(firstKey + i), 0, key.capacity());
        }
        deliver(owner, evict.encodedLength());
    }

    private void exists(final int firstKey)
    {
        exists.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[1]).correlationId(1);
        final RouteExistsRequestEncoder.KeysEncoder keys = exists.keysCount(BATCH);
        for (int i = 0; i < BATCH; i++)
        {
            keys.next().putKey(key(firstKey + i), 0, key.capacity());
        }
        deliver(1, exists.encodedLength());
    }

    private void heartbeat(final int owner)
    {
        heartbeat.wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(sessions[owner]).correlationId(0).ackedWatermark(nextIds[owner] - 1)
            .peerVersion(2).freeBytes(1).usedBytes(2).evictableBytes(0);
        deliver(owner, heartbeat.encodedLength());
    }

    private void register(final int owner)
    {
        final RegisterRequestEncoder request = new RegisterRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(1).sessionId(0).correlationId(0).protocolVersion(1).ownerId(owner)
            .role(OwnerRole.GPU).capacityBytes(1).segmentLength(1).committedValues(0).tenureEpoch(0).tenureId(0)
            .responseChannel("x").segmentPath("y").name("n").hostName("h").transferAddress("t");
        deliver(owner, request.encodedLength());
        sessions[owner] = master.state().owners.byOwnerId(owner).sessionId();
    }

    private DirectBuffer key(final int number)
    {
        key.setMemory(0, key.capacity(), (byte)'k');
        key.putNaturalPaddedIntAscii(0, 10, number);
        return key;
    }

    private void deliver(final int owner, final int bodyLength)
    {
        pending = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
        pendingOwner = owner;
        int ticks = 0;
        while (0 != master.doWork() && ticks++ < 100)
        {
            nowNs += 1;
        }
    }

    private int poll(final MessageHandler handler, final int limit)
    {
        if (0 == pending)
        {
            return 0;
        }
        final int length = pending;
        pending = 0;
        handler.onMessage(pendingOwner, buffer, 0, length);
        return 1;
    }

    private final class Sink implements ControlChannel
    {
        @Override
        public long offer(final DirectBuffer message, final int offset, final int length)
        {
            sent++;
            return 1;
        }

        @Override
        public int maxMessageLength()
        {
            return 1 << 20;
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }
}
