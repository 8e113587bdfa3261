package io.fluxon.ipc.counters;

import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.ErrorConsumer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/**
 * The reader's side of a counters file of another process. It writes nothing but the control toggle.
 */
public final class CountersView implements AutoCloseable
{
    private final Path path;
    private final String name;
    private final long pid;
    private final long startTimeMs;
    private final CountersReader counters;
    private final AtomicBuffer errorLog;
    private MappedByteBuffer mapped;

    CountersView(
        final Path path,
        final String name,
        final long pid,
        final long startTimeMs,
        final CountersReader counters,
        final UnsafeBuffer errorLog,
        final MappedByteBuffer mapped)
    {
        this.path = path;
        this.name = name;
        this.pid = pid;
        this.startTimeMs = startTimeMs;
        this.counters = counters;
        this.errorLog = errorLog;
        this.mapped = mapped;
    }

    /**
     * Path of the file.
     *
     * @return path as given.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Name that the process gave itself.
     *
     * @return name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Process that writes the file (or wrote it).
     *
     * @return process id.
     */
    public long pid()
    {
        return pid;
    }

    /**
     * When the file was created.
     *
     * @return milliseconds since the epoch.
     */
    public long startTimeMs()
    {
        return startTimeMs;
    }

    /**
     * The counters.
     *
     * @return reader of them.
     */
    public CountersReader counters()
    {
        return counters;
    }

    /**
     * Buffer of the distinct error log, for {@link ErrorLogReader}.
     *
     * @return the buffer.
     */
    public AtomicBuffer errorLogBuffer()
    {
        return errorLog;
    }

    /**
     * Reads the distinct errors.
     *
     * @param consumer         called for each.
     * @param sinceTimestampMs only those observed at or after it.
     * @return number of errors.
     */
    public int readErrors(final ErrorConsumer consumer, final long sinceTimestampMs)
    {
        return ErrorLogReader.read(errorLog, consumer, sinceTimestampMs);
    }

    /**
     * Toggle to ask the process for something.
     *
     * @return the toggle, or null when the process has none.
     */
    public ControlToggle toggle()
    {
        return ControlToggle.find(counters);
    }

    /** Unmaps; repeated calls do nothing. Nothing obtained from this view may be used after it. */
    @Override
    public void close()
    {
        if (null != mapped)
        {
            IoUtil.unmap(mapped);
            mapped = null;
        }
    }
}
