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

    private static final long REOPEN_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private final ClientContext ctx;
    private final boolean ownsAeron;
    private final WorkerClient worker;
    private Way way;
    private long resumingSinceNs;
    private long reopenedNs;
    private boolean isResuming;
    private SegmentMapping mapping;
    private SegmentException mappingFailure;

    private OwnerConnection(
        final ClientContext ctx, final Aeron aeron, final boolean ownsAeron, final long generation)
    {
        this.ctx = ctx;
        this.ownsAeron = ownsAeron;
        way = openWay(aeron);
        worker = new WorkerClient(new WorkerClientContext()
            .nanoClock(SystemNanoClock.INSTANCE)
            .requests(way.requests)
            .responses(way.responses)
            .segmentMapper(this::map)
            .role(ctx.role())
            .clientName(ctx.clientName())
            .expectedGeneration(generation)
            .processId(ProcessIdentity.processId())
            .processStartTime(ProcessIdentity.startTime())
            .responseStreamId(way.responseStreamId)
            .resumeTimeoutNs(ctx.resumeTimeoutNs())
            .maxKeysPerBatch(ctx.maxKeys())
            .maxOutstanding(ctx.maxOutstanding())
            .connectTimeoutNs(ctx.connectTimeoutNs())
            .putTimeoutNs(ctx.putTimeoutNs())
            .getTimeoutNs(ctx.getTimeoutNs()));
    }

    /**
     * One way to the owner: a client of its media driver, and channels both ways.
     */
    record Way(Aeron aeron, AeronMessageSource responses, AeronControlChannel requests, int responseStreamId)
    {
        void close(final boolean closesAeron)
        {
            CloseHelper.quietCloseAll(requests, responses);
            if (closesAeron)
            {
                CloseHelper.quietClose(aeron);
            }
        }
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
        final Aeron aeron = ownsAeron ? connectDriver(ctx, owner, checkMs(ctx)) : ctx.aeron();
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

    /**
     * Has the Aeron client closed itself?
     */
    boolean isLost()
    {
        return way.aeron.isClosed();
    }

    WorkerClient worker()
    {
        return worker;
    }

    /**
     * The mapping of the owner's segment.
     *
     * @return the mapping, null before the session is ready.
     */
    SegmentMapping mapping()
    {
        return mapping;
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

    /**
     * Looks after the way to the owner: an Aeron client that has closed itself, because this process or the driver was
     * stopped for longer than they forgive each other, ends no session (contract API-10).
     *
     * @param nowNs time now.
     * @return true when another way should be opened.
     */
    boolean mustReopen(final long nowNs)
    {
        if (way.aeron.isClosed())
        {
            worker.loseChannel("the connection to the owner's media driver is lost");
        }
        if (WorkerClient.State.RESUMING != worker.state())
        {
            isResuming = false;
            return false;
        }
        if (!isResuming)
        {
            isResuming = true;
            resumingSinceNs = nowNs;
            reopenedNs = nowNs - REOPEN_PAUSE_NS;
        }
        if (nowNs - reopenedNs < (way.aeron.isClosed() ? REOPEN_PAUSE_NS : PATIENCE_NS) || isOtherGeneration())
        {
            return false;
        }
        if (!ownsAeron)
        {
            if (way.aeron.isClosed())
            {
                worker.fail(ErrorCode.TRANSPORT, "the Aeron client that was given is closed");
            }
            return false;
        }
        return way.aeron.isClosed() || nowNs - resumingSinceNs >= PATIENCE_NS;
    }

    /**
     * Opens another way to the owner; may take as long as the driver is waited for. Touches nothing that is in use.
     *
     * @return the way, or null when it cannot be opened now.
     */
    Way reopen()
    {
        Aeron aeron = null;
        try
        {
            aeron = connectDriver(ctx, null == ctx.ownerDirectory() ?
                null : OwnerDescriptor.read(Path.of(ctx.ownerDirectory())), DRIVER_CHECK_MS);
            return openWay(aeron);
        }
        catch (final FluxonException | AeronException ex)
        {
            CloseHelper.quietClose(aeron);
            return null;
        }
    }

    /**
     * Resumes over another way.
     *
     * @param newWay that was opened, or null.
     * @param nowNs  time now.
     * @return the way that is not used any more, to be closed; or null.
     */
    Way take(final Way newWay, final long nowNs)
    {
        reopenedNs = nowNs;
        if (null == newWay || !worker.resume(newWay.requests, newWay.responses, newWay.responseStreamId))
        {
            return newWay;
        }
        final Way old = way;
        way = newWay;
        return old;
    }

    /** The session has ended, its owner does not know, and the way to it is lost: another one could tell. */
    boolean mustTellOverAnother()
    {
        return ownsAeron && isLost() && !worker.isReleased();
    }

    /**
     * Takes another way to tell the owner of the end of the session.
     *
     * @param newWay that was opened, or null.
     */
    void tellOver(final Way newWay)
    {
        if (null != newWay)
        {
            worker.tellOver(newWay.requests);
            way.close(true);
            way = newWay;
        }
    }

    @Override
    public void close()
    {
        way.close(ownsAeron);
        CloseHelper.quietClose(mapping);
    }

    private Way openWay(final Aeron aeron)
    {
        final int streamId =
            FIRST_RESPONSE_STREAM_ID + (int)Long.remainderUnsigned(aeron.nextCorrelationId(), RESPONSE_STREAM_IDS);
        return new Way(
            aeron,
            AeronMessageSource.open(aeron, OwnerDescriptor.CHANNEL, streamId, this::onConnectionClosed),
            AeronControlChannel.open(aeron, OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID),
            streamId);
    }

    private boolean isOtherGeneration()
    {
        if (null == ctx.ownerDirectory())
        {
            return false;
        }
        try
        {
            final long generation = OwnerDescriptor.read(Path.of(ctx.ownerDirectory())).generation();
            if (generation == worker.generation())
            {
                return false;
            }
            worker.fail(ErrorCode.OWNER_GENERATION_MISMATCH, "the owner was started again: it has generation " +
                generation + ", this session is with " + worker.generation());
            return true;
        }
        catch (final FluxonException ex)
        {
            // an owner that is starting again says so when it is ready
            return false;
        }
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

    private static long checkMs(final ClientContext ctx)
    {
        return Math.max(TimeUnit.NANOSECONDS.toMillis(ctx.connectTimeoutNs()), DRIVER_CHECK_MS);
    }

    private static Aeron connectDriver(final ClientContext ctx, final OwnerDescriptor owner, final long checkMs)
    {
        final String directory = null == owner ? ctx.aeronDirectoryName() : owner.aeronDirectory();
        if (!Files.isDirectory(Path.of(directory)))
        {
            throw failure("there is no Aeron directory " + directory + ": does the owner run?", null);
        }
        final long timeoutMs = TimeUnit.NANOSECONDS.toMillis(ctx.driverTimeoutNs());
        // after a driver that has died its client closes itself; the session is then resumed by another
        final Aeron.Context context = MediaDrivers.clientContext(directory, IdleStrategies.BACKOFF, timeoutMs)
            .errorHandler((throwable) -> {});
        try
        {
            if (!CommonContext.isDriverActive(new File(directory), checkMs, (message) -> {}))
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
