package io.fluxon.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.ipc.ErrorCode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RunReportTest
{
    private final RunReport report = new RunReport();

    @BeforeEach
    void balance()
    {
        report.balance().check("one = one", 1, 1);
    }

    @Test
    void shouldPassWhenEverythingBalancesAndNothingIsLeft()
    {
        report.onRequest(ErrorCode.OK);

        assertThat(report.isPassed()).isTrue();
        assertThat(report.faults()).isEmpty();
    }

    @Test
    void shouldFailWhenARunDoesNotBalance()
    {
        report.balance().check("hits = verified pages", 8, 7);

        assertThat(report.balance().isOk()).isFalse();
        assertThat(report.faults()).containsExactly("out of balance: hits = verified pages: 8 and 7");
    }

    @Test
    void shouldFailWhenNothingWasChecked()
    {
        final RunReport unchecked = new RunReport();

        assertThat(unchecked.balance().isOk()).isFalse();
        assertThat(unchecked.faults()).containsExactly("nothing was checked");
    }

    @Test
    void shouldFailWhenAPageIsCorrupt()
    {
        report.pages().corrupt = 1;

        assertThat(report.faults()).containsExactly("1 corrupt pages");
    }

    @Test
    void shouldFailWhenSomethingIsLeftOver()
    {
        report.leftover(new Leftover(0, 0, 0, 0, 0, 0, 3, 0, 1));

        assertThat(report.faults()).containsExactly("left over: 3 holdings", "left over: 1 fences");
    }

    @Test
    void shouldFailWhenARequestFailedUnlessAProcessWasKilled()
    {
        report.onRequest(ErrorCode.TRANSPORT);
        report.onRequest(-ErrorCode.TRANSPORT);
        report.onRequest(ErrorCode.OK);

        assertThat(report.requests()).isEqualTo(3);
        assertThat(report.failed()).isEqualTo(2);
        assertThat(report.errors()).containsEntry(ErrorCode.TRANSPORT, 2L);
        assertThat(report.faults()).containsExactly("2 failed requests");

        report.chaos(new ChaosResult(1, 1, 0.5, 6));
        assertThat(report.faults()).isEmpty();
    }

    @Test
    void shouldFailWhenAKilledProcessDoesNotHeal()
    {
        report.chaos(new ChaosResult(1, 0, 0.5, 6));
        assertThat(report.isPassed()).isFalse();

        report.chaos(new ChaosResult(1, 1, -1, 6));
        assertThat(report.isPassed()).isFalse();

        report.chaos(new ChaosResult(1, 1, 6.1, 6));
        assertThat(report.isPassed()).isFalse();
    }

    @Test
    @Tag("P1")
    void shouldFailWhenDelayedMasterMessagesChangeLocalWork()
    {
        report.delay(new DelayResult(1.15, 1.15, 1.15, 0.87));
        assertThat(report.isPassed()).isTrue();

        report.delay(new DelayResult(1.151, 1, 1, 1));
        assertThat(report.isPassed()).isFalse();
        report.delay(new DelayResult(1, 1.151, 1, 1));
        assertThat(report.isPassed()).isFalse();
        report.delay(new DelayResult(1, 1, 1.151, 1));
        assertThat(report.isPassed()).isFalse();
        report.delay(new DelayResult(1, 1, 1, 0.869));
        assertThat(report.isPassed()).isFalse();
        report.delay(new DelayResult(Double.NaN, 1, 1, 1));
        assertThat(report.isPassed()).isFalse();
    }

    @Test
    void shouldFailWhenSomethingHappened()
    {
        report.incident("worker-1 ended on its own");

        assertThat(report.faults()).containsExactly("worker-1 ended on its own");
    }
}
