package io.fluxon.tools.bench.window;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.aeron.Aeron;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.client.OwnerDescriptor;
import io.fluxon.ipc.client.ProcessIdentity;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentMapping;
import io.fluxon.tools.cluster.ClusterException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A worker of an owner, driven by the thread that calls, so that many can ask at the same time on a small machine.
 */
final class BenchWorker implements AutoCloseable
{
    /** Length of every value in bytes: the smallest slot. */
    static final int VALUE_BYTES = 4096;

    private static final int KEY_BYTES = 40;

    private final KeyBatch keys;
    private final GetHandle read;
    private final PutPlan put;
    private final WorkerClient client;
    private SegmentMapping mapping;
    private long startedNs;

    BenchWorker(final Aeron aeron, final OwnerDescriptor owner, final int streamId, final int maxKeys)
    {
        keys = new KeyBatch(maxKeys, maxKeys * KEY_BYTES);
        read = new GetHandle(maxKeys);
        put = new PutPlan(maxKeys);
        client = new WorkerClient(new WorkerClientContext()
            .nanoClock(SystemNanoClock.INSTANCE)
            .requests(AeronControlChannel.open(aeron, OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID))
            .responses(AeronMessageSource.open(aeron, OwnerDescriptor.CHANNEL, streamId, (connectionId) -> {}))
            .segmentMapper(this::map)
            .clientName("bench-" + streamId)
            .expectedGeneration(owner.generation())
            .processId(ProcessIdentity.processId())
            .processStartTime(ProcessIdentity.startTime())
            .responseStreamId(streamId)
            .maxKeysPerBatch(maxKeys));
    }

    /** One duty cycle; work count. */
    int poll()
    {
        final int work = client.poll();
        if (WorkerClient.State.CLOSED == client.state())
        {
            throw new ClusterException("the session of a worker has ended: " + client.errorMessage());
        }
        return work;
    }

    boolean isReady()
    {
        return WorkerClient.State.READY == client.state();
    }

    /** The batch of its next call. */
    KeyBatch keys()
    {
        return keys;
    }

    /** Asks for slots for the keys. */
    void startPut()
    {
        check(client.putStart(put, keys, VALUE_BYTES, null), put);
    }

    boolean isPutStarted()
    {
        check(put.errorCode(), put);
        return !put.isPending();
    }

    /** Writes values that begin with numbers from the first one on, and publishes them. */
    void commitPut(final long firstNumber)
    {
        for (int i = 0, count = put.count(); i < count; i++)
        {
            value(put.valueAddress(i)).set(JAVA_LONG, 0, firstNumber + i);
        }
        check(client.putCommit(put), put);
    }

    /** Has every value a route? */
    boolean isPutDone()
    {
        check(put.errorCode(), put);
        if (put.isReusable() && 0 != put.failedCount())
        {
            throw new ClusterException(put.failedCount() + " values were not published");
        }
        return put.isReusable();
    }

    /** Asks for the keys, all or nothing. */
    void startRead()
    {
        startedNs = System.nanoTime();
        check(client.getStart(read, keys, false, null), read);
    }

    boolean isReadStarted()
    {
        check(read.errorCode(), read);
        return GetHandle.State.STARTING != read.state();
    }

    /** When it has asked. */
    long startedNs()
    {
        return startedNs;
    }

    /** Waits from now on for the values. */
    void startTransfer()
    {
        if (keys.size() != read.transferableLen())
        {
            throw new ClusterException(
                "only " + read.transferableLen() + " of " + keys.size() + " values were found");
        }
        check(client.getTransfer(read, WorkerClient.ALL_TRANSFERABLE), read);
    }

    boolean isReadable()
    {
        check(read.errorCode(), read);
        return GetHandle.State.READABLE == read.state();
    }

    /** The number that a value begins with. */
    long number(final int index)
    {
        return value(read.valueAddress(index)).get(JAVA_LONG, 0);
    }

    void release()
    {
        check(client.releaseViews(read), read);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, mapping);
    }

    private static MemorySegment value(final long address)
    {
        return MemorySegment.ofAddress(address).reinterpret(VALUE_BYTES);
    }

    private static void check(final int code, final ClientOperation operation)
    {
        if (0 != code)
        {
            throw new ClusterException("error code " + code + ": " + operation.errorMessage());
        }
    }

    private long map(final String path, final long generation, final long mapOffset, final long length)
    {
        mapping = SegmentFile.mapForWorker(Path.of(path), generation);
        return mapping.mappedAddress();
    }
}
