package io.fluxon.tools.bench;

import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.HeartbeatEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.RegisterRequestEncoder;
import io.fluxon.codecs.control.ReserveRequestEncoder;
import io.fluxon.engine.protocol.Limits;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Writes the messages of a simulated owner, one at a time into the same buffer. Each method returns the length.
 */
final class OwnerMessages
{
    private static final int MAX_BYTES = 2 << 20;
    private static final int SLOT_BYTES = 4096;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long LOW_WORD = 0xFFFF_FFFFL;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKey.LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RegisterRequestEncoder register = new RegisterRequestEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final ReserveRequestEncoder reserve = new ReserveRequestEncoder();
    private final PublishRequestEncoder publish = new PublishRequestEncoder();
    private final BatchGetStartRequestEncoder getStart = new BatchGetStartRequestEncoder();
    private final BatchGetDoneRequestEncoder getDone = new BatchGetDoneRequestEncoder();
    private long generation;
    private long sessionId;
    private long watermark;

    DirectBuffer buffer()
    {
        return buffer;
    }

    void session(final long ownerGeneration, final long ownerSessionId)
    {
        generation = ownerGeneration;
        sessionId = ownerSessionId;
    }

    /** Every operation id up to here has its answer. */
    void watermark(final long answeredId)
    {
        watermark = answeredId;
    }

    int register(final long correlationId, final int ownerId, final String responseChannel)
    {
        register.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(0)
            .correlationId(correlationId)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .ownerId(ownerId)
            .role(OwnerRole.GPU)
            .capacityBytes(1L << 40)
            .segmentLength(1L << 40)
            .committedValues(0)
            .tenureEpoch(0)
            .tenureId(0)
            .responseChannel(responseChannel)
            .segmentPath("segment-" + ownerId)
            .name("bench-" + ownerId)
            .hostName("localhost")
            .transferAddress("");

        return HEADER + register.encodedLength();
    }

    int heartbeat(final long correlationId)
    {
        heartbeat.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(correlationId)
            .ackedWatermark(watermark)
            .peerVersion(0)
            .freeBytes(0)
            .usedBytes(0)
            .evictableBytes(0);

        return HEADER + heartbeat.encodedLength();
    }

    int reserve(final long operationId, final KeyCursor keys)
    {
        reserve.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(operationId)
            .ackedWatermark(watermark);
        reserve.options().clear();
        final ReserveRequestEncoder.KeysEncoder entries = reserve.keysCount(keys.count());
        for (int i = 0, count = keys.count(); i < count; i++)
        {
            final long number = keys.number(i);
            BenchKey.write(key, 0, number);
            entries.next().putSequence(number + 1).putKey(key, 0, BenchKey.LENGTH);
        }

        return HEADER + reserve.encodedLength();
    }

    int publish(final long operationId, final long reserveOperationId, final KeyCursor keys)
    {
        publish.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(operationId)
            .ackedWatermark(watermark)
            .reserveOperationId(reserveOperationId)
            .cohortId(0)
            .cohortRank(0)
            .cohortSize(0);
        publish.options().clear();
        publish.atomicGroupsCount(0);
        final PublishRequestEncoder.EntriesEncoder entries = publish.entriesCount(keys.count());
        for (int i = 0, count = keys.count(); i < count; i++)
        {
            final long number = keys.number(i);
            entries.next().putSequence(number + 1).valueLength(SLOT_BYTES).checksum(number & LOW_WORD);
            entries.backing()
                .grantId(0)
                .slotIndex((int) number)
                .slotSize(SLOT_BYTES)
                .useCounter(1)
                .slotOffset(number * SLOT_BYTES);
            BenchKey.write(key, 0, number);
            entries.putKey(key, 0, BenchKey.LENGTH);
        }

        return HEADER + publish.encodedLength();
    }

    int getStart(final long operationId, final KeyCursor keys)
    {
        getStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(operationId)
            .ackedWatermark(watermark);
        final BatchGetStartRequestEncoder.KeysEncoder entries = getStart.keysCount(keys.count());
        for (int i = 0, count = keys.count(); i < count; i++)
        {
            BenchKey.write(key, 0, keys.number(i));
            entries.next().putKey(key, 0, BenchKey.LENGTH);
        }

        return HEADER + getStart.encodedLength();
    }

    int getDone(final long operationId, final long startOperationId, final KeyCursor keys)
    {
        getDone.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(operationId)
            .ackedWatermark(watermark)
            .replicaTaskId(0);
        final BatchGetDoneRequestEncoder.ItemsEncoder items = getDone.itemsCount(keys.count());
        for (int i = 0, count = keys.count(); i < count; i++)
        {
            final long number = keys.number(i);
            items.next().startOperationId(startOperationId).index(i).checksum(number & LOW_WORD);
            items.backing()
                .grantId(0)
                .slotIndex((int) number)
                .slotSize(SLOT_BYTES)
                .useCounter(1)
                .slotOffset(number * SLOT_BYTES);
        }

        return HEADER + getDone.encodedLength();
    }
}
