package io.fluxon.ipc.client.core;

import java.util.Arrays;

/**
 * Binary heap of {@link Timed} elements, earliest due time first. Elements know their place, so removal needs no
 * search. Times are compared by difference, as those of a nano clock must be. Allocates only to grow.
 */
final class DeadlineQueue
{
    private Timed[] heap;
    private int size;

    DeadlineQueue(final int initialCapacity)
    {
        heap = new Timed[Math.max(initialCapacity, 1)];
    }

    int size()
    {
        return size;
    }

    /**
     * Adds an element, or moves it when it is queued already.
     *
     * @param element to queue.
     * @param dueNs   its due time.
     */
    void schedule(final Timed element, final long dueNs)
    {
        cancel(element);
        if (size == heap.length)
        {
            heap = Arrays.copyOf(heap, size * 2);
        }
        element.dueNs = dueNs;
        siftUp(size++, element);
    }

    /**
     * Removes an element; nothing happens when it is not queued.
     *
     * @param element to remove.
     */
    void cancel(final Timed element)
    {
        final int index = element.queueIndex;
        if (Timed.NOT_QUEUED == index)
        {
            return;
        }
        element.queueIndex = Timed.NOT_QUEUED;
        final Timed last = heap[--size];
        heap[size] = null;
        if (last != element)
        {
            siftDown(index, last);
            if (heap[index] == last)
            {
                siftUp(index, last);
            }
        }
    }

    /**
     * Takes the earliest element off when it is due.
     *
     * @param nowNs current time.
     * @return the element, or null when none is due.
     */
    Timed pollDue(final long nowNs)
    {
        if (0 == size || heap[0].dueNs - nowNs > 0)
        {
            return null;
        }
        final Timed first = heap[0];
        cancel(first);
        return first;
    }

    void clear()
    {
        for (int i = 0; i < size; i++)
        {
            heap[i].queueIndex = Timed.NOT_QUEUED;
            heap[i] = null;
        }
        size = 0;
    }

    private void siftUp(final int from, final Timed element)
    {
        int index = from;
        while (index > 0)
        {
            final int parent = (index - 1) >>> 1;
            if (heap[parent].dueNs - element.dueNs <= 0)
            {
                break;
            }
            place(index, heap[parent]);
            index = parent;
        }
        place(index, element);
    }

    private void siftDown(final int from, final Timed element)
    {
        int index = from;
        while (true)
        {
            int child = (index << 1) + 1;
            if (child >= size)
            {
                break;
            }
            if (child + 1 < size && heap[child + 1].dueNs - heap[child].dueNs < 0)
            {
                child++;
            }
            if (element.dueNs - heap[child].dueNs <= 0)
            {
                break;
            }
            place(index, heap[child]);
            index = child;
        }
        place(index, element);
    }

    private void place(final int index, final Timed element)
    {
        heap[index] = element;
        element.queueIndex = index;
    }
}
