package io.fluxon.engine.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * Makes sure that a directory has one process, and gives it a start stamp greater than that of each one before. The
 * file, beside the directory, names the process and its stamp. It stays when the process ends, also cleanly, because a
 * clock that was set back must not give a stamp again.
 */
final class InstanceLock implements AutoCloseable
{
    // closing any channel of a file drops all locks that this process has on it: a file that is locked here is not
    // even opened again
    private static final Set<Path> HELD_HERE = new HashSet<>();
    private static final String SUFFIX = ".generation";
    private static final Pattern CONTENT = Pattern.compile("pid (\\d+) stamp (\\d+)\n");
    private static final int MAX_CONTENT_BYTES = 64;

    private final Path path;
    private final FileChannel channel;
    private final long stamp;

    private InstanceLock(final Path path, final FileChannel channel, final long stamp)
    {
        this.path = path;
        this.channel = channel;
        this.stamp = stamp;
    }

    /**
     * The file for a directory.
     *
     * @param directory of a process.
     * @return path beside it.
     */
    static Path pathOf(final Path directory)
    {
        return directory.resolveSibling(directory.getFileName() + SUFFIX);
    }

    static InstanceLock acquire(final Path path, final long nowMs)
    {
        synchronized (HELD_HERE)
        {
            if (!HELD_HERE.add(path))
            {
                throw refused(path, "pid " + ProcessHandle.current().pid());
            }
        }
        try
        {
            return lock(path, nowMs);
        }
        catch (final IOException ex)
        {
            forget(path);
            throw new HostException("cannot lock " + path + ": " + ex, ex);
        }
        catch (final RuntimeException ex)
        {
            forget(path);
            throw ex;
        }
    }

    /**
     * Start stamp.
     *
     * @return milliseconds of the epoch, or more when the clock went backwards.
     */
    long stamp()
    {
        return stamp;
    }

    @Override
    public void close() throws IOException
    {
        if (channel.isOpen())
        {
            try
            {
                channel.close();
            }
            finally
            {
                forget(path);
            }
        }
    }

    private static InstanceLock lock(final Path path, final long nowMs) throws IOException
    {
        final FileChannel channel = FileChannel.open(path, CREATE, READ, WRITE);
        try
        {
            if (null == channel.tryLock())
            {
                throw refused(path, read(channel).trim());
            }
            final Matcher matcher = CONTENT.matcher(read(channel));
            final long previous = matcher.lookingAt() ? Long.parseLong(matcher.group(2)) : 0;
            final long stamp = Math.max(previous + 1, nowMs);
            write(channel, "pid " + ProcessHandle.current().pid() + " stamp " + stamp + "\n");
            return new InstanceLock(path, channel, stamp);
        }
        catch (final IOException | RuntimeException ex)
        {
            channel.close();
            throw ex;
        }
    }

    /** Through the locked channel: to read before locking is to read what another may change meanwhile. */
    private static String read(final FileChannel channel) throws IOException
    {
        final ByteBuffer content = ByteBuffer.allocate(MAX_CONTENT_BYTES);
        channel.read(content, 0);
        return new String(content.array(), 0, content.position(), US_ASCII);
    }

    /** At no instant is the file without a stamp, or a death would lose it. */
    private static void write(final FileChannel channel, final String content) throws IOException
    {
        channel.write(ByteBuffer.wrap(content.getBytes(US_ASCII)), 0);
        channel.truncate(content.length());
    }

    private static void forget(final Path path)
    {
        synchronized (HELD_HERE)
        {
            HELD_HERE.remove(path);
        }
    }

    private static HostException refused(final Path path, final String holder)
    {
        return new HostException("another process runs in this directory: lock file " + path + " is held by " + holder +
            "; use another instance_key or share_mem_path, or stop that process", null);
    }
}
