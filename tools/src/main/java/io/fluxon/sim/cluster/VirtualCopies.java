package io.fluxon.sim.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.agrona.concurrent.NanoClock;

/**
 * Copies between a worker's GPU and the segment. A copy moves its bytes piece by piece, whatever the worker's process
 * does meanwhile, as a kernel under way does; only the end of the process ends it. The worker learns of its end later,
 * or never.
 */
public final class VirtualCopies
{
    private static final int ITEM_CHOICES = 4;

    private final Queue<Runnable> completions = new ArrayDeque<>();
    private final VirtualWorker worker;
    private final DelayedWork hardware;
    private final NanoClock clock;
    private final WorkTimes times;
    private final Choices.Stream choices;
    private final FaultTally tally;
    private final WorkerFaults faults;

    VirtualCopies(final VirtualCluster cluster, final VirtualWorker worker, final WorkerFaults faults)
    {
        this.worker = worker;
        hardware = cluster.hardware();
        clock = cluster.clock();
        choices = cluster.choices().stream(worker.name() + ".copies");
        times = new WorkTimes(cluster, worker.name() + ".copies.times", faults, FaultKind.COPY_DELAYED);
        tally = cluster.faults();
        this.faults = faults;
    }

    /**
     * Begins a copy.
     *
     * @param pieces number of its pieces, positive.
     * @param move   moves a piece, each once, in their order, at times of their own.
     * @param end    learns at its worker's next poll whether all were moved.
     */
    public void begin(final int pieces, final IntConsumer move, final Consumer<Boolean> end)
    {
        choices.align(ITEM_CHOICES);
        final boolean isFailed = happens(faults.failureRate, FaultKind.COPY_FAILED);
        final boolean isAnswerLost = happens(faults.answerLostRate, FaultKind.COPY_ANSWER_LOST);
        final int moved = isFailed ? choices.below(pieces) : pieces;
        final long endNs = times.endNs();
        final List<Long> moments = new ArrayList<>();
        for (int i = 0; i < moved; i++)
        {
            moments.add(times.beforeNs(endNs));
        }
        moments.sort(null);
        for (int i = 0; i < moved; i++)
        {
            final int piece = i;
            hardware.add(moments.get(i), () -> move(piece, move));
        }
        if (!isAnswerLost)
        {
            hardware.add(endNs, () -> complete(() -> end.accept(!isFailed)));
        }
    }

    private void move(final int piece, final IntConsumer move)
    {
        if (!worker.isDead())
        {
            move.accept(piece);
        }
    }

    private void complete(final Runnable completion)
    {
        completions.add(completion);
        worker.wake(clock.nanoTime());
    }

    int poll()
    {
        int count = 0;
        while (!completions.isEmpty())
        {
            completions.poll().run();
            count++;
        }
        return count;
    }

    private boolean happens(final double rate, final FaultKind kind)
    {
        final boolean happens = choices.chance(rate);
        if (happens)
        {
            tally.count(kind, worker);
        }
        return happens;
    }
}
