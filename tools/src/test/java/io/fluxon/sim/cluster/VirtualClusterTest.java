package io.fluxon.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import org.junit.jupiter.api.Test;

class VirtualClusterTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldReadOnBothOwnersWhatOneWorkerPut()
    {
        try (VirtualCluster cluster = new VirtualCluster(new ClusterOptions()))
        {
            final VirtualWorker writer = cluster.worker(0);
            final VirtualWorker reader = cluster.worker(1);
            assertThat(writer.client().state()).isEqualTo(WorkerClient.State.READY);
            final PutPlan put = new PutPlan(3);
            assertThat(writer.putStart(put, 5_000, new PutOptions(), "a", "b", "c")).isZero();
            writer.await(put, SECOND_NS);
            assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
            writer.write(put, 5_000, "a", "b", "c");
            assertThat(writer.client().putCommit(put)).isZero();
            writer.await(put, SECOND_NS);
            assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
            assertThat(put.failedCount()).isZero();

            readAndRelease(writer, 0);
            readAndRelease(reader, 3);
            readAndRelease(reader, 0);
            assertThat(cluster.owner(1).get(OwnerCounter.DESCRIPTORS)).isEqualTo(3);
            cluster.runFor(SECOND_NS);
            for (final VirtualOwner owner : cluster.owners())
            {
                assertThat(owner.get(OwnerCounter.HOLDINGS)).isZero();
                assertThat(owner.errors()).isEmpty();
            }
        }
    }

    private static void readAndRelease(final VirtualWorker worker, final int remoteHits)
    {
        final GetHandle get = new GetHandle(3);
        assertThat(worker.getStart(get, true, null, "a", "b", "c")).isZero();
        worker.await(get, SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        assertThat(get.transferableLen()).isEqualTo(3);
        assertThat(get.remoteHits()).isEqualTo(remoteHits);
        assertThat(worker.client().getTransfer(get, -1)).isZero();
        worker.await(get, SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        worker.verify(get, "a", "b", "c");
        assertThat(worker.client().releaseViews(get)).isZero();
    }
}
