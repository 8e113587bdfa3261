package io.fluxon.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.engine.master.FetchedCopies;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.report.CapacityResult;
import io.fluxon.tools.report.LedgerResult;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.report.TextReport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that is full all the time, with real processes, small.
 */
@Timeout(180)
class PressureRunTest
{
    private static final long MEBIBYTE = 1 << 20;
    private static final double LEAST_PART_HELD_ONCE = 0.9;

    @Test
    @Tag("HOT-1")
    @Tag("EVICT-2")
    @Tag("S4")
    void shouldMissAndNeverFailWhenTheWorkingSetIsLargerThanTheMemory()
    {
        final RunReport report = run(8 * MEBIBYTE, 120, false, PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.failed()).isZero();
        assertThat(report.errors()).isEmpty();
        assertThat(report.pages().corrupt).isZero();
        assertThat(report.pages().hit).isPositive();
        assertThat(report.pages().missed()).isPositive();
        assertThat(report.leftover().isZero()).isTrue();

        final CapacityResult capacity = report.capacity();
        assertThat(capacity.configuredBytes()).isEqualTo(24 * MEBIBYTE);
        assertThat(capacity.usableSlotBytes()).isEqualTo(24 * MEBIBYTE);
        assertThat(capacity.heldBytes() + capacity.freeBytes()).isEqualTo(capacity.usableSlotBytes());
        assertThat(capacity.onceOfGpu()).isBetween(LEAST_PART_HELD_ONCE, 1.0);

        final LedgerResult ledger = report.ledger();
        assertThat(ledger.freed()).isPositive();
        assertThat(ledger.selected()).isEqualTo(ledger.freed() + ledger.restored() + ledger.obsolete());
        assertThat(ledger.freeP50Ns()).isPositive().isLessThanOrEqualTo(ledger.freeP99Ns());
        assertThat(TextReport.format(report)).contains("full store", "without demotion", "once of gpu");
    }

    @Test
    @Tag("REPL-3")
    @Tag("P2")
    void shouldUseTheMemoryOfAllOwnersAndHoldValuesOnceWhenVictimsAreCopiedFirst()
    {
        final RunReport report = run(8 * MEBIBYTE, 120, true, PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.errors()).isEmpty();
        assertThat(report.leftover().isZero()).isTrue();
        assertThat(report.pages().hitRemote).isPositive();
        assertThat(report.capacity().onceOfAll()).isBetween(LEAST_PART_HELD_ONCE, 1.0);
        assertThat(report.replicas().demoted().get("done")).isPositive();
        assertThat(report.replicas().made().get("brought_back")).isPositive();
        assertThat(report.replicas().made().get("evicted_first")).isPositive();
        assertThat(TextReport.format(report)).contains("with demotion").doesNotContain("without demotion");
    }

    @Test
    void shouldFindAWrongPage()
    {
        final RunReport report = run(8 * MEBIBYTE, 60, true, PlantedFault.FLIPPED_BYTE);

        assertThat(report.faults()).anyMatch(fault -> fault.endsWith(" corrupt pages"));
    }

    @Test
    void shouldSayThatTheStoreWasNotFullWhenItWasNot()
    {
        final RunReport report = run(512 * MEBIBYTE, 1, true, PlantedFault.NONE);

        assertThat(report.faults()).anyMatch(fault -> fault.startsWith("the store was not full within 1 s"));
    }

    private static RunReport run(
        final long gpuBytes, final int fillSeconds, final boolean isDemoting, final PlantedFault fault)
    {
        final PressureSettings settings =
            new PressureSettings(
                42, 8192, 1, 2, 1, 1, gpuBytes, 8 * MEBIBYTE, 4 * MEBIBYTE, fillSeconds, 3,
                FetchedCopies.GIVEN_UP, isDemoting);
        return new PressureRun(settings, fault, Progress.ofThisProcess()).run();
    }
}
