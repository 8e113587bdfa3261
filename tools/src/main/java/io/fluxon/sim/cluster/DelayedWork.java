package io.fluxon.sim.cluster;

import java.util.PriorityQueue;
import org.agrona.concurrent.NanoClock;

/**
 * Work that ends at a time that its owner draws, in the order of these times.
 */
final class DelayedWork
{
    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private final NanoClock clock;
    private long sequence;

    DelayedWork(final NanoClock clock)
    {
        this.clock = clock;
    }

    void add(final long atNs, final Runnable completion)
    {
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
