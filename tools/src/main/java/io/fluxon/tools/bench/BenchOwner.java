package io.fluxon.tools.bench;

import io.aeron.Aeron;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.SessionRefusedDecoder;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.OutboundQueue;

import org.agrona.DirectBuffer;

import java.util.concurrent.TimeUnit;

/**
 * A simulated owner: registered at the master, with a bounded number of batches under way, each answered before its
 * lane sends the next one.
 */
final class BenchOwner implements MessageHandler, AutoCloseable
{
    private static final int REQUEST_STREAM_ID = 201;
    private static final int RESPONSE_STREAM_ID = 202;
    private static final int MAX_QUEUED_BYTES = 16 << 20;
    private static final int ANSWER_LIMIT = 64;
    private static final int FLUSH_LIMIT = 16;
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REGISTER_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RegisterResponseDecoder registered = new RegisterResponseDecoder();
    private final ReserveResponseDecoder reserved = new ReserveResponseDecoder();
    private final PublishResponseDecoder published = new PublishResponseDecoder();
    private final BatchGetStartResponseDecoder started = new BatchGetStartResponseDecoder();
    private final BatchGetDoneResponseDecoder done = new BatchGetDoneResponseDecoder();
    private final OwnerMessages messages = new OwnerMessages();
    private final int ownerId;
    private final Samples samples;
    private final OutboundQueue toMaster;
    private final AeronMessageSource fromMaster;
    private final Lane[] lanes;
    private Work work = Work.NOTHING;
    private KeyCursor walk;
    private long keysLeft;
    private int batch;
    private int usedLanes;
    private long nowNs;
    private long generation;
    private long sessionId;
    private long nextId = 1;
    private long registerSentNs;
    private long heartbeatSentNs;

    /** What an owner does with the keys of its walk. */
    enum Work
    {
        /** Only heartbeats. */
        NOTHING,
        /** Reserve and publish. */
        PUT,
        /** Get start and get done. */
        GET
    }

    BenchOwner(
        final Aeron aeron, final String endpoint, final int ownerId, final int laneCount, final Samples samples)
    {
        this.ownerId = ownerId;
        this.samples = samples;
        toMaster = new OutboundQueue(
            AeronControlChannel.open(aeron, "aeron:udp?endpoint=" + endpoint, REQUEST_STREAM_ID), MAX_QUEUED_BYTES);
        fromMaster = AeronMessageSource.open(
            aeron, "aeron:udp?endpoint=127.0.0.1:0", RESPONSE_STREAM_ID, (connectionId) -> {});
        lanes = new Lane[laneCount];
        for (int i = 0; i < laneCount; i++)
        {
            lanes[i] = new Lane();
        }
    }

    /** Registers under a new generation: what the master has from the one before goes. */
    void join()
    {
        generation++;
        sessionId = 0;
        registerSentNs = 0;
    }

    boolean isRegistered()
    {
        return 0 != sessionId;
    }

    /** Goes through a number of keys from now on, with no more than some batches under way. */
    void begin(
        final Work newWork,
        final KeyCursor newWalk,
        final long keyCount,
        final int batchLength,
        final int batchesUnderWay)
    {
        usedLanes = Math.min(lanes.length, batchesUnderWay);
        work = newWork;
        walk = newWalk;
        keysLeft = keyCount;
        batch = batchLength;
    }

    /** Begins no further batch. */
    void stop()
    {
        keysLeft = 0;
    }

    /** Have all keys gone through all their operations? */
    boolean isIdle()
    {
        boolean isIdle = 0 == keysLeft;
        for (final Lane lane : lanes)
        {
            isIdle &= lane.isIdle();
        }

        return isIdle;
    }

    int poll(final long timeNs)
    {
        nowNs = timeNs;
        int count = fromMaster.poll(this, ANSWER_LIMIT) + toMaster.flush(FLUSH_LIMIT);
        if (0 == sessionId)
        {
            return count + register();
        }

        for (int i = 0; i < usedLanes; i++)
        {
            final Lane lane = lanes[i];
            if (keysLeft > 0 && lane.isIdle() && !toMaster.isBackPressured())
            {
                beginBatch(lane);
                count++;
            }
        }

        if (nowNs - heartbeatSentNs > HEARTBEAT_NS)
        {
            heartbeatSentNs = nowNs;
            messages.watermark(watermark());
            send(messages.heartbeat(nextId++));
        }

        return count;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case RegisterResponseDecoder.TEMPLATE_ID -> onRegistered(buffer, offset);
            case ReserveResponseDecoder.TEMPLATE_ID -> onReserved(buffer, offset);
            case PublishResponseDecoder.TEMPLATE_ID -> onPublished(buffer, offset);
            case BatchGetStartResponseDecoder.TEMPLATE_ID -> onStarted(buffer, offset);
            case BatchGetDoneResponseDecoder.TEMPLATE_ID -> onDone(buffer, offset);
            case OperationAckDecoder.TEMPLATE_ID, SessionRefusedDecoder.TEMPLATE_ID ->
                throw new BenchException("the master has refused a request of owner " + ownerId);
            default ->
            {
            }
        }
    }

    @Override
    public void close()
    {
        fromMaster.close();
        toMaster.close();
    }

    private int register()
    {
        final String channel = fromMaster.resolvedChannel();
        if (null == channel || 0 != registerSentNs && nowNs - registerSentNs < REGISTER_AGAIN_NS)
        {
            return 0;
        }

        registerSentNs = nowNs;
        messages.session(generation, 0);
        send(messages.register(nextId++, ownerId, channel));

        return 1;
    }

    private void beginBatch(final Lane lane)
    {
        final int count = (int) Math.min(batch, keysLeft);
        keysLeft -= count;
        lane.keys.take(walk, count);
        messages.watermark(watermark());
        lane.firstId = nextId++;
        lane.firstSentNs = System.nanoTime();
        if (Work.PUT == work)
        {
            lane.secondId = nextId++;
            send(messages.reserve(lane.firstId, lane.keys));
            lane.secondSentNs = System.nanoTime();
            send(messages.publish(lane.secondId, lane.firstId, lane.keys));
        }
        else
        {
            send(messages.getStart(lane.firstId, lane.keys));
        }
    }

    private void onRegistered(final DirectBuffer buffer, final int offset)
    {
        registered.wrapAndApplyHeader(buffer, offset, header);
        if (0 != registered.status())
        {
            throw new BenchException("the master has refused owner " + ownerId + ": " + registered.message());
        }
        sessionId = registered.sessionId();
        heartbeatSentNs = nowNs;
        messages.session(generation, sessionId);
    }

    private void onReserved(final DirectBuffer buffer, final int offset)
    {
        reserved.wrapAndApplyHeader(buffer, offset, header);
        final Lane lane = laneOf(reserved.correlationId());
        for (final ReserveResponseDecoder.ResultsDecoder result : reserved.results())
        {
            samples.result(BenchOperation.RESERVE, result.code());
        }
        endFirst(lane, BenchOperation.RESERVE);
        settle(lane);
    }

    private void onPublished(final DirectBuffer buffer, final int offset)
    {
        published.wrapAndApplyHeader(buffer, offset, header);
        final Lane lane = laneOf(published.correlationId());
        for (final PublishResponseDecoder.ResultsDecoder result : published.results())
        {
            samples.result(BenchOperation.PUBLISH, result.code());
        }
        endSecond(lane, BenchOperation.PUBLISH);
    }

    private void onStarted(final DirectBuffer buffer, final int offset)
    {
        started.wrapAndApplyHeader(buffer, offset, header);
        final Lane lane = laneOf(started.correlationId());
        for (final BatchGetStartResponseDecoder.ItemsDecoder item : started.items())
        {
            samples.result(BenchOperation.GET_START, item.code());
        }

        final long startId = lane.firstId;
        endFirst(lane, BenchOperation.GET_START);
        messages.watermark(watermark());
        lane.secondId = nextId++;
        lane.secondSentNs = System.nanoTime();
        send(messages.getDone(lane.secondId, startId, lane.keys));
    }

    private void onDone(final DirectBuffer buffer, final int offset)
    {
        done.wrapAndApplyHeader(buffer, offset, header);
        final Lane lane = laneOf(done.correlationId());
        for (final BatchGetDoneResponseDecoder.ItemsDecoder item : done.items())
        {
            samples.result(BenchOperation.GET_DONE, item.code());
        }
        endSecond(lane, BenchOperation.GET_DONE);
    }

    private void endFirst(final Lane lane, final BenchOperation operation)
    {
        samples.answered(operation, System.nanoTime() - lane.firstSentNs);
        lane.firstId = Lane.NONE;
    }

    private void endSecond(final Lane lane, final BenchOperation operation)
    {
        samples.answered(operation, System.nanoTime() - lane.secondSentNs);
        lane.secondId = Lane.NONE;
        settle(lane);
    }

    private void settle(final Lane lane)
    {
        if (lane.isIdle())
        {
            samples.settled(lane.keys.count());
        }
    }

    private long watermark()
    {
        long oldest = nextId;
        for (final Lane lane : lanes)
        {
            oldest = Math.min(oldest, lane.oldestId());
        }

        return oldest - 1;
    }

    private Lane laneOf(final long operationId)
    {
        for (final Lane lane : lanes)
        {
            if (operationId == lane.firstId || operationId == lane.secondId)
            {
                return lane;
            }
        }

        throw new BenchException("an answer without a request at owner " + ownerId);
    }

    private void send(final int length)
    {
        if (!toMaster.send(messages.buffer(), 0, length))
        {
            throw new BenchException("the channel of owner " + ownerId + " takes no more");
        }
    }
}
