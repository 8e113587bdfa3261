package io.fluxon.tools.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LatenciesTest
{
    @Test
    void shouldMergeHistogramsThatCrossedProcesses()
    {
        final Latencies total = new Latencies();
        for (int worker = 1; worker <= 3; worker++)
        {
            final Latencies latencies = new Latencies();
            for (int i = 0; i < 100; i++)
            {
                latencies.record(Operation.PUT_START, worker * 1000L);
            }
            total.addEncoded(Operation.PUT_START, latencies.encode(Operation.PUT_START));
        }

        assertThat(total.of(Operation.PUT_START).getTotalCount()).isEqualTo(300);
        assertThat(total.of(Operation.PUT_START).getValueAtPercentile(50)).isBetween(1990L, 2010L);
        assertThat(total.of(Operation.GET_START).getTotalCount()).isZero();
    }

    @Test
    void shouldTakeDurationsOutOfRange()
    {
        final Latencies latencies = new Latencies();
        latencies.record(Operation.RESTORE, -5);
        latencies.record(Operation.RESTORE, Long.MAX_VALUE);

        assertThat(latencies.of(Operation.RESTORE).getTotalCount()).isEqualTo(2);
    }

    @Test
    void shouldRefuseTextThatIsNoHistogram()
    {
        final Latencies latencies = new Latencies();

        assertThatThrownBy(() -> latencies.addEncoded(Operation.RESTORE, "AAAA"))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> Operation.ofLabel("nothing")).hasMessage("unknown operation: nothing");
    }
}
