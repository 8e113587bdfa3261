package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Lock of an instance: held by one owner, given up by the kernel when the owner dies. The file names the holder and
 * stays when the lock goes.
 */
final class SegmentLock implements AutoCloseable
{
    // closing any channel of a file drops all locks that this process has on it: a file that is locked here is not
    // even opened again
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path path;
    private final FileChannel channel;

    private SegmentLock(final Path path, final FileChannel channel)
    {
        this.path = path;
        this.channel = channel;
    }

    static SegmentLock acquire(final Path folder, final String instance) throws IOException
    {
        final Path path = folder.toRealPath().resolve(instance + SegmentFile.LOCK_SUFFIX);
        synchronized (HELD_HERE)
        {
            if (!HELD_HERE.add(path))
            {
                throw refused(path, "this process, pid " + ProcessHandle.current().pid());
            }
        }

        FileChannel channel = null;
        try
        {
            channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            final FileLock lock = channel.tryLock();
            if (null == lock)
            {
                throw refused(path, Files.readString(path).trim());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                ("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));

            return new SegmentLock(path, channel);
        }
        catch (final IOException | RuntimeException ex)
        {
            if (null != channel)
            {
                channel.close();
            }
            forget(path);
            throw ex;
        }
    }

    @Override
    public void close() throws IOException
    {
        if (channel.isOpen())
        {
            try (channel)
            {
                channel.truncate(0);
            }
            finally
            {
                forget(path);
            }
        }
    }

    private static void forget(final Path path)
    {
        synchronized (HELD_HERE)
        {
            HELD_HERE.remove(path);
        }
    }

    private static SegmentException refused(final Path path, final String holder)
    {
        return new SegmentException(ErrorCode.INVALID_ARGUMENT, "the segment has an owner already: lock file " + path +
            " is held by " + holder + "; give this owner another instance_key, or stop that process", null);
    }
}
