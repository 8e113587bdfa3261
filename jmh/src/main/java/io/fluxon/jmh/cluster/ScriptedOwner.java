package io.fluxon.jmh.cluster;

import io.fluxon.codecs.control.BatchGetRevokeRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.RegisterRequestEncoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * An owner as a master core sees one: messages that are right, one operation at a time, each acknowledged by the next.
 */
public final class ScriptedOwner implements MessageHandler
{
    private static final int MAX_BYTES = 1 << 20;
    private static final int ANSWER_LIMIT = 8;
    private static final int MAX_CYCLES = 1_000;
    private static final int SLOT_BYTES = 4096;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKeys.LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();
    private final PublishRequestEncoder publish = new PublishRequestEncoder();
    private final BatchGetStartRequestEncoder getStart = new BatchGetStartRequestEncoder();
    private final BatchGetRevokeRequestEncoder getRevoke = new BatchGetRevokeRequestEncoder();
    private final RegisterResponseDecoder registered = new RegisterResponseDecoder();
    private final PublishResponseDecoder published = new PublishResponseDecoder();
    private final BatchGetStartResponseDecoder getStarted = new BatchGetStartResponseDecoder();
    private final OperationAckDecoder acknowledged = new OperationAckDecoder();
    private final CoreMaster master;
    private final MemoryLink toMaster;
    private final MemoryLink fromMaster = new MemoryLink(1);
    private long sessionId;
    private long operationId;
    private long answeredId;
    private int failures;

    /**
     * An owner that is registered.
     *
     * @param master  to talk to.
     * @param ownerId of the owner.
     */
    public ScriptedOwner(final CoreMaster master, final int ownerId)
    {
        this.master = master;
        toMaster = master.inbox().newLink();
        register(ownerId, master.listen(fromMaster));
    }

    /**
     * Publishes keys and waits for the answer.
     *
     * @param firstNumber of the keys.
     * @param count       number of keys.
     */
    public void publish(final long firstNumber, final int count)
    {
        send(encodePublish(firstNumber, count));
    }

    /**
     * Starts to read keys and waits for the answer.
     *
     * @param firstNumber of the keys.
     * @param count       number of keys.
     */
    public void getStart(final long firstNumber, final int count)
    {
        send(encodeGetStart(firstNumber, count));
    }

    /** Gives back what the last operation, a get start, has leased, and waits for the answer. */
    public void revoke()
    {
        final long startOperationId = operationId;
        getRevoke.wrapAndApplyHeader(buffer, 0, header)
            .generation(1)
            .sessionId(sessionId)
            .correlationId(++operationId)
            .ackedWatermark(operationId - 1);
        getRevoke.itemsCount(1).next().startOperationId(startOperationId).index(-1);
        send(HEADER + getRevoke.encodedLength());
    }

    /**
     * Encodes a publish and moves it through a link, without a master: what {@link #publish} costs besides the master.
     *
     * @param firstNumber of the keys.
     * @param count       number of keys.
     * @param link        to move it through.
     * @param handler     that receives it.
     */
    public void publishInto(
        final long firstNumber, final int count, final MemoryLink link, final MessageHandler handler)
    {
        link.offer(buffer, 0, encodePublish(firstNumber, count));
        link.poll(handler, ANSWER_LIMIT);
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer message, final int offset, final int length)
    {
        answerHeader.wrap(message, offset);
        switch (answerHeader.templateId())
        {
            case RegisterResponseDecoder.TEMPLATE_ID ->
            {
                registered.wrapAndApplyHeader(message, offset, answerHeader);
                failures += registered.status();
                sessionId = registered.sessionId();
            }
            case PublishResponseDecoder.TEMPLATE_ID ->
            {
                published.wrapAndApplyHeader(message, offset, answerHeader);
                answeredId = published.correlationId();
                for (final PublishResponseDecoder.ResultsDecoder result : published.results())
                {
                    failures += 0 == result.code() ? 0 : 1;
                }
            }
            case BatchGetStartResponseDecoder.TEMPLATE_ID ->
            {
                getStarted.wrapAndApplyHeader(message, offset, answerHeader);
                answeredId = getStarted.correlationId();
                for (final BatchGetStartResponseDecoder.ItemsDecoder item : getStarted.items())
                {
                    failures += 0 == item.code() ? 0 : 1;
                }
            }
            case OperationAckDecoder.TEMPLATE_ID ->
            {
                acknowledged.wrapAndApplyHeader(message, offset, answerHeader);
                answeredId = acknowledged.correlationId();
                failures += 0 == acknowledged.status() ? 0 : 1;
            }
            default ->
            {
            }
        }
    }

    private void register(final int ownerId, final String responseChannel)
    {
        final RegisterRequestEncoder encoder = new RegisterRequestEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(1)
            .sessionId(0)
            .correlationId(++operationId)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .ownerId(ownerId)
            .role(OwnerRole.GPU)
            .capacityBytes(1L << 30)
            .segmentLength(1L << 30)
            .responseChannel(responseChannel)
            .segmentPath("segment-" + ownerId)
            .name("owner-" + ownerId)
            .hostName("host")
            .transferAddress("");
        toMaster.offer(buffer, 0, HEADER + encoder.encodedLength());
        for (int i = 0; 0 == sessionId; i++)
        {
            cycle(i);
        }
        answeredId = operationId;
    }

    private int encodePublish(final long firstNumber, final int count)
    {
        publish.wrapAndApplyHeader(buffer, 0, header)
            .generation(1)
            .sessionId(sessionId)
            .correlationId(++operationId)
            .ackedWatermark(operationId - 1)
            .reserveOperationId(0)
            .cohortId(0)
            .cohortRank(0)
            .cohortSize(0);
        publish.options().clear();
        publish.atomicGroupsCount(0);
        final PublishRequestEncoder.EntriesEncoder entries = publish.entriesCount(count);
        for (int i = 0; i < count; i++)
        {
            final long number = firstNumber + i;
            entries.next().putSequence(number + 1).valueLength(SLOT_BYTES).checksum(number & 0xFFFF_FFFFL);
            entries.backing()
                .grantId(0)
                .slotIndex((int)number)
                .slotSize(SLOT_BYTES)
                .useCounter(1)
                .slotOffset(number * SLOT_BYTES);
            BenchKeys.write(key, 0, number);
            entries.putKey(key, 0, BenchKeys.LENGTH);
        }
        return HEADER + publish.encodedLength();
    }

    private int encodeGetStart(final long firstNumber, final int count)
    {
        getStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(1)
            .sessionId(sessionId)
            .correlationId(++operationId)
            .ackedWatermark(operationId - 1);
        final BatchGetStartRequestEncoder.KeysEncoder keys = getStart.keysCount(count);
        for (int i = 0; i < count; i++)
        {
            BenchKeys.write(key, 0, firstNumber + i);
            keys.next().putKey(key, 0, BenchKeys.LENGTH);
        }
        return HEADER + getStart.encodedLength();
    }

    private void send(final int length)
    {
        toMaster.offer(buffer, 0, length);
        for (int i = 0; answeredId != operationId; i++)
        {
            cycle(i);
        }
    }

    private void cycle(final int number)
    {
        if (MAX_CYCLES == number)
        {
            throw new IllegalStateException("the master has not answered in " + MAX_CYCLES + " duty cycles");
        }
        master.doWork();
        fromMaster.poll(this, ANSWER_LIMIT);
        if (0 != failures)
        {
            throw new IllegalStateException("the master has refused something");
        }
    }
}
