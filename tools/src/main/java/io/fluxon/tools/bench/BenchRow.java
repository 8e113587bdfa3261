package io.fluxon.tools.bench;

/**
 * One measured operation at one size of everything.
 *
 * @param operation      name of the operation.
 * @param batch          keys of one request.
 * @param clients        owners that ask at the same time.
 * @param keys           in the master's table, 0 without a master.
 * @param keysPerSecond  that went through this operation, and through the other one of its pair.
 * @param p50Us          median of the round trip, microseconds.
 * @param p99Us          its 99th percentile.
 * @param p999Us         its 99.9th percentile.
 * @param bytesPerKey    memory of the master's routes and their index, for each key.
 * @param rssPerKey      what the memory of the whole process grew by while the keys were published, for each key.
 * @param echoRatio      keysPerSecond as a part of that of the echo with this batch and these clients.
 * @param coreNsPerKey   processor time of the master's thread for each key that went through the pair, nanoseconds;
 *                       that of polling while nothing is there is included.
 * @param longCycles     duty cycles of the master over 1 ms, those in which its thread was kept from running included.
 * @param longCpuCycles  those that took over 1 ms of its thread's processor time.
 */
public record BenchRow(
    String operation,
    int batch,
    int clients,
    long keys,
    double keysPerSecond,
    double p50Us,
    double p99Us,
    double p999Us,
    double bytesPerKey,
    double rssPerKey,
    double echoRatio,
    double coreNsPerKey,
    long longCycles,
    long longCpuCycles)
{
}
