package io.fluxon.ipc.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;

/**
 * Contexts of embedded media drivers and of their clients, from {@link DriverSettings}.
 */
public final class MediaDrivers
{
    private static final int IPC_MTU_LENGTH = 16 * 1024;
    private static final int USUAL_SOCKET_BUFFER_LENGTH = 2 * 1024 * 1024;
    private static final int SYSTEM_SOCKET_BUFFER_LENGTH = 0;
    private static final long MAX_UNBLOCK_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);

    private MediaDrivers()
    {
    }

    /**
     * Context of an embedded driver: {@code MediaDriver.launch(MediaDrivers.driverContext(settings))}. An error handler
     * is the caller's to set.
     *
     * @param settings that are checked here.
     * @return a new context.
     */
    public static MediaDriver.Context driverContext(final DriverSettings settings)
    {
        settings.conclude();
        final String idle = settings.idleStrategy();

        return new MediaDriver.Context()
            .aeronDirectoryName(settings.aeronDirectoryName())
            .threadingMode(threadingMode(settings.threadingMode()))
            .sharedIdleStrategy(IdleStrategies.byName(idle))
            .sharedNetworkIdleStrategy(IdleStrategies.byName(idle))
            .conductorIdleStrategy(IdleStrategies.byName(idle))
            .senderIdleStrategy(IdleStrategies.byName(idle))
            .receiverIdleStrategy(IdleStrategies.byName(idle))
            .ipcTermBufferLength(settings.ipcTermBufferLength())
            .ipcMtuLength(Math.min(IPC_MTU_LENGTH, settings.ipcTermBufferLength() / 8))
            .publicationTermBufferLength(settings.udpTermBufferLength())
            .initialWindowLength(settings.receiverWindowLength())
            .mtuLength(settings.udpMtuLength())
            .socketRcvbufLength(socketBufferLength("rmem_max", settings.receiverWindowLength()))
            .socketSndbufLength(socketBufferLength("wmem_max", 0))
            .termBufferSparseFile(settings.isSparse())
            .clientLivenessTimeoutNs(settings.clientLivenessTimeoutNs())
            // Aeron wants it longer than the liveness of clients
            .publicationUnblockTimeoutNs(
                Math.max(MAX_UNBLOCK_TIMEOUT_NS, settings.clientLivenessTimeoutNs() * 3 / 2))
            .imageLivenessTimeoutNs(settings.imageLivenessTimeoutNs())
            .publicationConnectionTimeoutNs(Math.min(
                settings.imageLivenessTimeoutNs(), TimeUnit.SECONDS.toNanos(5)))
            .driverTimeoutMs(settings.driverTimeoutMs())
            .dirDeleteOnStart(settings.dirDeleteOnStart())
            .dirDeleteOnShutdown(settings.dirDeleteOnShutdown())
            .warnIfDirectoryExists(false)
            .spiesSimulateConnection(false);
    }

    /**
     * Context of a client of such a driver. An error handler is the caller's to set.
     *
     * @param aeronDirectoryName folder of the driver.
     * @param idleStrategy       of the client's conductor, name of {@link IdleStrategies}.
     * @param driverTimeoutMs    after which the driver is taken for dead.
     * @return a new context.
     */
    public static Aeron.Context clientContext(
        final String aeronDirectoryName, final String idleStrategy, final long driverTimeoutMs)
    {
        final Aeron.Context context = new Aeron.Context()
            .idleStrategy(IdleStrategies.byName(idleStrategy))
            .awaitingIdleStrategy(IdleStrategies.byName(IdleStrategies.BACKOFF));
        context.aeronDirectoryName(aeronDirectoryName);
        context.driverTimeoutMs(driverTimeoutMs);

        return context;
    }

    /**
     * As much as the system allows, up to what several senders may have under way at once: a datagram that finds no
     * room is lost, and when it was the last one that is seen by a heartbeat only, after 100 ms.
     */
    private static int socketBufferLength(final String limitName, final int least)
    {
        try
        {
            // by a reader: the kernel gives the number to the first read only, which must not be one of a single byte
            final long limit = Long.parseLong(
                Files.readAllLines(Path.of("/proc/sys/net/core", limitName)).getFirst().trim());
            return (int)Math.min(limit, Math.max(least, USUAL_SOCKET_BUFFER_LENGTH));
        }
        catch (final IOException | NumberFormatException | NoSuchElementException ex)
        {
            return SYSTEM_SOCKET_BUFFER_LENGTH;
        }
    }

    static ThreadingMode threadingMode(final String mode)
    {
        return switch (mode)
        {
            case "shared" -> ThreadingMode.SHARED;
            case "shared_network" -> ThreadingMode.SHARED_NETWORK;
            case "dedicated" -> ThreadingMode.DEDICATED;
            default -> throw new IllegalArgumentException(
                "threading mode '" + mode + "' is not known, allowed are shared, shared_network, dedicated");
        };
    }
}
