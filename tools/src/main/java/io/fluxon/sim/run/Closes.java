package io.fluxon.sim.run;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.sim.cluster.WireObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * Processes that outlive their clients: a client is closed in order at any moment, or its session has ended by itself;
 * the process lives on, and connects anew after a while. What such a client leaves behind at its owner is erased by no
 * end of its process.
 */
final class Closes implements WireObserver
{
    private static final int ITEM_CHOICES = 16;
    private static final long SHORTEST_NS = 100_000;
    private static final long LONGEST_NS = 2_000_000_000L;
    private static final long LONGEST_MEAN_NS = 1_000_000_000L;
    private static final long END_NS = 2_000_000_000L;
    private static final double CLOSES_RATE = 0.7;
    private static final double OUTLIVED_RATE = 0.5;
    private static final double RECONNECTED_RATE = 0.3;
    private static final double END_RATE = 0.3;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final List<VirtualWorker> closed = new ArrayList<>();
    private final Set<VirtualWorker> unheard = new HashSet<>();
    private final VirtualCluster cluster;
    private final Choices.Stream choices;
    private final double outlivedRate;
    private final long meanNs;
    private long nextNs = Long.MAX_VALUE;

    Closes(final VirtualCluster cluster)
    {
        this.cluster = cluster;
        choices = cluster.choices().stream("closes");
        outlivedRate = choices.chance(CLOSES_RATE) ? OUTLIVED_RATE : 0;
        final boolean isOn = choices.chance(CLOSES_RATE);
        meanNs = LONGEST_MEAN_NS / choices.magnitude(1, 100);
        if (isOn)
        {
            nextNs = cluster.clock().nanoTime() + choices.between(0, meanNs);
        }
        cluster.network().observe(this);
    }

    @Override
    public void onSent(final VirtualNetwork.Link link, final DirectBuffer sent)
    {
        if (link.from() instanceof VirtualWorker worker && isClose(sent))
        {
            unheard.add(worker);
        }
    }

    @Override
    public void onDelivered(final VirtualNetwork.Link link, final DirectBuffer delivered)
    {
        if (link.from() instanceof VirtualWorker worker && isClose(delivered))
        {
            unheard.remove(worker);
        }
    }

    private boolean isClose(final DirectBuffer message)
    {
        header.wrap(message, 0);
        return SessionCloseDecoder.TEMPLATE_ID == header.templateId();
    }

    /** Has one of the workers close its client when the time for that has come. */
    void tend(final List<WorkerLoad> loads)
    {
        final long nowNs = cluster.clock().nanoTime();
        if (nowNs >= nextNs)
        {
            choices.align(ITEM_CHOICES);
            nextNs = nowNs + 2 * meanNs - choices.between(0, 2 * meanNs - 1);
            final WorkerLoad load = loads.get(choices.below(loads.size()));
            if (!load.isOver() && !load.isClosing() && !load.worker.isPaused())
            {
                close(load, FaultKind.CLIENT_CLOSED);
            }
        }
    }

    /** When the next one closes, in nanoseconds. */
    long nextNs()
    {
        return nextNs;
    }

    /** Now and then it loses its transport right before: the owner knows nothing of the new one yet. */
    private void close(final WorkerLoad load, final FaultKind kind)
    {
        if (choices.chance(RECONNECTED_RATE) && !load.isOver() && !load.worker.owner().isDead())
        {
            cluster.faults().count(FaultKind.TRANSPORT_LOST, load.worker);
            load.worker.reconnect();
        }
        cluster.faults().count(kind, load.worker);
        closed.add(load.worker);
        load.close(cluster.clock().nanoTime() + choices.magnitude(SHORTEST_NS, LONGEST_NS));
    }

    /**
     * Does another worker come in the place of this one? A process whose session has ended lives on while its kernels
     * run; then it ends, or closes its client.
     */
    boolean isReplaced(final WorkerLoad load)
    {
        if (load.worker.isDead())
        {
            return true;
        }
        if (load.worker.isPaused() || load.isCopying())
        {
            return false;
        }
        if (load.isClosing() || !load.isOver())
        {
            return load.mayReturn();
        }
        choices.align(ITEM_CHOICES);
        final boolean livesOn = choices.chance(outlivedRate);
        if (livesOn)
        {
            close(load, FaultKind.CLIENT_OUTLIVED);
        }
        return !livesOn;
    }

    /** The worker that comes in the place of another: of the same process when that lives on. */
    VirtualWorker replace(final WorkerLoad load, final int index, final VirtualOwner owner)
    {
        return load.isClosing() && !load.worker.isDead() ?
            cluster.succeedWorker(index, owner) : cluster.restartWorker(index, owner);
    }

    /**
     * Ends the processes that could not tell their owner, and those whose word was lost on its way: the owner keeps
     * such a session while the process lives (contract SLOT-7).
     */
    void killUntold()
    {
        for (final VirtualWorker worker : closed)
        {
            if (worker.isUntold() || unheard.contains(worker))
            {
                cluster.workers().stream()
                    .filter((living) -> living.processId() == worker.processId() && !living.isDead())
                    .forEach(VirtualWorker::kill);
            }
        }
    }

    /** When all is quiet some close, and do not come again. */
    void end(final List<WorkerLoad> loads)
    {
        for (final WorkerLoad load : loads)
        {
            choices.align(ITEM_CHOICES);
            if (choices.chance(END_RATE))
            {
                close(load, FaultKind.CLIENT_CLOSED);
            }
        }
        cluster.runFor(END_NS);
    }
}
