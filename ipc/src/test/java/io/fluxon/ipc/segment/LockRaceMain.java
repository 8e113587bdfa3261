package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that takes and gives back the lock of an instance again and again, against others that do the same, and
 * each time makes a file that must not be there, and removes it.
 */
final class LockRaceMain
{
    private LockRaceMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Path folder = Path.of(args[0]);
        final Path marker = folder.resolve("held");
        final int rounds = Integer.parseInt(args[1]);
        int round = 0;
        while (round < rounds)
        {
            try (SegmentLock lock = SegmentLock.acquire(folder, "node-0"))
            {
                Files.createFile(marker);
                Files.delete(marker);
                round++;
            }
            catch (final SegmentException ex)
            {
                if (ErrorCode.INVALID_ARGUMENT != ex.errorCode())
                {
                    throw ex;
                }
                Thread.yield();
            }
        }
    }
}
