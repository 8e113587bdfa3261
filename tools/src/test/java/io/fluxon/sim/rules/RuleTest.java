package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.ExistsCall;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/**
 * A cluster that a test shapes and starts, and what workers do in it. After each test nothing may be left over.
 */
abstract class RuleTest
{
    static final long MICROSECOND_NS = 1_000;
    static final long MILLISECOND_NS = 1_000_000;
    static final long SECOND_NS = 1_000_000_000;
    static final int LENGTH = 700;

    final ClusterOptions options = new ClusterOptions();
    final OwnerSettings settings = new OwnerSettings();
    VirtualCluster cluster;

    void startCluster(final int owners, final int workers)
    {
        options.owners = owners;
        options.workers = workers;
        options.ownerSettings = () -> settings;
        cluster = new VirtualCluster(options);
    }

    @AfterEach
    void after()
    {
        if (null != cluster)
        {
            try (VirtualCluster closing = cluster)
            {
                closing.runFor(2 * SECOND_NS);
                QuietCheck.check(closing);
            }
        }
    }

    VirtualOwner owner(final int index)
    {
        return cluster.owner(index);
    }

    VirtualWorker worker(final int index)
    {
        return cluster.worker(index);
    }

    long atMaster(final MasterCounter counter)
    {
        return cluster.master().get(counter);
    }

    void fixedDelays(final long delayNs)
    {
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.workerRequestFaults.delayNs(delayNs);
            owner.workerAnswerFaults.delayNs(delayNs);
            owner.masterRequestFaults.delayNs(delayNs);
            owner.masterAnswerFaults.delayNs(delayNs);
        }
    }

    void isolate(final VirtualOwner owner, final boolean isIsolated)
    {
        owner.toMaster.cut(isIsolated);
        owner.fromMaster.cut(isIsolated);
    }

    void until(final PutPlan put, final PutPlan.State state)
    {
        assertThat(cluster.runUntil(() -> state == put.state(), 10 * SECOND_NS))
            .as("%s instead of %s: %s", put.state(), state, put.errorMessage()).isTrue();
    }

    void until(final GetHandle get, final GetHandle.State state)
    {
        assertThat(cluster.runUntil(() -> state == get.state(), 10 * SECOND_NS))
            .as("%s instead of %s: %s", get.state(), state, get.errorMessage()).isTrue();
    }

    PutPlan asked(final VirtualWorker worker, final PutOptions putOptions, final int length, final String... names)
    {
        final PutPlan put = new PutPlan(Math.max(1, names.length));
        assertThat(worker.putStart(put, length, putOptions, names)).as(worker.client().refusal()).isZero();
        return put;
    }

    PutPlan started(final VirtualWorker worker, final PutOptions putOptions, final String... names)
    {
        final PutPlan put = asked(worker, putOptions, LENGTH, names);
        until(put, PutPlan.State.STARTED);
        return put;
    }

    void commit(final VirtualWorker worker, final PutPlan put, final String... names)
    {
        worker.write(put, (int)put.valueLength(), names);
        assertThat(worker.client().putCommit(put)).as(worker.client().refusal()).isZero();
    }

    PutPlan localReady(final VirtualWorker worker, final PutOptions putOptions, final String... names)
    {
        final PutPlan put = started(worker, putOptions, names);
        commit(worker, put, names);
        until(put, PutPlan.State.LOCAL_READY);
        return put;
    }

    PutPlan put(final VirtualWorker worker, final PutOptions putOptions, final String... names)
    {
        final PutPlan put = started(worker, putOptions, names);
        commit(worker, put, names);
        until(put, PutPlan.State.DONE);
        return put;
    }

    PutPlan put(final VirtualWorker worker, final String... names)
    {
        final PutPlan put = put(worker, new PutOptions(), names);
        assertThat(put.failedCount()).isZero();
        return put;
    }

    PutPlan putOfLength(final VirtualWorker worker, final int length, final String... names)
    {
        final PutPlan put = asked(worker, new PutOptions(), length, names);
        until(put, PutPlan.State.STARTED);
        commit(worker, put, names);
        until(put, PutPlan.State.DONE);
        return put;
    }

    GetHandle asking(
        final VirtualWorker worker, final boolean isBestEffort, final AtomicGroups groups, final String... names)
    {
        final GetHandle get = new GetHandle(Math.max(1, names.length));
        assertThat(worker.getStart(get, isBestEffort, groups, names)).as(worker.client().refusal()).isZero();
        return get;
    }

    GetHandle got(
        final VirtualWorker worker, final boolean isBestEffort, final AtomicGroups groups, final String... names)
    {
        final GetHandle get = asking(worker, isBestEffort, groups, names);
        worker.await(get, 10 * SECOND_NS);
        assertThat(get.state()).as(get.errorMessage()).isEqualTo(GetHandle.State.STARTED);
        return get;
    }

    /** Starts to get as long a prefix as there is, each key alone. */
    GetHandle got(final VirtualWorker worker, final String... names)
    {
        return got(worker, true, alone(names.length), names);
    }

    GetHandle readable(final VirtualWorker worker, final GetHandle get, final String... names)
    {
        assertThat(worker.client().getTransfer(get, -1)).as(worker.client().refusal()).isZero();
        until(get, GetHandle.State.READABLE);
        worker.verify(get, names);
        return get;
    }

    /** Reads all of the keys and gives them back. */
    void read(final VirtualWorker worker, final String... names)
    {
        final GetHandle get = got(worker, names);
        assertThat(get.transferableLen()).isEqualTo(names.length);
        release(worker, readable(worker, get, names));
    }

    void release(final VirtualWorker worker, final GetHandle get)
    {
        assertThat(worker.client().releaseViews(get)).as(worker.client().refusal()).isZero();
    }

    void cancel(final VirtualWorker worker, final GetHandle get)
    {
        assertThat(worker.client().cancelGetTransfer(get)).as(worker.client().refusal()).isZero();
        worker.await(get, 10 * SECOND_NS);
    }

    /** Gives back what a get holds, if anything. */
    void giveBack(final VirtualWorker worker, final GetHandle get)
    {
        if (!get.isReusable())
        {
            cancel(worker, get);
        }
    }

    /** How many of the keys can be had from here, without leaving anything. */
    int reachable(final VirtualWorker worker, final String... names)
    {
        final GetHandle get = got(worker, names);
        final int count = get.transferableLen();
        giveBack(worker, get);
        return count;
    }

    boolean[] existing(final VirtualWorker worker, final String... names)
    {
        final ExistsCall call = new ExistsCall(names.length);
        assertThat(worker.client().exists(call, worker.batch(names))).isZero();
        worker.await(call, 10 * SECOND_NS);
        final boolean[] flags = new boolean[names.length];
        for (int i = 0; i < names.length; i++)
        {
            flags[i] = call.exists(i);
        }
        return flags;
    }

    static int[] results(final PutPlan put)
    {
        return IntStream.range(0, put.count()).map(put::result).toArray();
    }

    static AtomicGroups groups(final int... lengths)
    {
        final AtomicGroups groups = new AtomicGroups();
        Arrays.stream(lengths).forEach(groups::add);
        return groups;
    }

    static AtomicGroups alone(final int count)
    {
        final int[] lengths = new int[count];
        Arrays.fill(lengths, 1);
        return groups(lengths);
    }

    static PutOptions inGroups(final int... lengths)
    {
        return new PutOptions().atomicGroups(groups(lengths));
    }

    static String[] names(final String prefix, final int count)
    {
        return IntStream.range(0, count).mapToObj((i) -> prefix + i).toArray(String[]::new);
    }
}
