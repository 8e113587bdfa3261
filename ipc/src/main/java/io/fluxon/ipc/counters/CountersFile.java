package io.fluxon.ipc.counters;

import org.agrona.IoUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import static io.fluxon.ipc.counters.CountersFileDescriptor.ERROR_LOG_LENGTH_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.HEADER_LENGTH;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAGIC;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAGIC_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAX_COUNTERS;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAX_COUNTERS_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAX_ERROR_LOG_LENGTH;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MAX_NAME_LENGTH;
import static io.fluxon.ipc.counters.CountersFileDescriptor.MIN_ERROR_LOG_LENGTH;
import static io.fluxon.ipc.counters.CountersFileDescriptor.NAME_LENGTH_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.NAME_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.PID_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.START_TIME_OFFSET;
import static io.fluxon.ipc.counters.CountersFileDescriptor.VERSION;
import static io.fluxon.ipc.counters.CountersFileDescriptor.VERSION_OFFSET;

/**
 * The writer's side of a counters file, and the way to a reader's ({@link #map}). Counters are allocated at start and
 * by one thread; each is then written by its agent, and anyone may record errors.
 */
public final class CountersFile implements AutoCloseable
{
    /** Suffix of counters files. */
    public static final String SUFFIX = ".cnc";
    /** Counters when nothing else is said. */
    public static final int DEFAULT_MAX_COUNTERS = 1024;
    /** Bytes of the error log when nothing else is said. */
    public static final int DEFAULT_ERROR_LOG_LENGTH = 256 * 1024;

    private final Path path;
    private final CountersManager counters;
    private final DistinctErrorLog errorLog;
    private MappedByteBuffer mapped;

    private CountersFile(
        final Path path, final MappedByteBuffer mapped, final CountersManager counters, final DistinctErrorLog errorLog)
    {
        this.path = path;
        this.mapped = mapped;
        this.counters = counters;
        this.errorLog = errorLog;
    }

    /**
     * Creates the counters file of this process; one of the same name that an ended process left is replaced (who maps
     * that keeps it).
     *
     * @param path              of the file; its folder is created when absent.
     * @param name              of the process for people, at most 200 bytes of UTF-8.
     * @param maxCounters       1 to 65,536.
     * @param errorLogLength    bytes, 4096 to 64 MiB, a multiple of 4096.
     * @param clock             for start time and observations of errors.
     * @return the file, mapped.
     */
    public static CountersFile create(
        final Path path,
        final String name,
        final int maxCounters,
        final int errorLogLength,
        final EpochClock clock)
    {
        final byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        if (nameBytes.length > MAX_NAME_LENGTH || !areLengths(maxCounters, errorLogLength))
        {
            throw new IllegalArgumentException("no counters file of name '" + name + "', maxCounters " + maxCounters +
                ", errorLogLength " + errorLogLength);
        }

        final Path absolute = path.toAbsolutePath();
        final Path beside = absolute.resolveSibling(absolute.getFileName() + ".new");
        try
        {
            Files.createDirectories(absolute.getParent());
            Files.deleteIfExists(beside);
            final MappedByteBuffer mapped =
                IoUtil.mapNewFile(beside.toFile(), length(maxCounters, errorLogLength));
            writeHeader(new UnsafeBuffer(mapped), nameBytes, maxCounters, errorLogLength, clock.time());
            Files.move(beside, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

            return new CountersFile(
                absolute,
                mapped,
                new CountersManager(metadata(mapped, maxCounters), values(mapped, maxCounters)),
                new DistinctErrorLog(errorLog(mapped, maxCounters, errorLogLength), clock));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot create counters file " + absolute, ex);
        }
    }

    /**
     * Maps the counters file of another process.
     *
     * @param path of the file.
     * @return a view of it.
     * @throws IllegalStateException when the file is no counters file, of another version, or truncated; the message
     *                               names file and cause.
     */
    public static CountersView map(final Path path)
    {
        final long fileLength = path.toFile().length();
        if (fileLength < HEADER_LENGTH)
        {
            throw bad(path, Files.exists(path) ? "has only " + fileLength + " bytes" : "does not exist");
        }

        final MappedByteBuffer mapped = IoUtil.mapExistingFile(path.toFile(), "counters file");
        try
        {
            return view(path, mapped);
        }
        catch (final RuntimeException ex)
        {
            IoUtil.unmap(mapped);
            throw ex;
        }
    }

    /**
     * Path of the file.
     *
     * @return absolute path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * The counters.
     *
     * @return manager of them; allocation is not thread-safe.
     */
    public CountersManager counters()
    {
        return counters;
    }

    /**
     * The log of distinct errors.
     *
     * @return the log; thread-safe.
     */
    public DistinctErrorLog errorLog()
    {
        return errorLog;
    }

    /** Unmaps the file and leaves it for readers; repeated calls do nothing. Counters must not be written after it. */
    @Override
    public void close()
    {
        if (null != mapped)
        {
            IoUtil.unmap(mapped);
            mapped = null;
        }
    }

    private static void writeHeader(
        final UnsafeBuffer header,
        final byte[] name,
        final int maxCounters,
        final int errorLogLength,
        final long startTimeMs)
    {
        header.putLong(MAGIC_OFFSET, MAGIC);
        header.putInt(VERSION_OFFSET, VERSION);
        header.putInt(MAX_COUNTERS_OFFSET, maxCounters);
        header.putInt(ERROR_LOG_LENGTH_OFFSET, errorLogLength);
        header.putInt(NAME_LENGTH_OFFSET, name.length);
        header.putLong(PID_OFFSET, ProcessHandle.current().pid());
        header.putLong(START_TIME_OFFSET, startTimeMs);
        header.putBytes(NAME_OFFSET, name);
    }

    private static CountersView view(final Path path, final MappedByteBuffer mapped)
    {
        final UnsafeBuffer header = new UnsafeBuffer(mapped, 0, HEADER_LENGTH);
        if (MAGIC != header.getLong(MAGIC_OFFSET))
        {
            throw bad(path, "has magic 0x" + Long.toHexString(header.getLong(MAGIC_OFFSET)));
        }
        if (VERSION != header.getInt(VERSION_OFFSET))
        {
            throw bad(path, "has version " + header.getInt(VERSION_OFFSET) + ", this process knows " + VERSION);
        }

        final int maxCounters = header.getInt(MAX_COUNTERS_OFFSET);
        final int errorLogLength = header.getInt(ERROR_LOG_LENGTH_OFFSET);
        final int nameLength = header.getInt(NAME_LENGTH_OFFSET);
        if (!areLengths(maxCounters, errorLogLength) || nameLength < 0 || nameLength > MAX_NAME_LENGTH ||
            length(maxCounters, errorLogLength) != mapped.capacity())
        {
            throw bad(path, "has " + mapped.capacity() + " bytes, but its header says " + maxCounters +
                " counters, an error log of " + errorLogLength + " bytes and a name of " + nameLength);
        }

        final byte[] name = new byte[nameLength];
        header.getBytes(NAME_OFFSET, name);

        return new CountersView(
            path,
            new String(name, StandardCharsets.UTF_8),
            header.getLong(PID_OFFSET),
            header.getLong(START_TIME_OFFSET),
            new CountersReader(metadata(mapped, maxCounters), values(mapped, maxCounters)),
            errorLog(mapped, maxCounters, errorLogLength),
            mapped);
    }

    private static boolean areLengths(final int maxCounters, final int errorLogLength)
    {
        return maxCounters >= 1 && maxCounters <= MAX_COUNTERS &&
            errorLogLength >= MIN_ERROR_LOG_LENGTH && errorLogLength <= MAX_ERROR_LOG_LENGTH &&
            0 == errorLogLength % MIN_ERROR_LOG_LENGTH;
    }

    private static long length(final int maxCounters, final int errorLogLength)
    {
        return errorLogOffset(maxCounters) + errorLogLength;
    }

    private static int valuesOffset(final int maxCounters)
    {
        return HEADER_LENGTH + maxCounters * CountersReader.METADATA_LENGTH;
    }

    private static int errorLogOffset(final int maxCounters)
    {
        return valuesOffset(maxCounters) + maxCounters * CountersReader.COUNTER_LENGTH;
    }

    private static UnsafeBuffer metadata(final MappedByteBuffer mapped, final int maxCounters)
    {
        return new UnsafeBuffer(mapped, HEADER_LENGTH, maxCounters * CountersReader.METADATA_LENGTH);
    }

    private static UnsafeBuffer values(final MappedByteBuffer mapped, final int maxCounters)
    {
        return new UnsafeBuffer(mapped, valuesOffset(maxCounters), maxCounters * CountersReader.COUNTER_LENGTH);
    }

    private static UnsafeBuffer errorLog(
        final MappedByteBuffer mapped, final int maxCounters, final int errorLogLength)
    {
        return new UnsafeBuffer(mapped, errorLogOffset(maxCounters), errorLogLength);
    }

    private static IllegalStateException bad(final Path path, final String what)
    {
        return new IllegalStateException("counters file " + path + " " + what);
    }
}
