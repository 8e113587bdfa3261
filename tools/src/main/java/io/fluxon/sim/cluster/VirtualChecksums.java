package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.ChecksumQueue;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checksums of one owner's values, computed when the work ends.
 */
public final class VirtualChecksums implements ChecksumQueue
{
    private final Queue<long[]> completions = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    private final DelayedWork work;
    private final Random random;
    private final UnsafeBuffer local;
    private final WorkerFaults faults;

    /**
     * Creates the queue of one owner.
     *
     * @param clock  of the run.
     * @param random of the run.
     * @param local  segment of the owner.
     * @param faults of its worker.
     */
    public VirtualChecksums(
        final NanoClock clock, final Random random, final UnsafeBuffer local, final WorkerFaults faults)
    {
        this.work = new DelayedWork(clock, random);
        this.random = random;
        this.local = local;
        this.faults = faults;
    }

    @Override
    public boolean offer(final long token, final long offset, final long length)
    {
        if (work.size() + completions.size() >= faults.capacity || random.nextDouble() < faults.fullRate)
        {
            return false;
        }
        work.add(faults, () -> completions.add(new long[]{token, checksum((int)offset, (int)length)}));
        return true;
    }

    @Override
    public int poll(final ChecksumListener listener, final int limit)
    {
        if (faults.held)
        {
            return 0;
        }
        work.run(limit);
        int count = 0;
        while (count < limit && !completions.isEmpty())
        {
            final long[] completion = completions.poll();
            listener.onChecksumCompleted(completion[0], completion[1]);
            count++;
        }
        return count;
    }

    /**
     * When the next checksum is there.
     *
     * @return nanoseconds, or {@link Long#MAX_VALUE} when none is asked for.
     */
    public long earliestNs()
    {
        return completions.isEmpty() ? work.earliestNs() : 0;
    }

    private long checksum(final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        local.getBytes(offset, bytes);
        crc.reset();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }
}
