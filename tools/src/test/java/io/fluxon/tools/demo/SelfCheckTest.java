package io.fluxon.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.WorkerEvent;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SelfCheckTest
{
    @Test
    void shouldAcceptOnlyTheReasonThatFitsTheFault()
    {
        assertThat(outcome(PlantedFault.NONE)).isTrue();
        assertThat(outcome(PlantedFault.NONE, "1 corrupt pages")).isFalse();
        assertThat(outcome(PlantedFault.FLIPPED_BYTE, "3 failed requests", "1 corrupt pages")).isTrue();
        assertThat(outcome(PlantedFault.FLIPPED_BYTE, "3 failed requests")).isFalse();
        assertThat(outcome(PlantedFault.LEAKED_HOLDING, "left over: 19 holdings")).isTrue();
        assertThat(outcome(PlantedFault.LEAKED_HOLDING, "left over: 19 plans")).isFalse();
        assertThat(outcome(PlantedFault.LEAKED_HOLDING)).isFalse();
        assertThat(outcome(PlantedFault.MISCOUNTED_PAGE, "out of balance: pages hit = holdings opened: 8 and 7"))
            .isTrue();
        assertThat(outcome(PlantedFault.MISCOUNTED_PAGE, "out of balance: other: 8 and 7")).isFalse();
    }

    @Test
    void shouldNotPassBeforeItHasRun()
    {
        assertThat(new SelfCheck(1, new Progress(System.err, false)).isPassed()).isFalse();
    }

    @Test
    @Tag("P1")
    void shouldCompareByTheMedianOfPairs()
    {
        final WorkerEvent.Round[] plain = { round(100), round(50), round(200) };
        final WorkerEvent.Round[] delayed = { round(110), round(500), round(180) };

        assertThat(DelayRun.medianRatio(plain, delayed, WorkerEvent.Round::putStartNs)).isEqualTo(1.1);
    }

    private static WorkerEvent.Round round(final long putStartNs)
    {
        return new WorkerEvent.Round(1, 1, putStartNs, 1, 1);
    }

    private static boolean outcome(final PlantedFault fault, final String... faults)
    {
        return new SelfCheck.Outcome(fault, List.of(faults)).isAsExpected();
    }
}
