package io.fluxon.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReportResponseDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.check.RouteCheck;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("LIFE-4")
class MasterRestartTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SECOND_NS;
    private static final int LENGTH = 700;

    private final ClusterOptions options = new ClusterOptions();
    private VirtualCluster cluster;
    private VirtualWorker writer;
    private VirtualWorker reader;

    @BeforeEach
    void start()
    {
        options.ownerSettings = () -> new OwnerSettings().reportKeys(2).planSliceKeys(2);
        options.grantsPerOwner = 2;
        options.reserveHardTimeoutNs = 3 * SECOND_NS;
        cluster = new VirtualCluster(options);
        writer = cluster.worker(0);
        reader = cluster.worker(1);
    }

    @AfterEach
    void stop()
    {
        cluster.close();
    }

    @Test
    void shouldRebuildTheRoutesFromWhatOwnersReport()
    {
        write(writer, "a", "b", "c", "d", "e");
        read(reader, "a", "b");
        restart();
        cluster.runFor(20 * SECOND_NS);

        assertThat(cluster.master().get(MasterCounter.REPORTS)).isEqualTo(2);
        assertThat(cluster.master().get(MasterCounter.ROUTES)).isEqualTo(5);
        assertThat(cluster.master().get(MasterCounter.REPLICAS)).isEqualTo(7);
        read(reader, "c", "d", "e");
        end();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 75, 100})
    @Tag("LIFE-1")
    void shouldEndAPutAndARemoteGetRightWhereverTheMasterIsRestarted(final int steps)
    {
        write(writer, "x", "y");
        final PutPlan put = new PutPlan(2);
        final GetHandle get = new GetHandle(2);
        startPut(writer, put, "a", "b");
        writer.write(put, LENGTH, "a", "b");
        assertThat(writer.client().putCommit(put)).isZero();
        assertThat(reader.getStart(get, true, null, "x", "y")).isZero();
        for (int i = 0; i < steps; i++)
        {
            cluster.step();
            if (GetHandle.State.STARTED == get.state() && get.transferableLen() > 0)
            {
                assertThat(reader.client().getTransfer(get, -1)).isZero();
            }
        }
        restart();
        cluster.runFor(30 * SECOND_NS);

        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        if (GetHandle.State.STARTED == get.state() && get.transferableLen() > 0)
        {
            reader.client().getTransfer(get, -1);
            cluster.runFor(SECOND_NS);
        }
        if (GetHandle.State.READABLE == get.state())
        {
            reader.verify(get, "x", "y");
            assertThat(reader.client().releaseViews(get)).isZero();
        }
        assertThat(get.isReusable()).isTrue();
        read(reader, "a", "b");
        read(reader, "x", "y");
        end();
    }

    @Test
    void shouldCommitOnceWhatTheOldMasterHadPublishedWhenItsAnswerWasLost()
    {
        final PutPlan put = new PutPlan(2);
        startPut(writer, put, "a", "b");
        writer.write(put, LENGTH, "a", "b");
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        assertThat(writer.client().putCommit(put)).isZero();
        cluster.runFor(SECOND_NS);
        assertThat(cluster.master().get(MasterCounter.ROUTES)).isEqualTo(2);
        restart();
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, 0);
        cluster.runFor(20 * SECOND_NS);

        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(cluster.master().get(MasterCounter.VALUES_REPORTED)).isZero();
        assertThat(cluster.master().get(MasterCounter.ROUTES)).isEqualTo(2);
        end();
    }

    @Test
    void shouldExecuteNothingBeforeTheReportIsCompleteAndGoOnAfterwards()
    {
        write(writer, "a", "b", "c");
        cluster.owner(0).fromMaster.drop(ReportResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        restart();
        cluster.runFor(20 * SECOND_NS);
        final PutPlan put = new PutPlan(1);
        startPut(writer, put, "d");
        writer.write(put, LENGTH, "d");
        assertThat(writer.client().putCommit(put)).isZero();
        cluster.runFor(10 * SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        assertThat(cluster.master().get(MasterCounter.PUBLISHES)).isZero();
        assertThat(cluster.master().get(MasterCounter.OPERATIONS_TOO_EARLY)).isZero();

        cluster.owner(0).fromMaster.drop(ReportResponseDecoder.TEMPLATE_ID, 0);
        cluster.runFor(10 * SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(cluster.master().get(MasterCounter.VALUES_REPORTED)).isEqualTo(3);
        end();
    }

    @Test
    void shouldTakeEachPartOnceHoweverOftenItComes()
    {
        write(writer, "a", "b", "c", "d", "e");
        cluster.owner(0).toMaster.duplicate(ReportRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        cluster.owner(0).fromMaster.duplicate(ReportResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        restart();
        cluster.runFor(20 * SECOND_NS);
        assertThat(cluster.master().get(MasterCounter.VALUES_REPORTED)).isEqualTo(5);
        end();
    }

    @Test
    void shouldKeepTheFirstRouteWhenAKeyIsReportedUnderTwoPutIds()
    {
        write(writer, "a");
        // the second owner publishes the key anew while the first is not known
        cluster.owner(0).toMaster.cut(true);
        cluster.owner(0).fromMaster.cut(true);
        restart();
        cluster.runFor(20 * SECOND_NS);
        write(reader, "a");
        cluster.owner(0).toMaster.cut(false);
        cluster.owner(0).fromMaster.cut(false);
        cluster.runFor(20 * SECOND_NS);

        assertThat(cluster.master().get(MasterCounter.VALUES_DROPPED)).isEqualTo(1);
        assertThat(cluster.owner(0).get(OwnerCounter.VALUES_DROPPED)).isEqualTo(1);
        assertThat(cluster.owner(0).get(OwnerCounter.SLOTS_COMMITTED)).isZero();
        read(writer, "a");
        end();
    }

    @Test
    @Tag("T1")
    void shouldTakeAGetDoneForStaleWhenTheNewMasterDoesNotKnowTheGet()
    {
        write(writer, "a");
        cluster.owner(1).fromMaster.drop(BatchGetDoneResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        final GetHandle get = new GetHandle(1);
        assertThat(reader.getStart(get, true, null, "a")).isZero();
        reader.await(get, SECOND_NS);
        assertThat(reader.client().getTransfer(get, -1)).isZero();
        cluster.runFor(SECOND_NS / 2);
        restart();
        cluster.owner(1).fromMaster.drop(BatchGetDoneResponseDecoder.TEMPLATE_ID, 0);
        cluster.runFor(30 * SECOND_NS);
        assertThat(get.state()).isEqualTo(GetHandle.State.FAILED);
        assertThat(cluster.owner(1).get(OwnerCounter.SLOTS_COMMITTED)).isZero();
        read(reader, "a");
        end();
    }

    @Test
    void shouldReconcileAnOwnerThatStoodStillSoLongThatTheMasterGaveItUp()
    {
        write(writer, "a", "b", "c");
        final PutPlan put = new PutPlan(1);
        startPut(writer, put, "d");
        writer.write(put, LENGTH, "d");
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        assertThat(writer.client().putCommit(put)).isZero();
        cluster.runFor(SECOND_NS);
        cluster.owner(0).paused(true);
        cluster.runFor(MINUTE_NS);
        assertThat(cluster.master().get(MasterCounter.OWNERS_EXPIRED)).isEqualTo(1);
        assertThat(cluster.master().get(MasterCounter.ROUTES)).isZero();
        cluster.owner(0).paused(false);
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, 0);
        cluster.runFor(20 * SECOND_NS);

        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(cluster.master().get(MasterCounter.ROUTES)).isEqualTo(4);
        read(reader, "a", "b", "c", "d");
        end();
    }

    @Test
    @Tag("LIFE-2")
    void shouldForgetNobodyWhenTheMasterStoodStill()
    {
        write(writer, "a");
        cluster.master().paused(true);
        cluster.clock().advance(10 * MINUTE_NS);
        cluster.master().paused(false);
        cluster.runFor(20 * SECOND_NS);
        assertThat(cluster.master().get(MasterCounter.OWNERS_EXPIRED)).isZero();
        read(reader, "a");
        end();
    }

    @Test
    @Tag("LIFE-3")
    void shouldServeWithoutAMasterUntilAClassIsFullAndSettleWhenItIsBack()
    {
        write(writer, "a");
        final GetHandle held = hold(writer, "a");
        cluster.master().kill();
        cluster.runFor(20 * SECOND_NS);
        final List<PutPlan> puts = new ArrayList<>();
        PutPlan last = null;
        for (int i = 0; i < 40 && null == last; i++)
        {
            final PutPlan put = new PutPlan(1);
            assertThat(writer.putStart(put, LENGTH, new PutOptions(), "k" + i)).isZero();
            writer.await(put, 10 * SECOND_NS);
            if (PutPlan.State.STARTED == put.state())
            {
                writer.write(put, LENGTH, "k" + i);
                assertThat(writer.client().putCommit(put)).isZero();
                puts.add(put);
                cluster.runFor(SECOND_NS / 100);
                read(writer, "k" + i);
            }
            else
            {
                last = put;
            }
        }
        assertThat(last).isNotNull();
        assertThat(last.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(last.stage()).isEqualTo(WaitStage.MASTER_AWAY);
        assertThat(puts).hasSize(31);
        assertThat(puts).allMatch((put) -> PutPlan.State.LOCAL_READY == put.state());

        cluster.master().restart();
        cluster.runFor(30 * SECOND_NS);
        assertThat(puts).allMatch((put) -> PutPlan.State.DONE == put.state() && 0 == put.failedCount());
        assertThat(writer.client().state()).isEqualTo(WorkerClient.State.READY);
        // the hot window takes 31 of the 32 slots: a value that nobody holds goes, as the master can be asked again
        assertThat(cluster.owner(0).get(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        read(reader, "a", "k3");
        assertThat(writer.client().releaseViews(held)).isZero();
        end();
    }

    private void restart()
    {
        cluster.master().kill();
        cluster.runFor(SECOND_NS);
        cluster.master().restart();
    }

    private void startPut(final VirtualWorker worker, final PutPlan put, final String... names)
    {
        assertThat(worker.putStart(put, LENGTH, new PutOptions(), names)).isZero();
        worker.await(put, 5 * SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
    }

    private void write(final VirtualWorker worker, final String... names)
    {
        final PutPlan put = new PutPlan(names.length);
        startPut(worker, put, names);
        worker.write(put, LENGTH, names);
        assertThat(worker.client().putCommit(put)).isZero();
        worker.await(put, 5 * SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
    }

    private void read(final VirtualWorker worker, final String... names)
    {
        assertThat(worker.client().releaseViews(hold(worker, names))).isZero();
    }

    private GetHandle hold(final VirtualWorker worker, final String... names)
    {
        final GetHandle get = new GetHandle(names.length);
        assertThat(worker.getStart(get, true, null, names)).isZero();
        worker.await(get, 10 * SECOND_NS);
        assertThat(get.transferableLen()).isEqualTo(names.length);
        assertThat(worker.client().getTransfer(get, -1)).isZero();
        worker.await(get, 10 * SECOND_NS);
        worker.verify(get, names);
        return get;
    }

    private void end()
    {
        cluster.runFor(2 * MINUTE_NS);
        QuietCheck.check(cluster);
        RouteCheck.check(cluster);
    }
}
