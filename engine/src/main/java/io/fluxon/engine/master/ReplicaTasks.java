package io.fluxon.engine.master;

import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;

import static io.fluxon.engine.master.MasterCounter.REPLICA_PAGES_APPENDED;
import static io.fluxon.engine.master.MasterCounter.REPLICA_PAGES_GIVEN_UP;
import static io.fluxon.engine.master.MasterCounter.REPLICA_PAGES_RENEWED;
import static io.fluxon.engine.master.MasterCounter.REPLICA_PAGES_TARGETED;
import static io.fluxon.engine.master.MasterCounter.REPLICA_TASKS;

/**
 * The replica tasks under way (contract REPL-1). A target is asked again and again until it has appended the group or
 * given up; a task ends by that, by time, or with its target. Its source is told once. Bounded (contract BOUND-1).
 */
final class ReplicaTasks
{
    private static final int TASKS_PER_SLICE = 64;
    private static final int RESEND_MS = 100;
    private static final int NS_PER_MS = 1_000_000;
    private static final int EPOCH_SHIFT = 20;

    private final Long2ObjectHashMap<ReplicaTask> byId = new Long2ObjectHashMap<>();
    private final ArrayList<ReplicaTask> tasks = new ArrayList<>();
    private final ArrayList<ReplicaTask> free = new ArrayList<>();
    private final MasterContext context;
    private final MasterState state;
    private final MasterCounters counters;
    private final MasterPublisher publisher;
    private final int ttlMs;
    private long lastTaskId;
    private int nextToLookAt;

    ReplicaTasks(
        final MasterContext context,
        final MasterState state,
        final MasterCounters counters,
        final MasterPublisher publisher)
    {
        this.context = context;
        this.state = state;
        this.counters = counters;
        this.publisher = publisher;
        // tasks of one epoch are not mistaken for those of another
        lastTaskId = context.epoch() << EPOCH_SHIFT;
        ttlMs = (int)Math.max(1, context.replicaTaskTtlNs() / NS_PER_MS);
    }

    boolean isFull()
    {
        return tasks.size() >= context.maxReplicaTasks();
    }

    /**
     * Begins a task, whose message is the operation's, and asks the target.
     *
     * @param bytes slot bytes of the group.
     */
    void begin(final Operation operation, final OwnerSession target, final long bytes)
    {
        counters.add(REPLICA_PAGES_TARGETED, operation.count);
        begin(operation, target, bytes, operation.count);
    }

    /** Begins a task whose target has the whole group: it finds that, and renews it in its window (contract REPL-3). */
    void beginRenewal(final Operation operation, final OwnerSession target)
    {
        counters.add(REPLICA_PAGES_RENEWED, operation.count);
        begin(operation, target, 0, 0);
    }

    private void begin(final Operation operation, final OwnerSession target, final long bytes, final int pages)
    {
        final ReplicaTask task = free.isEmpty() ? new ReplicaTask() : free.remove(free.size() - 1);
        task.taskId = ++lastTaskId;
        task.source = operation.owner;
        task.sourceTenureId = operation.owner.tenureId();
        task.sourceOperationId = operation.operationId;
        task.target = target;
        task.targetTenureId = target.tenureId();
        task.bytes = bytes;
        task.pages = pages;
        task.deadlineMs = state.nowMs() + ttlMs;
        task.messageAddress = operation.pullAddress;
        task.blockLength = operation.pull.capacity();
        task.message.wrap(operation.pullAddress, operation.pullLength);
        operation.pullAddress = BytePool.NONE;
        task.index = tasks.size();
        tasks.add(task);
        byId.put(task.taskId, task);
        target.expect(bytes);
        counters.set(REPLICA_TASKS, tasks.size());
        send(task);
    }

    /** The target has the whole group, or none of it. */
    void onAppended(final OwnerSession target, final long taskId, final int code)
    {
        final ReplicaTask task = byId.get(taskId);
        if (null != task && target == task.target && task.isTargetThere())
        {
            end(task, code);
        }
    }

    /** Looks at some of the tasks; returns how many it did something for. */
    int doWork()
    {
        int work = 0;
        final int count = Math.min(TASKS_PER_SLICE, tasks.size());
        for (int i = 0; i < count && !tasks.isEmpty(); i++)
        {
            nextToLookAt = nextToLookAt < tasks.size() ? nextToLookAt : 0;
            final ReplicaTask task = tasks.get(nextToLookAt);
            if (!task.isTargetThere())
            {
                end(task, ErrorCode.TRANSPORT);
                work++;
            }
            else if (state.nowMs() - task.deadlineMs >= 0)
            {
                end(task, ErrorCode.GET_TIMEOUT);
                work++;
            }
            else
            {
                work += sendAgain(task);
                nextToLookAt++;
            }
        }

        return work;
    }

    /** Tasks under way. */
    int size()
    {
        return tasks.size();
    }

    void close()
    {
        while (!tasks.isEmpty())
        {
            remove(tasks.get(tasks.size() - 1));
        }
    }

    private int sendAgain(final ReplicaTask task)
    {
        if (state.nowMs() - task.nextSendMs < 0)
        {
            return 0;
        }
        send(task);

        return 1;
    }

    private void send(final ReplicaTask task)
    {
        task.nextSendMs = state.nowMs() + RESEND_MS;
        publisher.pullReplica(task.target, task.message, task.taskId);
    }

    private void end(final ReplicaTask task, final int code)
    {
        counters.add(ErrorCode.OK == code ? REPLICA_PAGES_APPENDED : REPLICA_PAGES_GIVEN_UP, task.pages);
        if (task.isSourceThere())
        {
            publisher.replicaEnd(task.source, task.sourceOperationId, code);
        }
        task.target.expectNoMore(task.bytes, ErrorCode.OK == code && task.isTargetThere());
        remove(task);
        counters.set(REPLICA_TASKS, tasks.size());
    }

    private void remove(final ReplicaTask task)
    {
        byId.remove(task.taskId);
        final ReplicaTask last = tasks.remove(tasks.size() - 1);
        if (last != task)
        {
            tasks.set(task.index, last);
            last.index = task.index;
        }
        state.operationPool.free(task.messageAddress, task.blockLength);
        task.reset();
        free.add(task);
    }
}
