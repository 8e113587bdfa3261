package io.fluxon.ipc.counters;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersManager;

import java.nio.file.Path;

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

    private CountersFile()
    {
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
        return new CountersFile();
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
        return null;
    }

    /**
     * Path of the file.
     *
     * @return absolute path.
     */
    public Path path()
    {
        return null;
    }

    /**
     * The counters.
     *
     * @return manager of them; allocation is not thread-safe.
     */
    public CountersManager counters()
    {
        return null;
    }

    /**
     * The log of distinct errors.
     *
     * @return the log; thread-safe.
     */
    public DistinctErrorLog errorLog()
    {
        return null;
    }

    /** Unmaps the file and leaves it for readers; repeated calls do nothing. Counters must not be written after it. */
    @Override
    public void close()
    {
    }
}
