package io.fluxon.ipc.aeron;

import io.aeron.logbuffer.FrameDescriptor;
import org.agrona.BitUtil;

import java.util.concurrent.TimeUnit;

/**
 * Settings of an embedded media driver and of the clients of it. {@link #conclude()} checks them once.
 */
public final class DriverSettings
{
    /** Least length of a term, 64 KiB. */
    public static final int MIN_TERM_LENGTH = 64 * 1024;
    /** Longest term that is allowed here, 64 MiB. */
    public static final int MAX_TERM_LENGTH = 64 * 1024 * 1024;
    /** Least length of a datagram that is allowed here. */
    public static final int MIN_MTU_LENGTH = 1024;
    /** Longest datagram: what UDP carries, in whole frames. */
    public static final int MAX_MTU_LENGTH = 65_504;
    /** Length of a datagram that fits an Ethernet frame: the default. */
    public static final int DEFAULT_MTU_LENGTH = 1408;

    /** Bytes on their way on one channel: the default. */
    public static final int DEFAULT_WINDOW_LENGTH = 128 * 1024;

    private String aeronDirectoryName;
    private String threadingMode = "shared";
    private String idleStrategy = IdleStrategies.BACKOFF;
    private int ipcTermBufferLength = 4 * 1024 * 1024;
    private int udpTermBufferLength = 1024 * 1024;
    private int receiverWindowLength = DEFAULT_WINDOW_LENGTH;
    private int udpMtuLength = DEFAULT_MTU_LENGTH;
    private long clientLivenessTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long imageLivenessTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long driverTimeoutMs = TimeUnit.SECONDS.toMillis(10);
    private boolean isSparse = true;
    private boolean dirDeleteOnStart = true;
    private boolean dirDeleteOnShutdown = true;

    /**
     * Folder of the driver.
     *
     * @return path, null when not set.
     */
    public String aeronDirectoryName()
    {
        return aeronDirectoryName;
    }

    /**
     * Sets the folder of the driver.
     *
     * @param directory path; best on a file system in memory.
     * @return this.
     */
    public DriverSettings aeronDirectoryName(final String directory)
    {
        aeronDirectoryName = directory;
        return this;
    }

    /**
     * Threads of the driver.
     *
     * @return "shared" (one thread, the default), "shared_network" or "dedicated".
     */
    public String threadingMode()
    {
        return threadingMode;
    }

    /**
     * Sets the threads of the driver.
     *
     * @param mode "shared", "shared_network" or "dedicated".
     * @return this.
     */
    public DriverSettings threadingMode(final String mode)
    {
        threadingMode = mode;
        return this;
    }

    /**
     * How the driver's threads idle.
     *
     * @return name of {@link IdleStrategies}, "backoff" by default.
     */
    public String idleStrategy()
    {
        return idleStrategy;
    }

    /**
     * Sets how the driver's threads idle.
     *
     * @param name of {@link IdleStrategies}.
     * @return this.
     */
    public DriverSettings idleStrategy(final String name)
    {
        idleStrategy = name;
        return this;
    }

    /**
     * Length of a term of an IPC publication, which has three; its longest message is an eighth of a term.
     *
     * @return bytes, 4 MiB by default.
     */
    public int ipcTermBufferLength()
    {
        return ipcTermBufferLength;
    }

    /**
     * Sets the length of a term of an IPC publication.
     *
     * @param lengthBytes a power of two, 64 KiB to 64 MiB.
     * @return this.
     */
    public DriverSettings ipcTermBufferLength(final int lengthBytes)
    {
        ipcTermBufferLength = lengthBytes;
        return this;
    }

    /**
     * Length of a term of a UDP publication, which has three; its longest message is an eighth of a term.
     *
     * @return bytes, 1 MiB by default.
     */
    public int udpTermBufferLength()
    {
        return udpTermBufferLength;
    }

    /**
     * Sets the length of a term of a UDP publication.
     *
     * @param lengthBytes a power of two, 64 KiB to 64 MiB.
     * @return this.
     */
    public DriverSettings udpTermBufferLength(final int lengthBytes)
    {
        udpTermBufferLength = lengthBytes;
        return this;
    }

    /**
     * Most bytes that may be on their way here on one UDP channel.
     *
     * @return bytes, {@value #DEFAULT_WINDOW_LENGTH} by default.
     */
    public int receiverWindowLength()
    {
        return receiverWindowLength;
    }

    /**
     * Sets how many bytes may be on their way here on one UDP channel. A socket must have room for them.
     *
     * @param lengthBytes positive; at most half a term counts.
     * @return this.
     */
    public DriverSettings receiverWindowLength(final int lengthBytes)
    {
        receiverWindowLength = lengthBytes;
        return this;
    }

    /**
     * Longest datagram of a UDP channel; a longer message goes in several.
     *
     * @return bytes, {@value #DEFAULT_MTU_LENGTH} by default.
     */
    public int udpMtuLength()
    {
        return udpMtuLength;
    }

    /**
     * Sets the longest datagram of a UDP channel. One that is longer than a frame of the network is cut in pieces by
     * the system, and is lost when one of these is.
     *
     * @param lengthBytes a multiple of 32, {@value #MIN_MTU_LENGTH} to {@value #MAX_MTU_LENGTH}.
     * @return this.
     */
    public DriverSettings udpMtuLength(final int lengthBytes)
    {
        udpMtuLength = lengthBytes;
        return this;
    }

    /**
     * Time after which the driver takes a client that does not keep alive for dead.
     *
     * @return nanoseconds, 10 s by default.
     */
    public long clientLivenessTimeoutNs()
    {
        return clientLivenessTimeoutNs;
    }

    /**
     * Sets the liveness timeout of clients.
     *
     * @param timeoutNs positive.
     * @return this.
     */
    public DriverSettings clientLivenessTimeoutNs(final long timeoutNs)
    {
        clientLivenessTimeoutNs = timeoutNs;
        return this;
    }

    /**
     * Time after which an image without a sign of its sender is gone.
     *
     * @return nanoseconds, 10 s by default.
     */
    public long imageLivenessTimeoutNs()
    {
        return imageLivenessTimeoutNs;
    }

    /**
     * Sets the liveness timeout of images.
     *
     * @param timeoutNs positive.
     * @return this.
     */
    public DriverSettings imageLivenessTimeoutNs(final long timeoutNs)
    {
        imageLivenessTimeoutNs = timeoutNs;
        return this;
    }

    /**
     * Time after which a client takes a driver that does not keep alive for dead.
     *
     * @return milliseconds, 10 s by default.
     */
    public long driverTimeoutMs()
    {
        return driverTimeoutMs;
    }

    /**
     * Sets the liveness timeout of the driver.
     *
     * @param timeoutMs positive.
     * @return this.
     */
    public DriverSettings driverTimeoutMs(final long timeoutMs)
    {
        driverTimeoutMs = timeoutMs;
        return this;
    }

    /**
     * Is what an earlier driver left in the folder deleted at start?
     *
     * @return true by default; one that is alive is never deleted.
     */
    public boolean dirDeleteOnStart()
    {
        return dirDeleteOnStart;
    }

    /**
     * Sets whether what an earlier driver left is deleted at start.
     *
     * @param deletes true to delete.
     * @return this.
     */
    public DriverSettings dirDeleteOnStart(final boolean deletes)
    {
        dirDeleteOnStart = deletes;
        return this;
    }

    /**
     * Do the buffers of channels get their memory as they are used?
     *
     * @return true by default.
     */
    public boolean isSparse()
    {
        return isSparse;
    }

    /**
     * Sets whether the buffers of channels get their memory as they are used. A process that uses a page for which the
     * file system has no room left is killed; with false the channel cannot be made then, and nobody is.
     *
     * @param sparse true for memory as it is used.
     * @return this.
     */
    public DriverSettings isSparse(final boolean sparse)
    {
        isSparse = sparse;
        return this;
    }

    /**
     * Is the folder deleted at shutdown?
     *
     * @return true by default.
     */
    public boolean dirDeleteOnShutdown()
    {
        return dirDeleteOnShutdown;
    }

    /**
     * Sets whether the folder is deleted at shutdown.
     *
     * @param deletes true to delete.
     * @return this.
     */
    public DriverSettings dirDeleteOnShutdown(final boolean deletes)
    {
        dirDeleteOnShutdown = deletes;
        return this;
    }

    /**
     * Checks the settings.
     *
     * @return this.
     * @throws IllegalArgumentException that names the setting, its value and what is allowed.
     */
    public DriverSettings conclude()
    {
        if (null == aeronDirectoryName || aeronDirectoryName.isBlank())
        {
            throw new IllegalArgumentException("aeronDirectoryName is not set");
        }
        checkTerm("ipcTermBufferLength", ipcTermBufferLength);
        checkTerm("udpTermBufferLength", udpTermBufferLength);
        checkPositive("receiverWindowLength", receiverWindowLength);
        if (udpMtuLength < MIN_MTU_LENGTH || udpMtuLength > MAX_MTU_LENGTH ||
            0 != udpMtuLength % FrameDescriptor.FRAME_ALIGNMENT)
        {
            throw new IllegalArgumentException("udpMtuLength is " + udpMtuLength + ", allowed is a multiple of " +
                FrameDescriptor.FRAME_ALIGNMENT + " from " + MIN_MTU_LENGTH + " to " + MAX_MTU_LENGTH);
        }
        checkPositive("clientLivenessTimeoutNs", clientLivenessTimeoutNs);
        checkPositive("imageLivenessTimeoutNs", imageLivenessTimeoutNs);
        checkPositive("driverTimeoutMs", driverTimeoutMs);
        IdleStrategies.byName(idleStrategy);
        MediaDrivers.threadingMode(threadingMode);

        return this;
    }

    private static void checkTerm(final String field, final int lengthBytes)
    {
        if (!BitUtil.isPowerOfTwo(lengthBytes) || lengthBytes < MIN_TERM_LENGTH || lengthBytes > MAX_TERM_LENGTH)
        {
            throw new IllegalArgumentException(field + " is " + lengthBytes + ", allowed is a power of two from " +
                MIN_TERM_LENGTH + " to " + MAX_TERM_LENGTH);
        }
    }

    private static void checkPositive(final String field, final long value)
    {
        if (value <= 0)
        {
            throw new IllegalArgumentException(field + " is " + value + ", allowed is a positive number");
        }
    }
}
