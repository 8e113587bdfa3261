package io.fluxon.sim.cluster;

import java.util.PriorityQueue;
import java.util.Random;
import org.agrona.concurrent.NanoClock;

/**
 * Work that ends at a time drawn from the random source of the run, in the order of these times.
 */
final class DelayedWork
{
    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private final NanoClock clock;
    private final Random random;
    private long sequence;

    DelayedWork(final NanoClock clock, final Random random)
    {
        this.clock = clock;
        this.random = random;
    }

    void add(final WorkerFaults faults, final Runnable completion)
    {
        final long spreadNs = Math.max(1, faults.maxDelayNs - faults.minDelayNs + 1);
        final long atNs = clock.nanoTime() + faults.minDelayNs + (long)(random.nextDouble() * spreadNs);
        items.add(new Item(atNs, sequence++, completion));
    }

    int run(final int limit)
    {
        int count = 0;
        while (count < limit && !items.isEmpty() && items.peek().atNs <= clock.nanoTime())
        {
            items.poll().completion.run();
            count++;
        }
        return count;
    }

    long earliestNs()
    {
        return items.isEmpty() ? Long.MAX_VALUE : items.peek().atNs;
    }

    int size()
    {
        return items.size();
    }

    private record Item(long atNs, long order, Runnable completion) implements Comparable<Item>
    {
        @Override
        public int compareTo(final Item other)
        {
            final int result = Long.compare(atNs, other.atNs);
            return 0 != result ? result : Long.compare(order, other.order);
        }
    }
}
