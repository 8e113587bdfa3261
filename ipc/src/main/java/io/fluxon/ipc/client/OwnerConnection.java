package io.fluxon.ipc.client;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.aeron.MediaDrivers;
import io.fluxon.ipc.client.core.SegmentMapper;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;
import io.fluxon.ipc.segment.SegmentException;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentMapping;

import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The production side of the client's boundary: Aeron channels to the owner and the mapping of its segment.
 */
final class OwnerConnection implements AutoCloseable
{
    private static final long DRIVER_CHECK_MS = 1000;
    private static final int FIRST_RESPONSE_STREAM_ID = 1001;
    private static final int RESPONSE_STREAM_IDS = 1 << 30;

    private final Aeron aeron;
    private final boolean ownsAeron;
    private final AeronMessageSource responses;
    private final AeronControlChannel requests;
    private final WorkerClient worker;
    private SegmentMapping mapping;
    private SegmentException mappingFailure;

    private OwnerConnection(
        final ClientContext ctx, final Aeron aeron, final boolean ownsAeron, final long generation)
    {
        this.aeron = aeron;
        this.ownsAeron = ownsAeron;
        final int streamId =
            FIRST_RESPONSE_STREAM_ID + (int)Long.remainderUnsigned(aeron.nextCorrelationId(), RESPONSE_STREAM_IDS);
        responses = AeronMessageSource.open(
            aeron, OwnerDescriptor.CHANNEL, streamId, this::onConnectionClosed);
        requests = AeronControlChannel.open(aeron, OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID);
        worker = new WorkerClient(new WorkerClientContext()
            .nanoClock(SystemNanoClock.INSTANCE)
            .requests(requests)
            .responses(responses)
            .segmentMapper(this::map)
            .role(ctx.role())
            .clientName(ctx.clientName())
            .expectedGeneration(generation)
            .processId(ProcessIdentity.processId())
            .processStartTime(ProcessIdentity.startTime())
            .responseStreamId(streamId)
            .maxKeysPerBatch(ctx.maxKeys())
            .maxOutstanding(ctx.maxOutstanding())
            .connectTimeoutNs(ctx.connectTimeoutNs())
            .putTimeoutNs(ctx.putTimeoutNs())
            .getTimeoutNs(ctx.getTimeoutNs()));
    }

    /**
     * Opens the channels; the worker client then connects when it is polled.
     *
     * @param ctx names the owner.
     * @return the connection.
     * @throws FluxonException when there is no such owner, or its media driver does not run.
     */
    static OwnerConnection open(final ClientContext ctx)
    {
        final OwnerDescriptor owner =
            null == ctx.ownerDirectory() ? null : OwnerDescriptor.read(Path.of(ctx.ownerDirectory()));
        final boolean ownsAeron = null == ctx.aeron();
        final Aeron aeron = ownsAeron ? connectDriver(ctx, owner) : ctx.aeron();
        try
        {
            return new OwnerConnection(ctx, aeron, ownsAeron, null == owner ? 0 : owner.generation());
        }
        catch (final AeronException ex)
        {
            if (ownsAeron)
            {
                CloseHelper.quietClose(aeron);
            }
            throw failure("the media driver did not open the channels: " + ex.getMessage(), ex);
        }
    }

    WorkerClient worker()
    {
        return worker;
    }

    /**
     * Why the segment could not be mapped.
     *
     * @return the failure, null when there was none.
     */
    SegmentException mappingFailure()
    {
        return mappingFailure;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(requests, responses);
        if (ownsAeron)
        {
            CloseHelper.quietClose(aeron);
        }
        CloseHelper.quietClose(mapping);
    }

    private long map(final String path, final long generation, final long mapOffset, final long length)
    {
        try
        {
            mapping = SegmentFile.mapForWorker(Path.of(path), generation);
            if (mapping.mapOffset() != mapOffset || mapping.mappedLength() != length)
            {
                throw new SegmentException(ErrorCode.INVALID_ARGUMENT, path + ": the owner names bytes " + mapOffset +
                    " to " + (mapOffset + length) + ", the file has " + mapping.mapOffset() + " to " +
                    (mapping.mapOffset() + mapping.mappedLength()), null);
            }
            return mapping.mappedAddress();
        }
        catch (final SegmentException ex)
        {
            mappingFailure = ex;
            return SegmentMapper.NOT_MAPPED;
        }
    }

    private void onConnectionClosed(final long connectionId)
    {
        worker.onConnectionClosed(connectionId);
    }

    private static Aeron connectDriver(final ClientContext ctx, final OwnerDescriptor owner)
    {
        final String directory = null == owner ? ctx.aeronDirectoryName() : owner.aeronDirectory();
        if (!Files.isDirectory(Path.of(directory)))
        {
            throw failure("there is no Aeron directory " + directory + ": does the owner run?", null);
        }
        final long timeoutMs = Math.max(TimeUnit.NANOSECONDS.toMillis(ctx.connectTimeoutNs()), DRIVER_CHECK_MS);
        // after a driver that has died its client closes itself; the session then ends by its closed channel
        final Aeron.Context context = MediaDrivers.clientContext(directory, IdleStrategies.BACKOFF, timeoutMs)
            .errorHandler((throwable) -> {});
        try
        {
            if (!CommonContext.isDriverActive(new File(directory), timeoutMs, (message) -> {}))
            {
                throw failure("no media driver runs in " + directory + ": has the owner ended?", null);
            }
            return Aeron.connect(context);
        }
        catch (final AeronException | IllegalStateException ex)
        {
            throw failure("no media driver answers in " + directory + ": " + ex.getMessage(), ex);
        }
    }

    private static FluxonException failure(final String message, final Throwable cause)
    {
        return new FluxonException(ErrorCode.TRANSPORT, WaitStage.CONNECT, message, cause);
    }
}
