package io.fluxon.tools.bench;

import java.util.List;

/**
 * What was measured.
 *
 * @param rows   one for each operation at one size of everything.
 * @param cycles long duty cycles of the masters, phase by phase.
 */
public record BenchResult(List<BenchRow> rows, List<CycleCount> cycles)
{
    /**
     * Long duty cycles of a master in one phase.
     *
     * @param keys          in the master's table.
     * @param phase         {@code fill}: its keys are published. {@code measured}: what the rows are of. {@code other}:
     *                      warming up, and owners that come back between rounds.
     * @param longCycles    duty cycles over 1 ms by the clock, those in which the thread was kept from running
     *                      included.
     * @param longCpuCycles those over 1 ms of the thread's processor time.
     */
    public record CycleCount(long keys, String phase, long longCycles, long longCpuCycles)
    {
    }
}
