package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.sim.cluster.WireObserver;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/**
 * A cluster of good processes under the checkers, whose state and messages a test breaks by hand: each checker has to
 * say so.
 */
abstract class CheckerTest
{
    static final long SECOND_NS = 1_000_000_000;
    static final int LENGTH = 700;

    final ClusterOptions options = new ClusterOptions();
    VirtualCluster cluster;
    Checks checks;
    private final List<Seen> seen = new ArrayList<>();

    /** A message of the run. */
    record Seen(VirtualNetwork.Link link, UnsafeBuffer bytes, boolean isSent)
    {
        int templateId()
        {
            return bytes.getShort(2) & 0xFFFF;
        }
    }

    void start(final int owners, final int workers)
    {
        options.owners = owners;
        options.workers = workers;
        cluster = new VirtualCluster(options, (made) ->
        {
            checks = new Checks(made, 1);
            made.network().observe(new Recorder());
        });
    }

    /** Remembers all messages. */
    private final class Recorder implements WireObserver
    {
        @Override
        public void onSent(final VirtualNetwork.Link link, final DirectBuffer message)
        {
            add(link, message, true);
        }

        @Override
        public void onDelivered(final VirtualNetwork.Link link, final DirectBuffer message)
        {
            add(link, message, false);
        }

        private void add(final VirtualNetwork.Link link, final DirectBuffer message, final boolean isSent)
        {
            final byte[] bytes = new byte[message.capacity()];
            message.getBytes(0, bytes);
            seen.add(new Seen(link, new UnsafeBuffer(bytes), isSent));
        }
    }

    @AfterEach
    void close()
    {
        if (null != cluster)
        {
            cluster.close();
        }
    }

    OwnerWatch owner(final int index)
    {
        return checks.of(cluster.owner(index));
    }

    VirtualWorker worker(final int index)
    {
        return cluster.worker(index);
    }

    <T extends Checker> T checker(final Class<T> type)
    {
        return checks.checkers().stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }

    /** The action breaks a rule, and the checker whose action it is watches that. */
    void assertBroken(final Class<? extends Checker> type, final String rule, final ThrowingCallable action)
    {
        final Throwable thrown = catchThrowable(action);
        assertThat(thrown).isInstanceOf(Violation.class);
        assertThat(((Violation)thrown).rule()).as(thrown.getMessage()).isEqualTo(rule);
        assertThat(checker(type).rules()).contains(rule);
    }

    /** The last message of a template, as it was sent or delivered. */
    Seen last(final int templateId, final boolean isSent)
    {
        return last(templateId, isSent, (message) -> true);
    }

    Seen last(final int templateId, final boolean isSent, final Predicate<Seen> isWanted)
    {
        for (int i = seen.size() - 1; i >= 0; i--)
        {
            if (seen.get(i).isSent == isSent && templateId == seen.get(i).templateId() && isWanted.test(seen.get(i)))
            {
                return seen.get(i);
            }
        }
        throw new IllegalStateException("no message of template " + templateId);
    }

    /** Shows a checker a changed copy of the last message of a template once more. */
    void again(final Checker checker, final int templateId, final boolean isSent, final Consumer<UnsafeBuffer> change)
    {
        final Seen message = last(templateId, isSent);
        show(checker, message.link, message.bytes.byteArray().clone(), isSent, change);
    }

    void show(
        final Checker checker,
        final VirtualNetwork.Link link,
        final byte[] bytes,
        final boolean isSent,
        final Consumer<UnsafeBuffer> change)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(bytes);
        change.accept(copy);
        final Message message = new Message();
        message.wrap(link, cluster.clock().nanoTime(), copy, 0, copy.capacity());
        if (isSent)
        {
            checker.onSent(message);
        }
        else
        {
            checker.onDelivered(message);
        }
    }

    PutAttempt asked(final int worker, final PutOptions putOptions, final int[] groups, final String... names)
    {
        final PutPlan plan = new PutPlan(names.length);
        assertThat(worker(worker).putStart(plan, LENGTH, putOptions, names)).isZero();
        return checks.clients().onPutAsked(worker(worker), plan, new PutRequest(
            LENGTH, groups, putOptions.rejectIfExistSameKey(), putOptions.rejectIfInflightSameKey(),
            putOptions.makeReplicaTask() ? wishes(putOptions, names.length) : null, names));
    }

    private static boolean[] wishes(final PutOptions putOptions, final int count)
    {
        final boolean[] wishes = new boolean[count];
        for (int i = 0; i < count; i++)
        {
            wishes[i] = null == putOptions.mask() || putOptions.mask()[i];
        }
        return wishes;
    }

    /** A put that is being written. */
    PutAttempt started(final int worker, final String... names)
    {
        final PutAttempt put = asked(worker, new PutOptions(), null, names);
        until(put.plan, PutPlan.State.STARTED);
        checks.clients().onPutStarted(put);
        return put;
    }

    PutAttempt committed(final int worker, final String... names)
    {
        final PutAttempt put = started(worker, names);
        put.write();
        checks.clients().onCommitCalled(put);
        assertThat(worker(worker).client().putCommit(put.plan)).isZero();
        return put;
    }

    PutAttempt localReady(final int worker, final String... names)
    {
        final PutAttempt put = committed(worker, names);
        until(put.plan, PutPlan.State.LOCAL_READY);
        return put;
    }

    PutAttempt done(final int worker, final String... names)
    {
        final PutAttempt put = committed(worker, names);
        until(put.plan, PutPlan.State.DONE);
        checks.clients().onPutDone(put);
        return put;
    }

    void until(final PutPlan put, final PutPlan.State state)
    {
        assertThat(cluster.runUntil(() -> state == put.state(), 5 * SECOND_NS)).as("%s", put.state()).isTrue();
    }

    /** A get whose result is there. */
    ReadAttempt got(final int worker, final String... names)
    {
        final GetHandle handle = new GetHandle(names.length);
        final AtomicGroups groups = new AtomicGroups();
        final int[] lengths = new int[names.length];
        for (int i = 0; i < names.length; i++)
        {
            groups.add(1);
            lengths[i] = 1;
        }
        assertThat(worker(worker).getStart(handle, true, groups, names)).isZero();
        final ReadAttempt get = checks.clients().onGetAsked(worker(worker), handle, true, lengths, names);
        assertThat(cluster.runUntil(() -> GetHandle.State.STARTED == handle.state(), 5 * SECOND_NS)).isTrue();
        return get;
    }

    ReadAttempt readable(final int worker, final String... names)
    {
        final ReadAttempt get = got(worker, names);
        assertThat(worker(worker).client().getTransfer(get.get, -1)).isZero();
        assertThat(cluster.runUntil(() -> GetHandle.State.READABLE == get.get.state(), 5 * SECOND_NS)).isTrue();
        checks.clients().onReadable(get);
        return get;
    }

    /** The slot of a key. */
    int slot(final int ownerIndex, final String key)
    {
        return cluster.owner(ownerIndex).slotsOf(key).getFirst();
    }

    void state(final int ownerIndex, final int slotId, final SlotState state)
    {
        call(owner(ownerIndex).table(), "state", new Class<?>[]{int.class, SlotState.class}, slotId, state);
    }

    Object core(final int ownerIndex)
    {
        return call(cluster.owner(ownerIndex).agent(), "core", new Class<?>[0]);
    }

    void count(final int ownerIndex, final OwnerCounter counter)
    {
        call(get(core(ownerIndex), "counters"), "increment", new Class<?>[]{OwnerCounter.class}, counter);
    }

    static Object get(final Object target, final String name)
    {
        try
        {
            return field(target, name).get(target);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    static void set(final Object target, final String name, final Object value)
    {
        try
        {
            field(target, name).set(target, value);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    static Object call(final Object target, final String name, final Class<?>[] types, final Object... args)
    {
        try
        {
            final Method method = target.getClass().getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(target, args);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static Field field(final Object target, final String name) throws NoSuchFieldException
    {
        final Field field = target.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
