package io.fluxon.tools.bench;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.codecs.control.RegisterResponseEncoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.aeron.DriverSettings;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.aeron.MediaDrivers;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.OutboundQueue;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Stands in a master's place and does nothing: it answers each operation with as many bytes as a master would send, all
 * of them zero. With the same media driver, channels and idling, so it shows what the path alone allows.
 */
final class EchoMaster implements Agent, MessageHandler, AutoCloseable
{
    /** Name of the agent's thread. */
    static final String ROLE_NAME = "echo";

    private static final int REQUEST_STREAM_ID = 201;
    private static final int RESPONSE_STREAM_ID = 202;
    private static final int MAX_QUEUED_BYTES = 16 << 20;
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final int MESSAGE_LIMIT = 32;
    private static final int FLUSH_LIMIT = 16;
    private static final long TIMEOUT_MS = 60_000;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RegisterRequestDecoder register = new RegisterRequestDecoder();
    private final ReserveRequestDecoder reserve = new ReserveRequestDecoder();
    private final PublishRequestDecoder publish = new PublishRequestDecoder();
    private final BatchGetStartRequestDecoder getStart = new BatchGetStartRequestDecoder();
    private final BatchGetDoneRequestDecoder getDone = new BatchGetDoneRequestDecoder();
    private final MessageHeaderEncoder answerHeader = new MessageHeaderEncoder();
    private final RegisterResponseEncoder registered = new RegisterResponseEncoder();
    private final ReserveResponseEncoder reserved = new ReserveResponseEncoder();
    private final PublishResponseEncoder published = new PublishResponseEncoder();
    private final BatchGetStartResponseEncoder started = new BatchGetStartResponseEncoder();
    private final BatchGetDoneResponseEncoder done = new BatchGetDoneResponseEncoder();
    private final UnsafeBuffer answer = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_ANSWER_BYTES));
    private final Long2ObjectHashMap<OutboundQueue> owners = new Long2ObjectHashMap<>();
    private final ArrayList<OutboundQueue> queues = new ArrayList<>();
    private final MediaDriver driver;
    private final Aeron aeron;
    private final AeronMessageSource source;
    private final AgentRunner runner;

    EchoMaster(final Path directory, final String endpoint, final String idle, final int mtuBytes)
    {
        final String aeronDirectory = directory.resolve("echo-aeron").toString();
        final DriverSettings settings = LoadHost.driverSettings(aeronDirectory, idle, mtuBytes);
        driver = MediaDriver.launchEmbedded(MediaDrivers.driverContext(settings));
        aeron = Aeron.connect(MediaDrivers.clientContext(aeronDirectory, IdleStrategies.BACKOFF, TIMEOUT_MS));
        source = AeronMessageSource.open(
            aeron, "aeron:udp?endpoint=" + endpoint, REQUEST_STREAM_ID, (connectionId) -> {});
        runner = new AgentRunner(IdleStrategies.byName(idle), Throwable::printStackTrace, null, this);
        AgentRunner.startOnThread(runner);
    }

    @Override
    public int doWork()
    {
        int count = source.poll(this, MESSAGE_LIMIT);
        for (int i = 0, size = queues.size(); i < size; i++)
        {
            count += queues.get(i).flush(FLUSH_LIMIT);
        }

        return count;
    }

    @Override
    public String roleName()
    {
        return ROLE_NAME;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case RegisterRequestDecoder.TEMPLATE_ID -> onRegister(connectionId, buffer, offset);
            case ReserveRequestDecoder.TEMPLATE_ID -> onReserve(connectionId, buffer, offset);
            case PublishRequestDecoder.TEMPLATE_ID -> onPublish(connectionId, buffer, offset);
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> onGetStart(connectionId, buffer, offset);
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> onGetDone(connectionId, buffer, offset);
            default ->
            {
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(runner, aeron, driver);
    }

    private void onRegister(final long connectionId, final DirectBuffer buffer, final int offset)
    {
        register.wrapAndApplyHeader(buffer, offset, header);
        if (!owners.containsKey(connectionId))
        {
            final OutboundQueue queue = new OutboundQueue(
                AeronControlChannel.open(aeron, register.responseChannel(), RESPONSE_STREAM_ID), MAX_QUEUED_BYTES);
            owners.put(connectionId, queue);
            queues.add(queue);
        }
        registered.wrapAndApplyHeader(answer, 0, answerHeader)
            .generation(1)
            .sessionId(connectionId + 1)
            .correlationId(register.correlationId())
            .status(0)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .message("");
        send(connectionId, registered.encodedLength());
        answer.setMemory(0, MAX_ANSWER_BYTES, (byte) 0);
    }

    private void onReserve(final long connectionId, final DirectBuffer buffer, final int offset)
    {
        reserve.wrapAndApplyHeader(buffer, offset, header);
        final int count = reserve.keys().count();
        reserved.wrapAndApplyHeader(answer, 0, answerHeader)
            .correlationId(reserve.correlationId())
            .resultsCount(count);
        send(connectionId, reserved.encodedLength() +
            count * ReserveResponseEncoder.ResultsEncoder.sbeBlockLength());
    }

    private void onPublish(final long connectionId, final DirectBuffer buffer, final int offset)
    {
        publish.wrapAndApplyHeader(buffer, offset, header);
        // the groups lie ahead of the entries, and no owner of the benchmark names any
        publish.atomicGroups();
        final int count = publish.entries().count();
        published.wrapAndApplyHeader(answer, 0, answerHeader)
            .correlationId(publish.correlationId())
            .resultsCount(count);
        send(connectionId, published.encodedLength() +
            count * PublishResponseEncoder.ResultsEncoder.sbeBlockLength());
    }

    private void onGetStart(final long connectionId, final DirectBuffer buffer, final int offset)
    {
        getStart.wrapAndApplyHeader(buffer, offset, header);
        final int count = getStart.keys().count();
        started.wrapAndApplyHeader(answer, 0, answerHeader)
            .correlationId(getStart.correlationId())
            .itemsCount(count);
        send(connectionId, started.encodedLength() +
            count * BatchGetStartResponseEncoder.ItemsEncoder.sbeBlockLength());
    }

    private void onGetDone(final long connectionId, final DirectBuffer buffer, final int offset)
    {
        getDone.wrapAndApplyHeader(buffer, offset, header);
        final int count = getDone.items().count();
        done.wrapAndApplyHeader(answer, 0, answerHeader)
            .correlationId(getDone.correlationId())
            .itemsCount(count);
        send(connectionId, done.encodedLength() +
            count * BatchGetDoneResponseEncoder.ItemsEncoder.sbeBlockLength());
    }

    private void send(final long connectionId, final int encodedLength)
    {
        final OutboundQueue queue = owners.get(connectionId);
        if (null == queue || !queue.send(answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength))
        {
            throw new BenchException("the echo cannot answer");
        }
    }
}
