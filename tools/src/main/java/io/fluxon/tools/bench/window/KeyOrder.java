package io.fluxon.tools.bench.window;

import io.fluxon.ipc.client.core.KeyBatch;

/**
 * What each of the workers that ask at the same time asks for.
 */
public enum KeyOrder
{
    /** All ask for the same keys in the same order. */
    SAME("same"),
    /** All ask for the same keys, each beginning with another part of them. */
    TURNED("turned"),
    /** Each asks for a part of its own: what they have in common is the time. */
    APART("apart");

    private final String label;

    KeyOrder(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }

    /** Keys that each of the workers asks for, of so many in all. */
    int keysOfEach(final int keys, final int workers)
    {
        return APART == this ? keys / workers : keys;
    }

    /** What one worker asks for of a number of keys. */
    void fill(final KeyBatch batch, final long firstKey, final int keys, final int worker, final int workers)
    {
        final int from = SAME == this ? 0 : worker * keys / workers;
        batch.clear();
        for (int i = 0, count = keysOfEach(keys, workers); i < count; i++)
        {
            batch.add(key(firstKey + (from + i) % keys));
        }
    }

    /** The number that the value of a key begins with, by its place in the batch of a worker. */
    long number(final long firstKey, final int keys, final int worker, final int workers, final int index)
    {
        final int from = SAME == this ? 0 : worker * keys / workers;
        return firstKey + (from + index) % keys;
    }

    static String key(final long number)
    {
        return "bench:window:" + number;
    }
}
