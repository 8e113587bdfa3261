package io.fluxon.engine.transfer.ucx;

import io.fluxon.engine.transfer.Submission;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/**
 * The own side of all connections: UCX's context and worker, the own segment, whose grants are registered once, and the
 * submissions that are under way.
 */
final class UcxLocal implements AutoCloseable
{
    private final long baseAddress;
    private final long segmentLength;
    private final long grantsOffset;
    private final long timeoutNs;
    private final Long2ObjectHashMap<UcxWork> works = new Long2ObjectHashMap<>();
    private final ArrayList<UcxWork> pool = new ArrayList<>();
    private final UnsafeBuffer source = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private final UcpContext context;
    private UcpWorker worker;
    private UcpMemory memory;
    private long lastWorkId;

    UcxLocal(final MemorySegment segment, final long grantsOffset, final long timeoutNs)
    {
        baseAddress = segment.address();
        segmentLength = segment.byteSize();
        this.grantsOffset = grantsOffset;
        this.timeoutNs = timeoutNs;
        context = new UcpContext(new UcpParams().requestAmFeature());
        try
        {
            worker = context.newWorker(new UcpWorkerParams());
            // a network card that needs a registration finds this one, whichever slot it moves
            memory = context.memoryMap(new UcpMemMapParams()
                .setAddress(baseAddress + grantsOffset)
                .setLength(segmentLength - grantsOffset));
        }
        catch (final UcxException ex)
        {
            close();
            throw ex;
        }
    }

    UcpWorker worker()
    {
        return worker;
    }

    long timeoutNs()
    {
        return timeoutNs;
    }

    long addressOf(final long offset)
    {
        return baseAddress + offset;
    }

    /** Does a value lie there, within the grants? */
    boolean contains(final long offset, final long length)
    {
        return length > 0 && offset >= grantsOffset && offset <= segmentLength - length;
    }

    void write(final long offset, final long fromAddress, final int length)
    {
        source.wrap(fromAddress, length);
        target.wrap(addressOf(offset), length);
        target.putBytes(0, source, 0, length);
    }

    int progress()
    {
        try
        {
            return worker.progress();
        }
        catch (final Exception ex)
        {
            throw new UcxFailure("UCX does not go on", ex);
        }
    }

    /** Begins a submission; answers to it are found by its id from now on. */
    UcxWork begin(final Submission submission)
    {
        final UcxWork work = pool.isEmpty() ? new UcxWork() : pool.remove(pool.size() - 1);
        work.init(++lastWorkId, submission);
        works.put(lastWorkId, work);
        return work;
    }

    UcxWork work(final long id)
    {
        return works.get(id);
    }

    /** Answers to it are dropped from now on. */
    void forget(final UcxWork work)
    {
        works.remove(work.id());
    }

    /** Ends it: nothing of UCX refers to it any more. */
    void recycle(final UcxWork work)
    {
        forget(work);
        pool.add(work);
    }

    @Override
    public void close()
    {
        if (null != memory)
        {
            memory.close();
        }
        if (null != worker)
        {
            worker.close();
        }
        context.close();
    }
}
