package io.fluxon.tools.bench;

import java.util.List;

/**
 * What is to be measured.
 *
 * @param keys     sizes of the master's table, each measured with all batches and clients.
 * @param batches  keys of one request.
 * @param clients  numbers of owners that ask at the same time.
 * @param window   batches that each client has under way, when a batch is more than one key.
 * @param seconds  time that each row is measured for.
 * @param idle     name of the idle strategy of master, media driver and load.
 * @param mtuBytes longest datagram.
 */
public record BenchSettings(
    List<Long> keys,
    List<Integer> batches,
    List<Integer> clients,
    int window,
    double seconds,
    String idle,
    int mtuBytes)
{
    int maxClients()
    {
        return clients.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    int window(final int batch)
    {
        return 1 == batch ? 1 : window;
    }
}
