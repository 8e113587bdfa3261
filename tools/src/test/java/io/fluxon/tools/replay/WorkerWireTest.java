package io.fluxon.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.PageCounts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerWireTest
{
    @Test
    void shouldReadEveryEventThatWasWritten()
    {
        assertRoundTrip(new WorkerEvent.Ready(7));
        assertRoundTrip(new WorkerEvent.Detached("TRANSPORT (121): gone"));
        assertRoundTrip(new WorkerEvent.Next(3));
        assertRoundTrip(new WorkerEvent.Quiet());
        assertRoundTrip(new WorkerEvent.Latency(Operation.GET_TRANSFER, "AbC="));
        assertRoundTrip(new WorkerEvent.Round(1, 2, 3, 4, 5));
    }

    @Test
    void shouldCarryTheCountsOfARequest()
    {
        final PageCounts pages = new PageCounts();
        pages.requested = 1;
        pages.hit = 2;
        pages.hitRemote = 3;
        pages.put = 4;
        pages.written = 5;
        pages.verified = 6;
        pages.verifiedBytes = 7;
        pages.corrupt = 8;

        final String line = WorkerWire.encode(new WorkerEvent.Done(9, 116, "TRANSFER", pages, "two\nlines\tand tab"));
        final WorkerEvent.Done done = (WorkerEvent.Done) WorkerWire.decode(line);

        assertThat(line).doesNotContain("\n");
        assertThat(done.request()).isEqualTo(9);
        assertThat(done.code()).isEqualTo(116);
        assertThat(done.stage()).isEqualTo("TRANSFER");
        assertThat(done.message()).isEqualTo("two lines and tab");
        assertThat(done.pages()).usingRecursiveComparison().isEqualTo(pages);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "nothing", "ready", "ready\tx", "next\t", "done\t1", "latency\tnothing\tx", "round\t1" })
    void shouldPassOverLinesThatAreNoEvents(final String line)
    {
        assertThat(WorkerWire.decode(line)).isNull();
    }

    @Test
    void shouldNotLetAWorkerSayThatItHasEnded()
    {
        assertThatThrownBy(() -> WorkerWire.encode(new WorkerEvent.Ended(0)))
            .isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRoundTrip(final WorkerEvent event)
    {
        assertThat(WorkerWire.decode(WorkerWire.encode(event))).isEqualTo(event);
    }
}
