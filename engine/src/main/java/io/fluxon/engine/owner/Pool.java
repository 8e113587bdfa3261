package io.fluxon.engine.owner;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Objects that are used again, last in first out; as many exist as were ever in use at once.
 *
 * @param <T> type of the objects.
 */
final class Pool<T>
{
    private final ArrayDeque<T> free = new ArrayDeque<>();
    private final Supplier<T> factory;

    Pool(final Supplier<T> factory)
    {
        this.factory = factory;
    }

    T take()
    {
        final T object = free.pollLast();

        return null == object ? factory.get() : object;
    }

    void giveBack(final T object)
    {
        free.addLast(object);
    }
}
