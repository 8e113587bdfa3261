package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.ChecksumQueue;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checksums of one owner's values, computed when the work ends.
 */
public final class VirtualChecksums implements ChecksumQueue
{
    private final Queue<long[]> completions = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();
    private final DelayedWork work;
    private final WorkTimes times;
    private final UnsafeBuffer local;
    private final WorkerFaults faults;

    VirtualChecksums(final VirtualCluster cluster, final VirtualOwner owner, final WorkerFaults faults)
    {
        work = new DelayedWork(cluster.clock());
        times = new WorkTimes(cluster, owner.name() + ".checksums", faults, FaultKind.CHECKSUM_DELAYED);
        local = owner.segment();
        this.faults = faults;
    }

    @Override
    public boolean offer(final long token, final long offset, final long length)
    {
        if (work.size() + completions.size() >= faults.capacity || times.isFull())
        {
            return false;
        }
        work.add(times.endNs(), () -> completions.add(new long[]{token, checksum((int)offset, (int)length)}));
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
