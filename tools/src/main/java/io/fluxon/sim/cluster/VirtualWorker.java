package io.fluxon.sim.cluster;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One worker of a run: the production client, and pages whose content follows from their key, so that every page read
 * can be checked. Its process may outlive it: then another worker of the same process comes in its place.
 */
public final class VirtualWorker extends VirtualProcess
{
    private static final int SMALL_BATCH = 32;
    private static final int MAX_KEY_BYTES = 513;
    private static final long CLOSE_TIMEOUT_NS = 100_000_000L;

    /** What passes from this worker to its owner. */
    public final MessageTap toOwner = new MessageTap();
    /** What passes from the owner to this worker. */
    public final MessageTap fromOwner = new MessageTap();

    /** What its copies between GPU and segment do. */
    public final WorkerFaults copyFaults = new WorkerFaults();

    private final VirtualCluster cluster;
    private final VirtualOwner owner;
    private final VirtualWorker predecessor;
    private final long processId;
    private final WorkerClient client;
    private KeyBatch keys = new KeyBatch(SMALL_BATCH, SMALL_BATCH * MAX_KEY_BYTES);
    private VirtualNetwork.Inbox inbox;
    private VirtualNetwork.Link requests;
    private final VirtualCopies copies;
    private Application application = Application.NONE;
    private long closeDeadlineNs;
    private boolean isShutDown;
    private boolean isClosing;
    private boolean hasLeft;

    /** The predecessor is the worker that the process was before, null for a new process. */
    VirtualWorker(
        final VirtualCluster cluster, final VirtualOwner owner, final int number, final VirtualWorker predecessor)
    {
        super(cluster, "worker-" + number);
        this.cluster = cluster;
        this.owner = owner;
        this.predecessor = predecessor;
        processId = null == predecessor ? 10_000L + number : predecessor.processId;
        copies = new VirtualCopies(cluster, this, copyFaults);
        inbox = cluster.network().inbox(this);
        owner.listen(2_000 + number, this);
        requests = cluster.network().connect(this, owner.workerInbox(), owner.workerRequestFaults, toOwner);
        final WorkerClientContext context = new WorkerClientContext()
            .nanoClock(cluster.clock())
            .requests(requests)
            .responses(inbox)
            .segmentMapper((path, generation, mapOffset, length) -> owner.segment().addressOffset() + mapOffset)
            .clientName("worker-" + number)
            .processId(processId)
            .processStartTime(1)
            .responseStreamId(2_000 + number);
        cluster.options().workerSettings.accept(context);
        client = new WorkerClient(context.conclude());
    }

    /**
     * Closes its client in order, as its process does that lives on: the owner is told, for a bounded time, then the
     * connection ends. None of its copies may be under way.
     */
    public void close()
    {
        isShutDown = WorkerClient.State.CLOSED != client.state();
        isClosing = true;
        closeDeadlineNs = cluster.clock().nanoTime() + CLOSE_TIMEOUT_NS;
        tellOwner();
    }

    private void tellOwner()
    {
        client.close();
        if (client.isReleased() || cluster.clock().nanoTime() >= closeDeadlineNs)
        {
            hasLeft = true;
            inbox.close();
            requests.close();
        }
    }

    /**
     * Has the process ended a session that had not ended?
     *
     * @return true after a {@link #close()} of a client that was not closed.
     */
    public boolean isShutDown()
    {
        return isShutDown;
    }

    /**
     * Has the process nothing to do with this client any more?
     *
     * @return true when the owner was told, or the time for that is over, after {@link #close()}.
     */
    public boolean hasLeft()
    {
        return hasLeft;
    }

    /**
     * Could the owner not be told in time? Only the end of the process ends such a session.
     *
     * @return true when the process gave up.
     */
    public boolean isUntold()
    {
        return hasLeft && !client.isReleased();
    }

    /** Loses its connection and comes by another, as a process whose transport has closed itself does. */
    public void reconnect()
    {
        if (isClosing)
        {
            return;
        }
        inbox.close();
        inbox = cluster.network().inbox(this);
        final int streamId = cluster.nextStreamId();
        owner.listen(streamId, this);
        requests = cluster.network().connect(this, owner.workerInbox(), owner.workerRequestFaults, toOwner);
        client.resume(requests, inbox, streamId);
    }

    /**
     * Sends a message that is not its client's.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of it.
     */
    public void send(final DirectBuffer buffer, final int offset, final int length)
    {
        requests.offer(buffer, offset, length);
    }

    /**
     * Its way to the owner.
     *
     * @return the link, another after {@link #reconnect()}.
     */
    public VirtualNetwork.Link requests()
    {
        return requests;
    }

    VirtualNetwork.Link openFromOwner()
    {
        return cluster.network().connect(owner, inbox, owner.workerAnswerFaults, fromOwner);
    }

    /**
     * What the process does beside its client, before each poll of it.
     *
     * @param newApplication to run.
     */
    public void application(final Application newApplication)
    {
        application = newApplication;
        wake(cluster.clock().nanoTime());
    }

    @Override
    int doWork()
    {
        final int work = copies.poll();
        application.run();
        if (isClosing)
        {
            if (!hasLeft)
            {
                tellOwner();
            }
            return work;
        }
        return work + client.poll();
    }

    @Override
    long earliestNs()
    {
        if (isClosing)
        {
            return hasLeft ? Long.MAX_VALUE : closeDeadlineNs;
        }
        return Math.min(inbox.earliestNs(), application.nextNs());
    }

    /** Ends the worker's process at once; its owner learns of it from the process watch. */
    public void kill()
    {
        for (VirtualWorker worker = this; null != worker; worker = worker.predecessor)
        {
            worker.dead(true);
            worker.inbox.close();
        }
        owner.processes().kill(processId);
    }

    /**
     * Its copies.
     *
     * @return the copies.
     */
    public VirtualCopies copies()
    {
        return copies;
    }

    /**
     * The client.
     *
     * @return the client.
     */
    public WorkerClient client()
    {
        return client;
    }

    /**
     * Number of its process, as its owner knows it.
     *
     * @return the process id.
     */
    public long processId()
    {
        return processId;
    }

    /**
     * The owner that it is attached to.
     *
     * @return the owner.
     */
    public VirtualOwner owner()
    {
        return owner;
    }

    /**
     * Starts a put.
     *
     * @param put     to use.
     * @param length  of each value.
     * @param options of the put.
     * @param names   of the keys.
     * @return 0 or an error code.
     */
    public int putStart(final PutPlan put, final int length, final PutOptions options, final String... names)
    {
        return client.putStart(put, batch(names), length, options);
    }

    /**
     * Starts a get.
     *
     * @param get        to use.
     * @param bestEffort whether a shorter prefix will do.
     * @param groups     atomic groups, null = one.
     * @param names      of the keys.
     * @return 0 or an error code.
     */
    public int getStart(final GetHandle get, final boolean bestEffort, final AtomicGroups groups, final String... names)
    {
        return client.getStart(get, batch(names), bestEffort, groups);
    }

    /**
     * Puts names into a key batch.
     *
     * @param names of the keys.
     * @return a batch of its own.
     */
    public KeyBatch batch(final String... names)
    {
        if (names.length > SMALL_BATCH)
        {
            keys = new KeyBatch(names.length, names.length * MAX_KEY_BYTES);
        }
        keys.clear();
        for (final String name : names)
        {
            keys.add(name);
        }
        return keys;
    }

    /**
     * Runs the cluster until an operation has left a state of waiting, or a time is over.
     *
     * @param operation to wait for.
     * @param timeoutNs bound of the wait.
     */
    public void await(final ClientOperation operation, final long timeoutNs)
    {
        cluster.runUntil(() -> !operation.isPending(), timeoutNs);
    }

    /**
     * Writes the pages of a started put.
     *
     * @param put    that has started.
     * @param length of each value.
     * @param names  of its keys.
     */
    public void write(final PutPlan put, final int length, final String... names)
    {
        for (int i = 0; i < names.length; i++)
        {
            fill(new UnsafeBuffer(put.valueAddress(i), length), names[i], length);
        }
    }

    /**
     * Checks the pages of a readable get.
     *
     * @param get   that is readable.
     * @param names of the keys it was started with.
     */
    public void verify(final GetHandle get, final String... names)
    {
        for (int i = 0; i < get.count(); i++)
        {
            final int length = (int)get.valueLength(i);
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[length]);
            fill(expected, names[i], length);
            if (0 != expected.compareTo(new UnsafeBuffer(get.valueAddress(i), length)))
            {
                throw new AssertionError("page " + i + " of key " + names[i] + " has other bytes than were written");
            }
        }
    }

    /**
     * Fills a page with the bytes of a key.
     *
     * @param page   to fill.
     * @param name   of the key.
     * @param length of the value.
     */
    public static void fill(final UnsafeBuffer page, final String name, final int length)
    {
        final Random content = new Random(name.hashCode() * 31L + length);
        for (int i = 0; i < length; i++)
        {
            page.putByte(i, (byte)content.nextInt());
        }
    }
}
