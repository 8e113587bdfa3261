package io.fluxon.tools.report;

import static java.util.Locale.ROOT;

/**
 * Runs on a full store, a row each, side by side.
 */
public final class PressureTable
{
    private static final double NS_OF_US = 1000.0;
    private static final double PER_CENT = 100.0;
    private static final double MEBIBYTE = 1 << 20;

    private final Table table = new Table().row("full store", "seconds", "hit rate", "of them remote", "puts/s",
        "put MiB/s", "evicted", "once MiB", "once of all", "once of gpu", "free MiB", "to free p50 us", "p99 us",
        "failed", "corrupt");

    /**
     * Adds a run.
     *
     * @param name   of the run.
     * @param report whose capacity and ledger are known.
     * @return this.
     */
    public PressureTable row(final String name, final RunReport report)
    {
        final FullPeriod full = report.fullPeriod();
        final CapacityResult capacity = report.capacity();
        final LedgerResult ledger = report.ledger();
        table.row(
            name,
            String.format(ROOT, "%.1f", full.seconds()),
            String.format(ROOT, "%.4f", full.hitRate()),
            String.format(ROOT, "%.4f", full.remoteHitRate()),
            String.format(ROOT, "%,.0f", full.putsPerSecond()),
            String.format(ROOT, "%,.1f", full.putsPerSecond() * report.slotBytes() / MEBIBYTE),
            String.format(ROOT, "%,d", ledger.freed()),
            String.format(ROOT, "%,.1f", capacity.heldOnceBytes() / MEBIBYTE),
            String.format(ROOT, "%.2f %%", PER_CENT * capacity.onceOfAll()),
            String.format(ROOT, "%.2f %%", PER_CENT * capacity.onceOfGpu()),
            String.format(ROOT, "%,.1f", capacity.freeBytes() / MEBIBYTE),
            String.format(ROOT, "%,.1f", ledger.freeP50Ns() / NS_OF_US),
            String.format(ROOT, "%,.1f", ledger.freeP99Ns() / NS_OF_US),
            String.format(ROOT, "%,d", report.failed()),
            String.format(ROOT, "%,d", report.pages().corrupt));
        return this;
    }

    @Override
    public String toString()
    {
        return table.toString();
    }
}
