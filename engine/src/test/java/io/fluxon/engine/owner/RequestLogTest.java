package io.fluxon.engine.owner;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("API-4")
class RequestLogTest
{
    private final RequestLog log = new RequestLog();

    @Test
    void shouldFindWhatWasBegun()
    {
        assertThat(log.find(5)).isEqualTo(RequestLog.UNKNOWN);
        final RequestLog.Entry entry = log.begin(5, RequestLog.Kind.PUT_START);
        entry.objectId = 77;

        assertThat(log.entry(log.find(5)).objectId).isEqualTo(77);
        assertThat(log.entryOf(5)).isSameAs(entry);
        assertThat(log.entryOf(6)).isNull();
    }

    @Test
    void shouldRefuseWhatIsOlderThanAllThatIsKept()
    {
        for (int i = 1; i <= RequestLog.CAPACITY + 10; i++)
        {
            log.begin(i, RequestLog.Kind.GET_START);
        }

        assertThat(log.find(10)).isEqualTo(RequestLog.TOO_OLD);
        assertThat(log.find(11)).isNotNegative();
        assertThat(log.find(RequestLog.CAPACITY + 11)).isEqualTo(RequestLog.UNKNOWN);
        assertThat(log.entryOf(10)).isNull();
    }

    @Test
    void shouldKeepTheResultsOfACommit()
    {
        final RequestLog.Entry entry = log.begin(1, RequestLog.Kind.PUT_COMMIT);
        entry.results(new int[]{0, -118, 0}, 2);
        assertThat(entry.areAllResultsOk).isFalse();
        assertThat(entry.results).startsWith(0, -118);

        entry.results(new int[]{0, 0}, 2);
        assertThat(entry.areAllResultsOk).isTrue();
        assertThat(entry.resultCount).isEqualTo(2);
    }
}
