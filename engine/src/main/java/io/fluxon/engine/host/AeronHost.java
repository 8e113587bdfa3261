package io.fluxon.engine.host;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ConfigurationException;
import io.fluxon.engine.config.AeronConfig;
import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.aeron.ConnectionListener;
import io.fluxon.ipc.aeron.DriverSettings;
import io.fluxon.ipc.aeron.MediaDrivers;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The embedded media driver of a process and its own client of it.
 */
final class AeronHost
{
    /**
     * Longest pause of the whole process that its own client and driver forgive each other: a process that was stopped
     * and goes on must not lose its channels (contract LIFE-2).
     */
    private static final long PAUSE_TOLERANCE_MS = TimeUnit.SECONDS.toMillis(120);
    private static final long RESOLVE_TIMEOUT_MS = 5_000;

    private final Aeron aeron;
    private final String directory;
    private final String networkInterface;

    private AeronHost(final Aeron aeron, final String directory, final String networkInterface)
    {
        this.aeron = aeron;
        this.directory = directory;
        this.networkInterface = networkInterface;
    }

    /**
     * Starts the driver and connects to it; both end with the host.
     *
     * @param host      that takes them over.
     * @param directory of the process.
     * @param buffers   of the channels.
     * @param idle      of the driver's thread.
     * @param isSparse  true if buffers get their memory as they are used.
     * @return the running Aeron.
     */
    static AeronHost launch(
        final ProcessHost host,
        final Path directory,
        final AeronConfig buffers,
        final IdleStrategyName idle,
        final boolean isSparse)
    {
        LocalAddresses.checkInterface(buffers.networkInterface());
        final String aeronDirectory = directory.resolve("aeron").toString();
        final DriverSettings settings = new DriverSettings()
            .aeronDirectoryName(aeronDirectory)
            .idleStrategy(idle.strategyName())
            .ipcTermBufferLength(buffers.ipcTermBufferBytes())
            .udpTermBufferLength(buffers.udpTermBufferBytes())
            .receiverWindowLength(buffers.receiverWindowBytes())
            .imageLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(buffers.imageLivenessMs()))
            .udpMtuLength(buffers.udpMtuBytes())
            .clientLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(buffers.clientLivenessMs()))
            .driverTimeoutMs(PAUSE_TOLERANCE_MS)
            .isSparse(isSparse);
        try
        {
            final ThreadFactory threads = host.vitalThreads("the media driver");
            host.own(MediaDriver.launchEmbedded(MediaDrivers.driverContext(settings)
                .conductorThreadFactory(threads)
                .receiverThreadFactory(threads)
                .senderThreadFactory(threads)
                .sharedNetworkThreadFactory(threads)
                .sharedThreadFactory(threads)
                .errorHandler(host.driverErrorHandler())));
            final Aeron aeron = host.own(Aeron.connect(
                MediaDrivers.clientContext(aeronDirectory, idle.strategyName(), PAUSE_TOLERANCE_MS)
                    .errorHandler(host.aeronErrorHandler())));
            return new AeronHost(aeron, aeronDirectory, buffers.networkInterface());
        }
        catch (final ConfigurationException ex)
        {
            throw refused(buffers, ex);
        }
        catch (final AeronException | IllegalStateException ex)
        {
            throw new HostException("cannot start the media driver in " + aeronDirectory + ": " + ex.getMessage(), ex);
        }
    }

    String directory()
    {
        return directory;
    }

    /** Opens a channel to the processes of this machine. */
    AeronControlChannel openChannel(final String channel, final int streamId)
    {
        return AeronControlChannel.open(aeron, channel, streamId);
    }

    /** Opens a channel to another process by UDP, from the interface of the configuration. */
    AeronControlChannel openUdpChannel(final String channel, final int streamId)
    {
        return openChannel(Streams.sentFrom(channel, networkInterface), streamId);
    }

    AeronMessageSource openSource(final String channel, final int streamId, final ConnectionListener listener)
    {
        return AeronMessageSource.open(aeron, channel, streamId, listener);
    }

    /**
     * Listens at an endpoint of the configuration.
     *
     * @param endpoint host:port, named in the error as {@code listen_endpoint}.
     * @param streamId of the stream.
     * @param listener that hears of connections that have ended.
     * @return the source, whose channel is resolved.
     */
    AeronMessageSource listen(final String endpoint, final int streamId, final ConnectionListener listener)
    {
        try
        {
            final AeronMessageSource source = openSource(Streams.udpChannel(endpoint), streamId, listener);
            final IdleStrategy idle = new SleepingMillisIdleStrategy(1);
            final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RESOLVE_TIMEOUT_MS);
            while (null == source.resolvedChannel())
            {
                if (System.nanoTime() - deadlineNs >= 0)
                {
                    throw cannotListen(endpoint, "the media driver has not bound it in time", null);
                }
                idle.idle();
            }
            return source;
        }
        catch (final AeronException | IllegalArgumentException ex)
        {
            throw cannotListen(endpoint, ex.getMessage(), ex);
        }
    }

    /** What the driver does not take, by the field that it is about as far as the driver says so. */
    static HostException refused(final AeronConfig buffers, final ConfigurationException cause)
    {
        final String reason = cause.getMessage();
        if (reason.contains("initialWindowLength="))
        {
            return new HostException("field aeron.receiver_window_bytes is " + buffers.receiverWindowBytes() +
                ", allowed is what the system gives a socket (sysctl net.core.rmem_max): " + reason, cause);
        }
        if (reason.contains("mtuLength="))
        {
            return new HostException("field aeron.udp_mtu_bytes is " + buffers.udpMtuBytes() +
                ", allowed is what the system gives a socket (sysctl net.core.wmem_max): " + reason, cause);
        }
        return new HostException("the media driver refuses the fields of aeron: " + reason, cause);
    }

    private static HostException cannotListen(final String endpoint, final String reason, final Throwable cause)
    {
        return new HostException("field listen_endpoint is " + endpoint +
            ", allowed is a free port at an address of this machine: " + reason, cause);
    }
}
