package io.fluxon.tools.bench.path;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.CopyWorker;
import io.fluxon.cuda.client.PageList;
import io.fluxon.cuda.client.PagePools;
import io.fluxon.cuda.copy.CopyListener;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Side;
import io.fluxon.tools.cluster.ClusterException;

/**
 * Copies by a copy worker alone, stepped by the calling thread: no client, no owner.
 */
final class BareCopy implements CopyListener, AutoCloseable
{
    private static final long TIMEOUT_NS = SECONDS.toNanos(30);

    private final CopyWorker worker;
    private final CopyCommand command = new CopyCommand().allocate();
    private final CommandWriter writer = new CommandWriter();
    private boolean hasEnded;
    private String failure;

    BareCopy(final CopyWorker worker)
    {
        this.worker = worker;
        worker.agent().onStart();
    }

    /**
     * Copies between the values of a plan and pages.
     *
     * @return from before the copy was offered until its completion was polled, in nanoseconds.
     */
    long copy(final CopyDirection direction, final long planAddress, final PagePools pools, final PageList pages)
    {
        final Side values = CopyDirection.BACKUP == direction ? Side.TARGET : Side.SOURCE;
        final long startNs = System.nanoTime();
        writer.begin(command, pools.geometry(), pages.count())
            .plan(values, planAddress, pages.count(), 0)
            .pools(values.other(), pools.layers())
            .pageIndices(values.other(), pages.address(), pages.indexBytes())
            .end();
        hasEnded = false;
        worker.proxy().offer(0, 0, direction, CopyStrategy.AUTO, CopyProxy.NONE, CopyProxy.NONE, command);
        while (!hasEnded)
        {
            worker.agent().doWork();
            worker.proxy().poll(this, 1);
            if (System.nanoTime() - startNs > TIMEOUT_NS)
            {
                throw new ClusterException("a copy did not end within " + TIMEOUT_NS / SECONDS.toNanos(1) + " s");
            }
        }
        final long durationNs = System.nanoTime() - startNs;
        if (null != failure)
        {
            throw new ClusterException("a copy failed: " + failure);
        }
        return durationNs;
    }

    @Override
    public void onCopied(final long token, final CopyStatus status, final String reason)
    {
        hasEnded = true;
        failure = CopyStatus.DONE == status ? null : status + ": " + reason;
    }

    @Override
    public void onRecorded(final long token)
    {
    }

    @Override
    public void close()
    {
        worker.close();
    }
}
