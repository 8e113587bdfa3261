package io.fluxon.ipc.client;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseEncoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.ExistsResponseEncoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitLocalEncoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseEncoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.SessionCloseEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.StatusResponseEncoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.aeron.DriverSettings;
import io.fluxon.ipc.aeron.MediaDrivers;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The least that answers as an owner: a media driver, a segment, one thread that stores values under keys.
 */
public final class StoreOwner implements AutoCloseable
{
    /** Its generation. */
    public static final long GENERATION = 12;
    private static final int SLOT_BYTES = 4096;
    private static final int GRANT_BYTES = 1024 * 1024;
    private static final int ARENA_BYTES = 64 * 1024;

    /** Holdings that were released. */
    public final AtomicInteger released = new AtomicInteger();
    /** Puts that were aborted. */
    public final AtomicInteger aborted = new AtomicInteger();
    /** Puts that were committed. */
    public final AtomicInteger committed = new AtomicInteger();
    /** True: it answers to nothing. */
    public volatile boolean isSilent;
    /** True: it tells no global results. */
    public volatile boolean dropsCommitResults;
    final Set<Long> holdings = new HashSet<>();
    volatile int protocolVersion = 1;

    private final Map<String, Long> values = new HashMap<>();
    private final Map<String, Long> lengths = new HashMap<>();
    private final Map<Long, List<String>> plans = new HashMap<>();
    private final Map<Long, List<Long>> planSlots = new HashMap<>();
    private final Map<Long, Long> planLengths = new HashMap<>();
    private final Map<Long, Publication> sessions = new HashMap<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MessageHeaderEncoder answerHeader = new MessageHeaderEncoder();
    private final Path directory;
    private final MediaDriver driver;
    private final Aeron aeron;
    private final Subscription subscription;
    private final SegmentFile segment;
    private final Thread thread;
    private volatile boolean running = true;
    private long nextId = 100;
    private int nextSlot;

    /**
     * Starts an owner.
     *
     * @param directory for its files.
     * @throws IOException when they cannot be written.
     */
    public StoreOwner(final Path directory) throws IOException
    {
        this.directory = directory;
        final String aeronDirectory = directory.resolve("aeron").toString();
        driver = MediaDriver.launch(MediaDrivers.driverContext(new DriverSettings()
            .aeronDirectoryName(aeronDirectory).ipcTermBufferLength(1024 * 1024)
            .dirDeleteOnStart(true).dirDeleteOnShutdown(true)));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDirectory));
        subscription = aeron.addSubscription(OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID);
        segment = SegmentFile.create(directory,
            new SegmentLayout("owner", 3, GENERATION, ARENA_BYTES, GRANT_BYTES, GRANT_BYTES), 0);
        segment.markReady();
        writeDescriptor(GENERATION);
        thread = Thread.ofPlatform().daemon().name("store-owner").start(this::run);
    }

    void writeDescriptor(final long generation) throws IOException
    {
        Files.writeString(directory.resolve(OwnerDescriptor.FILE_NAME),
            "{\n  \"instance_key\": \"owner\",\n  \"owner_id\": 3,\n  \"generation\": " + generation +
                ",\n  \"aeron_directory\": \"" + directory.resolve("aeron") + "\",\n  \"segment_path\": \"" +
                segment.path() + "\",\n  \"pid\": " + ProcessHandle.current().pid() + "\n}\n");
    }

    @Override
    public void close()
    {
        running = false;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        CloseHelper.closeAll(aeron, driver, segment);
    }

    /** Ends all sessions and falls silent. */
    public void closeSessions()
    {
        isSilent = true;
        synchronized (this)
        {
            final SessionCloseEncoder encoder = new SessionCloseEncoder();
            sessions.forEach((id, publication) ->
            {
                encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
                    .generation(GENERATION).sessionId(id).correlationId(0).status(ErrorCode.SHUTDOWN);
                send(id, encoder.encodedLength());
            });
        }
    }

    private void run()
    {
        final SleepingMillisIdleStrategy idle = new SleepingMillisIdleStrategy(1);
        while (running)
        {
            synchronized (this)
            {
                subscription.poll((message, offset, length, frame) -> onMessage(message, offset), 10);
            }
            idle.idle(0);
        }
    }

    private void onMessage(final DirectBuffer message, final int offset)
    {
        if (isSilent)
        {
            return;
        }
        header.wrap(message, offset);
        final int body = offset + header.encodedLength();
        final long sessionId = message.getLong(body + Long.BYTES);
        final long correlationId = message.getLong(body + 2 * Long.BYTES);
        switch (header.templateId())
        {
            case ConnectRequestDecoder.TEMPLATE_ID -> onConnect(message, offset, correlationId);
            case KeepAliveDecoder.TEMPLATE_ID -> onKeepAlive(sessionId);
            case PutStartRequestDecoder.TEMPLATE_ID -> onPutStart(message, offset, sessionId, correlationId);
            case PutCommitRequestDecoder.TEMPLATE_ID -> onPutCommit(message, offset, sessionId, correlationId);
            case PutAbortRequestDecoder.TEMPLATE_ID ->
            {
                aborted.incrementAndGet();
                onStatus(sessionId, correlationId);
            }
            case GetStartRequestDecoder.TEMPLATE_ID -> onGetStart(message, offset, sessionId, correlationId);
            case ExistsRequestDecoder.TEMPLATE_ID -> onExists(message, offset, sessionId, correlationId);
            case ReleaseHoldingsDecoder.TEMPLATE_ID -> onRelease(message, offset, sessionId, correlationId);
            default ->
            {
            }
        }
    }

    private void onConnect(final DirectBuffer message, final int offset, final long correlationId)
    {
        final ConnectRequestDecoder request = new ConnectRequestDecoder().wrapAndApplyHeader(message, offset, header);
        final long sessionId = ++nextId;
        sessions.put(sessionId, aeron.addPublication(OwnerDescriptor.CHANNEL, request.responseStreamId()));
        final ConnectResponseEncoder encoder = new ConnectResponseEncoder();
        final long arenaLength = ARENA_BYTES / 4;
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId)
            .status(0).protocolVersion(protocolVersion).ownerId(3)
            .segmentLength(segment.layout().totalLength())
            .arenaOffset(segment.layout().arenaOffset() + sessions.size() % 4 * arenaLength).arenaLength(arenaLength)
            .mapOffset(segment.layout().arenaOffset()).maxKeysPerBatch(64).maxKeyBytes(512).maxValueBytes(SLOT_BYTES)
            .maxMessageBytes(8 << 20).keepAliveIntervalNs(100_000_000L).sessionTimeoutNs(2_000_000_000L)
            .handleTtlNs(60_000_000_000L).segmentPath(segment.path().toString()).nodeId("node0").message("");
        send(sessionId, encoder.encodedLength());
    }

    private void onKeepAlive(final long sessionId)
    {
        final KeepAliveEncoder encoder = new KeepAliveEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(0);
        encoder.unansweredCount(0);
        encoder.unfinishedCount(0);
        send(sessionId, encoder.encodedLength());
    }

    private void onPutStart(
        final DirectBuffer message, final int offset, final long sessionId, final long correlationId)
    {
        final PutStartRequestDecoder request =
            new PutStartRequestDecoder().wrapAndApplyHeader(message, offset, header);
        request.atomicGroups().forEach((group) -> {});
        final List<String> keys = new ArrayList<>();
        for (final PutStartRequestDecoder.KeysDecoder key : request.keys())
        {
            final byte[] bytes = new byte[key.keyLength()];
            key.getKey(bytes, 0, bytes.length);
            keys.add(new String(bytes, StandardCharsets.UTF_8));
        }
        final long planId = ++nextId;
        final List<Long> slots = new ArrayList<>();
        final PutStartResponseEncoder encoder = new PutStartResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId)
            .status(0).stage(Stage.NONE).planId(planId);
        final PutStartResponseEncoder.SlotsEncoder slotsEncoder = encoder.slotsCount(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            slots.add(segment.layout().grantsOffset() + (long)nextSlot++ % (GRANT_BYTES / SLOT_BYTES) * SLOT_BYTES);
            slotsEncoder.next().offset(slots.get(i));
        }
        encoder.message("");
        plans.put(planId, keys);
        planSlots.put(planId, slots);
        planLengths.put(planId, request.valueLength());
        send(sessionId, encoder.encodedLength());
    }

    private void onPutCommit(
        final DirectBuffer message, final int offset, final long sessionId, final long correlationId)
    {
        final long planId =
            new PutCommitRequestDecoder().wrapAndApplyHeader(message, offset, header).planId();
        final List<String> keys = plans.get(planId);
        committed.incrementAndGet();
        for (int i = 0; i < keys.size(); i++)
        {
            values.put(keys.get(i), planSlots.get(planId).get(i));
            lengths.put(keys.get(i), planLengths.get(planId));
        }
        final PutCommitLocalEncoder local = new PutCommitLocalEncoder();
        local.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId).planId(planId)
            .status(0).message("");
        send(sessionId, local.encodedLength());
        if (!dropsCommitResults)
        {
            final PutCommitResultEncoder result = new PutCommitResultEncoder();
            result.wrapAndApplyHeader(buffer, 0, answerHeader)
                .generation(GENERATION).sessionId(sessionId).correlationId(correlationId).planId(planId);
            final PutCommitResultEncoder.ResultsEncoder results = result.resultsCount(keys.size());
            keys.forEach((key) -> results.next().code(0));
            send(sessionId, result.encodedLength());
        }
    }

    private void onGetStart(
        final DirectBuffer message, final int offset, final long sessionId, final long correlationId)
    {
        final GetStartRequestDecoder request =
            new GetStartRequestDecoder().wrapAndApplyHeader(message, offset, header);
        request.atomicGroups().forEach((group) -> {});
        final List<String> keys = new ArrayList<>();
        for (final GetStartRequestDecoder.KeysDecoder key : request.keys())
        {
            final byte[] bytes = new byte[key.keyLength()];
            key.getKey(bytes, 0, bytes.length);
            keys.add(new String(bytes, StandardCharsets.UTF_8));
        }
        int raw = 0;
        while (raw < keys.size() && values.containsKey(keys.get(raw)))
        {
            raw++;
        }
        final int transferable = raw == keys.size() ? raw : 0;
        final GetStartResponseEncoder encoder = new GetStartResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId)
            .status(0).stage(Stage.NONE).kind(GetKind.INLINE).handle(0)
            .rawPrefixHitLen(raw).transferableLen(transferable).prefixHitGroups(0 == transferable ? 0 : 1)
            .firstMissIndex(raw == keys.size() ? -1 : raw).firstMissGroupIndex(raw == keys.size() ? -1 : 0)
            .remoteHits(0);
        final GetStartResponseEncoder.HoldingsEncoder encoded = encoder.holdingsCount(transferable);
        for (int i = 0; i < transferable; i++)
        {
            holdings.add(++nextId);
            encoded.next().offset(values.get(keys.get(i))).length(lengths.get(keys.get(i))).holdingId(nextId);
        }
        encoder.message("");
        send(sessionId, encoder.encodedLength());
    }

    private void onExists(
        final DirectBuffer message, final int offset, final long sessionId, final long correlationId)
    {
        final ExistsRequestDecoder request = new ExistsRequestDecoder().wrapAndApplyHeader(message, offset, header);
        final List<Boolean> flags = new ArrayList<>();
        for (final ExistsRequestDecoder.KeysDecoder key : request.keys())
        {
            final byte[] bytes = new byte[key.keyLength()];
            key.getKey(bytes, 0, bytes.length);
            flags.add(values.containsKey(new String(bytes, StandardCharsets.UTF_8)));
        }
        final int leading = flags.contains(false) ? flags.indexOf(false) : flags.size();
        final ExistsResponseEncoder encoder = new ExistsResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId)
            .status(0).leadingCount(leading);
        final ExistsResponseEncoder.FlagsEncoder encoded = encoder.flagsCount(flags.size());
        flags.forEach((flag) -> encoded.next().present((short)(flag ? 1 : 0)));
        encoder.message("");
        send(sessionId, encoder.encodedLength());
    }

    private void onRelease(
        final DirectBuffer message, final int offset, final long sessionId, final long correlationId)
    {
        for (final ReleaseHoldingsDecoder.HoldingsDecoder holding :
            new ReleaseHoldingsDecoder().wrapAndApplyHeader(message, offset, header).holdings())
        {
            if (holdings.remove(holding.holdingId()))
            {
                released.incrementAndGet();
            }
        }
        onStatus(sessionId, correlationId);
    }

    private void onStatus(final long sessionId, final long correlationId)
    {
        final StatusResponseEncoder encoder = new StatusResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(GENERATION).sessionId(sessionId).correlationId(correlationId).status(0).message("");
        send(sessionId, encoder.encodedLength());
    }

    private void send(final long sessionId, final int bodyLength)
    {
        final Publication publication = sessions.get(sessionId);
        for (int i = 0; i < 1_000; i++)
        {
            if (null == publication ||
                publication.offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength) > 0)
            {
                return;
            }
            Thread.yield();
        }
    }
}
