package io.fluxon.engine.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that takes and gives back an instance lock again and again, against others that do the same. Each time it
 * makes a file that must not be there, removes it, and prints the stamp that it was given; the clock stands still.
 */
public final class LockRaceMain
{
    private LockRaceMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final Path path = Path.of(args[0]);
        final Path marker = path.resolveSibling("held");
        final int rounds = Integer.parseInt(args[1]);
        final StringBuilder stamps = new StringBuilder();
        int round = 0;
        while (round < rounds)
        {
            try (InstanceLock lock = InstanceLock.acquire(path, 0))
            {
                Files.createFile(marker);
                stamps.append(lock.stamp()).append('\n');
                Files.delete(marker);
                round++;
            }
            catch (final HostException ex)
            {
                if (!ex.getMessage().contains("is held by"))
                {
                    throw ex;
                }
                Thread.yield();
            }
        }
        System.out.print(stamps);
    }
}
