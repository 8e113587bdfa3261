package io.fluxon.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.check.RouteCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("API-10")
class ResumeTest
{
    private static final long MILLI_NS = 1_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SECOND_NS;
    private static final int LENGTH = 700;

    private final ClusterOptions options = new ClusterOptions();
    private final PutPlan put = new PutPlan(4);
    private final GetHandle get = new GetHandle(4);
    private VirtualCluster cluster;
    private VirtualWorker worker;
    private VirtualOwner owner;

    @BeforeEach
    void start()
    {
        cluster = new VirtualCluster(options);
        worker = cluster.worker(0);
        owner = cluster.owner(0);
    }

    @AfterEach
    void stop()
    {
        cluster.close();
    }

    @Test
    @Tag("SLOT-7")
    void shouldLiftTheQuarantineOfPlansThatAreNamedAndLetThemCommit()
    {
        startPut("a", "b");
        pause(MINUTE_NS / 2);
        assertThat(owner.get(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner.get(OwnerCounter.SLOTS_QUARANTINED)).isEqualTo(2);
        awake();

        cluster.runFor(SECOND_NS);
        assertThat(owner.get(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(1);
        assertThat(owner.get(OwnerCounter.SESSIONS_HUNG)).isZero();
        assertThat(owner.get(OwnerCounter.SLOTS_QUARANTINED)).isZero();
        assertThat(owner.get(OwnerCounter.SLOTS_PREPARED)).isEqualTo(2);
        commit("a", "b");
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        end();
    }

    @Test
    @Tag("SLOT-7")
    void shouldCommitNothingOfAHungWorkerBeforeItHasResumed()
    {
        startPut("a");
        worker.write(put, LENGTH, "a");
        pause(MINUTE_NS / 2);
        // the commit is the first that the owner hears
        assertThat(worker.client().putCommit(put)).isZero();
        awake();
        cluster.runUntil(() -> WorkerClient.State.RESUMING == worker.client().state(), SECOND_NS);
        assertThat(owner.get(OwnerCounter.PUBLISH_JOBS_OPENED)).isZero();
        await(put);
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        end();
    }

    @Test
    void shouldReleaseOnceWhatIsNotNamedAndKeepWhatIs()
    {
        write("a", "b");
        final GetHandle kept = new GetHandle(2);
        read(kept, "a");
        read(get, "b");
        startPut("c");
        pause(MINUTE_NS / 2);
        // given back while the owner hears nothing: never sent, so not named
        assertThat(worker.client().releaseViews(get)).isZero();
        awake();
        cluster.runFor(SECOND_NS);

        assertThat(owner.get(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(1);
        assertThat(owner.get(OwnerCounter.HOLDINGS)).isEqualTo(1);
        worker.verify(kept, "a");
        assertThat(worker.client().releaseViews(kept)).isZero();
        assertThat(worker.client().putAbort(put)).isZero();
        end();
    }

    @Test
    void shouldDeliverACommitResultThatTheWorkerCouldNotHear()
    {
        startPut("a", "b");
        worker.fromOwner.drop(PutCommitResultDecoder.TEMPLATE_ID, MessageTap.ALL);
        worker.write(put, LENGTH, "a", "b");
        assertThat(worker.client().putCommit(put)).isZero();
        cluster.runFor(SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);

        worker.fromOwner.drop(PutCommitResultDecoder.TEMPLATE_ID, 0);
        worker.reconnect();
        await(put);
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(owner.get(OwnerCounter.PUBLISH_JOBS_OPENED)).isEqualTo(1);
        end();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 35, 45, 60, 80, 100, 150, 200})
    @Tag("LIFE-1")
    void shouldEndAPutAndAGetRightWhereverTheWorkerIsStopped(final int steps)
    {
        write("x");
        final GetHandle remote = new GetHandle(2);
        final VirtualWorker other = cluster.worker(1);
        startPut("a", "b");
        worker.write(put, LENGTH, "a", "b");
        assertThat(worker.client().putCommit(put)).isZero();
        assertThat(other.getStart(remote, true, null, "x")).isZero();
        final PutPlan second = new PutPlan(2);
        assertThat(worker.putStart(second, LENGTH, new PutOptions(), "c")).isZero();
        for (int i = 0; i < steps; i++)
        {
            cluster.step();
        }
        worker.paused(true);
        other.paused(true);
        cluster.runFor(MINUTE_NS / 2);
        awake();
        other.paused(false);
        if (0 == steps % 2)
        {
            worker.reconnect();
        }
        cluster.runFor(5 * SECOND_NS);

        assertThat(put.state()).isIn(PutPlan.State.DONE, PutPlan.State.FAILED);
        if (PutPlan.State.STARTED == second.state())
        {
            worker.write(second, LENGTH, "c");
            assertThat(worker.client().putCommit(second)).isZero();
        }
        if (GetHandle.State.STARTED == remote.state() && remote.transferableLen() > 0)
        {
            other.client().getTransfer(remote, -1);
            cluster.runFor(SECOND_NS);
        }
        if (GetHandle.State.READABLE == remote.state())
        {
            other.verify(remote, "x");
            other.client().releaseViews(remote);
        }
        assertThat(worker.client().state()).isEqualTo(WorkerClient.State.READY);
        assertThat(other.client().state()).isEqualTo(WorkerClient.State.READY);
        read(get, "a", "b");
        worker.client().releaseViews(get);
        cluster.runFor(2 * MINUTE_NS);
        QuietCheck.check(cluster);
        RouteCheck.check(cluster);
    }

    @Test
    void shouldKeepWhatAnOpenRequestBroughtWhoseAnswerWasLost()
    {
        write("a");
        worker.fromOwner.drop(PutStartResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        worker.fromOwner.drop(GetStartResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        assertThat(worker.putStart(put, LENGTH, new PutOptions(), "b")).isZero();
        assertThat(worker.getStart(get, true, null, "a")).isZero();
        cluster.runFor(100 * MILLI_NS);
        worker.fromOwner.drop(PutStartResponseDecoder.TEMPLATE_ID, 0);
        worker.fromOwner.drop(GetStartResponseDecoder.TEMPLATE_ID, 0);
        worker.reconnect();
        await(put);
        await(get);

        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        assertThat(get.state()).isEqualTo(GetHandle.State.STARTED);
        assertThat(owner.get(OwnerCounter.PUT_PLANS_OPENED)).isEqualTo(2);
        assertThat(worker.client().getTransfer(get, -1)).isZero();
        worker.verify(get, "a");
        worker.client().releaseViews(get);
        worker.client().putAbort(put);
        end();
    }

    @Test
    @Tag("API-9")
    void shouldReleaseEverythingOnceWhenTheProcessIsProvenGoneWhileItResumes()
    {
        write("a", "b");
        read(get, "a", "b");
        startPut("c", "d");
        pause(MINUTE_NS / 2);
        awake();
        cluster.runUntil(() -> WorkerClient.State.RESUMING == worker.client().state(), SECOND_NS);
        for (int i = 0; i < 3; i++)
        {
            cluster.step();
        }
        worker.kill();
        end();
        assertThat(owner.get(OwnerCounter.SESSIONS_CLOSED)).isEqualTo(1);
    }

    @Test
    @Tag("LIFE-2")
    void shouldNotTakeTheOwnerForDeadWhenTheWorkerItselfStoodStill()
    {
        worker.paused(true);
        cluster.clock().advance(10 * MINUTE_NS);
        worker.paused(false);
        cluster.runFor(SECOND_NS);
        assertThat(worker.client().state()).isEqualTo(WorkerClient.State.READY);
        write("a");
        end();
    }

    @Test
    @Tag("LIFE-2")
    void shouldForgetNoWorkerWhenTheOwnerItselfStoodStill()
    {
        startPut("a");
        owner.paused(true);
        cluster.runFor(MINUTE_NS / 2);
        owner.paused(false);
        cluster.runFor(5 * SECOND_NS);
        assertThat(owner.get(OwnerCounter.SESSIONS_HUNG)).isZero();
        assertThat(worker.client().state()).isEqualTo(WorkerClient.State.READY);
        commit("a");
        assertThat(put.failedCount()).isZero();
        end();
    }

    @Test
    void shouldEndTheSessionWhenItCannotBeResumedInTime()
    {
        startPut("a");
        owner.kill();
        cluster.runFor(3 * MINUTE_NS);
        assertThat(worker.client().state()).isEqualTo(WorkerClient.State.CLOSED);
        assertThat(worker.client().errorCode()).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.TRANSPORT);
    }

    private void pause(final long spanNs)
    {
        worker.paused(true);
        cluster.runFor(spanNs);
    }

    private void awake()
    {
        worker.paused(false);
    }

    private void startPut(final String... names)
    {
        assertThat(worker.putStart(put, LENGTH, new PutOptions(), names)).isZero();
        await(put);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
    }

    private void commit(final String... names)
    {
        worker.write(put, LENGTH, names);
        assertThat(worker.client().putCommit(put)).isZero();
        await(put);
    }

    private void write(final String... names)
    {
        startPut(names);
        commit(names);
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
    }

    private void read(final GetHandle handle, final String... names)
    {
        assertThat(worker.getStart(handle, true, null, names)).isZero();
        await(handle);
        assertThat(handle.transferableLen()).isEqualTo(names.length);
        assertThat(worker.client().getTransfer(handle, -1)).isZero();
        await(handle);
        worker.verify(handle, names);
    }

    private void await(final ClientOperation operation)
    {
        worker.await(operation, 5 * SECOND_NS);
    }

    private void end()
    {
        if (!worker.isDead() && GetHandle.State.READABLE == get.state())
        {
            worker.client().releaseViews(get);
        }
        cluster.runFor(2 * MINUTE_NS);
        QuietCheck.check(cluster);
        RouteCheck.check(cluster);
    }
}
