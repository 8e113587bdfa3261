package io.fluxon.tools.bench.window;

import java.util.List;

/**
 * What is to be measured.
 *
 * @param rounds  of the measurement, each with its own figures.
 * @param bursts  of each round: that often the workers ask, once of the owner with the window and once of the other.
 * @param keys    of each burst, a multiple of the workers.
 * @param workers that ask at the same time.
 * @param orders  in which they do it, one after the other.
 */
public record WindowBenchSettings(int rounds, int bursts, int keys, int workers, List<KeyOrder> orders)
{
    /** Bursts before each measurement, which are not counted. */
    static final int WARM_UP_BURSTS = 50;

    /** Values that one reading owner takes in the course of everything. */
    long valuesOfReader()
    {
        return (long) (rounds * bursts + WARM_UP_BURSTS) * orders.size() * keys;
    }
}
