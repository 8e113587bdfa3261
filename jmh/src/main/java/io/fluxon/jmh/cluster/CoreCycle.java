package io.fluxon.jmh.cluster;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The life of pages on a {@link CoreCluster}: put under fresh keys until every key has its global result, read back on
 * the same owner or on another, released. Values are neither written nor read. Allocates nothing itself.
 */
public final class CoreCycle
{
    private static final long VALUE_BYTES = 4096;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKeys.LENGTH]);
    private final PutOptions onlyIfAbsent = new PutOptions().rejectIfExistSameKey(true);
    private final PutOptions copied = new PutOptions().makeReplicaTask(true);
    private final CoreCluster cluster;
    private final KeyBatch keys;
    private final PutPlan put;
    private final GetHandle get;
    private final int keyCount;
    private long number;

    /**
     * A cycle.
     *
     * @param cluster     to run on.
     * @param keyCount    keys of each batch.
     * @param firstNumber of the keys; cycles on one cluster must not meet.
     */
    public CoreCycle(final CoreCluster cluster, final int keyCount, final long firstNumber)
    {
        this.cluster = cluster;
        this.keyCount = keyCount;
        number = firstNumber;
        keys = new KeyBatch(keyCount, keyCount * BenchKeys.LENGTH);
        put = new PutPlan(keyCount);
        get = new GetHandle(keyCount);
    }

    /**
     * Puts the next batch of fresh keys.
     *
     * @param worker index of the worker that puts.
     */
    public void put(final int worker)
    {
        put(worker, null);
    }

    /**
     * Puts the next batch of fresh keys, of which copies are to be made at a remote_cache owner.
     *
     * @param worker index of the worker that puts.
     */
    public void putCopied(final int worker)
    {
        put(worker, copied);
    }

    private void put(final int worker, final PutOptions options)
    {
        keys.clear();
        for (int i = 0; i < keyCount; i++)
        {
            BenchKeys.write(key, 0, number++);
            keys.add(key, 0, BenchKeys.LENGTH);
        }

        final WorkerClient client = cluster.worker(worker);
        long before = AllocationMeter.now();
        check(client.putStart(put, keys, VALUE_BYTES, options), client);
        cluster.meter().addClient(before);
        cluster.await(put);
        before = AllocationMeter.now();
        check(client.putCommit(put), client);
        cluster.meter().addClient(before);
        cluster.await(put);
        if (0 != put.failedCount())
        {
            throw new IllegalStateException(put.failedCount() + " keys were not published");
        }
    }

    /**
     * Asks to put the batch that was put last once more, only if its keys have no value: is refused.
     *
     * @param worker index of the worker that puts.
     */
    public void putRefused(final int worker)
    {
        final WorkerClient client = cluster.worker(worker);
        final long before = AllocationMeter.now();
        check(client.putStart(put, keys, VALUE_BYTES, onlyIfAbsent), client);
        cluster.meter().addClient(before);
        cluster.awaitAnswer(put);
        if (ErrorCode.KEY_ALREADY_EXISTS != put.errorCode())
        {
            throw new IllegalStateException("a put of keys that have values ended with " + put.errorCode());
        }
    }

    /**
     * Reads the batch that was put last, and releases it.
     *
     * @param worker index of the worker that reads.
     */
    public void get(final int worker)
    {
        final WorkerClient client = cluster.worker(worker);
        long before = AllocationMeter.now();
        check(client.getStart(get, keys, true, null), client);
        cluster.meter().addClient(before);
        cluster.await(get);
        before = AllocationMeter.now();
        check(client.getTransfer(get, WorkerClient.ALL_TRANSFERABLE), client);
        cluster.meter().addClient(before);
        cluster.await(get);
        if (keyCount != get.count())
        {
            throw new IllegalStateException(get.count() + " of " + keyCount + " keys were found");
        }
        before = AllocationMeter.now();
        check(client.releaseViews(get), client);
        cluster.meter().addClient(before);
    }

    /**
     * Keys of the last read that came from another owner.
     *
     * @return number of keys.
     */
    public int remoteHits()
    {
        return get.remoteHits();
    }

    private static void check(final int code, final WorkerClient client)
    {
        if (0 != code)
        {
            throw new IllegalStateException("error " + code + ": " + client.refusal());
        }
    }
}
