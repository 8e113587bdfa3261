package io.fluxon.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory for everything a cluster leaves on this machine, in memory where the machine has {@code /dev/shm}. Its
 * name carries the process id, so that what a killed process left behind is found and removed by the next one.
 */
public final class WorkDirectory implements AutoCloseable
{
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "fluxon-demo-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "(\\d+)-.*");

    private final Path path;

    private WorkDirectory(final Path path)
    {
        this.path = path;
    }

    /**
     * Creates a directory.
     *
     * @return the directory.
     * @throws ClusterException if none can be created.
     */
    public static WorkDirectory create()
    {
        final Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        final Path parent = Files.isDirectory(MEMORY) && Files.isWritable(MEMORY) ? MEMORY : temporary;
        try
        {
            removeAbandoned(parent);
            return new WorkDirectory(
                Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-"));
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot create a directory in " + parent + ": " + ex.getMessage());
        }
    }

    private static void removeAbandoned(final Path parent) throws IOException
    {
        final List<Path> candidates;
        try (Stream<Path> entries = Files.list(parent))
        {
            candidates = entries.toList();
        }
        for (final Path candidate : candidates)
        {
            final Matcher matcher = NAME.matcher(candidate.getFileName().toString());
            if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty())
            {
                removeAll(candidate);
            }
        }
    }

    /**
     * Where the directory is.
     *
     * @return its path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Bytes that the file system of the directory can still take.
     *
     * @return number of bytes.
     */
    public long usableBytes()
    {
        try
        {
            return Files.getFileStore(path).getUsableSpace();
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot find the free space of " + path + ": " + ex.getMessage());
        }
    }

    /** Removes the directory with everything in it; repeated calls do nothing. */
    @Override
    public void close()
    {
        removeAll(path);
    }

    private static void removeAll(final Path root)
    {
        if (Files.exists(root))
        {
            try (Stream<Path> entries = Files.walk(root))
            {
                entries.sorted(Comparator.reverseOrder()).forEach(WorkDirectory::remove);
            }
            catch (final IOException ex)
            {
                System.err.println("cannot remove " + root + ": " + ex.getMessage());
            }
        }
    }

    private static void remove(final Path entry)
    {
        try
        {
            Files.deleteIfExists(entry);
        }
        catch (final IOException ex)
        {
            System.err.println("cannot remove " + entry + ": " + ex.getMessage());
        }
    }
}
