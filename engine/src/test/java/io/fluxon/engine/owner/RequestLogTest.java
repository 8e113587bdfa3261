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
        assertThat(log.entryOf(5)).isNull();
        assertThat(log.isTooOld(5)).isFalse();
        final RequestLog.Entry entry = log.begin(5, RequestLog.Kind.PUT_START);

        assertThat(log.entryOf(5)).isSameAs(entry);
        assertThat(log.entryOf(6)).isNull();
    }

    @Test
    void shouldRefuseWhatIsOlderThanAllThatIsKept()
    {
        for (int i = 1; i <= RequestLog.CAPACITY + 10; i++)
        {
            log.begin(i, RequestLog.Kind.GET_START).isAnswered = true;
        }

        assertThat(log.isTooOld(10)).isTrue();
        assertThat(log.entryOf(10)).isNull();
        assertThat(log.entryOf(11)).isNotNull();
        assertThat(log.isTooOld(RequestLog.CAPACITY + 11)).isFalse();
        assertThat(log.size()).isEqualTo(RequestLog.CAPACITY);
    }

    @Test
    void shouldKeepWhatIsUnderWayHoweverOldItIs()
    {
        final RequestLog.Entry start = log.begin(1, RequestLog.Kind.PUT_START);
        final RequestLog.Entry commit = log.begin(2, RequestLog.Kind.PUT_COMMIT);
        commit.isAnswered = true;
        for (int i = 3; i <= 3 * RequestLog.CAPACITY; i++)
        {
            log.begin(i, RequestLog.Kind.GET_START).isAnswered = true;
        }
        assertThat(log.entryOf(1)).isSameAs(start);
        assertThat(log.entryOf(2)).isSameAs(commit);

        start.isAnswered = true;
        commit.results(new int[]{0}, 1);
        for (int i = 1; i <= 2 * RequestLog.CAPACITY; i++)
        {
            log.begin(10_000 + i, RequestLog.Kind.GET_START).isAnswered = true;
        }
        assertThat(log.isTooOld(1)).isTrue();
        assertThat(log.isTooOld(2)).isTrue();
    }

    @Test
    @Tag("BOUND-1")
    void shouldNotGrowByWhatIsOver()
    {
        for (int i = 1; i <= 20_000; i++)
        {
            log.begin(i, RequestLog.Kind.GET_START).isAnswered = 0 != i % 100;
        }
        assertThat(log.size()).isLessThan(2 * RequestLog.CAPACITY + 2 * 200);

        for (int i = 1; i <= 20_000; i++)
        {
            final RequestLog.Entry entry = log.entryOf(i);
            if (null != entry)
            {
                entry.isAnswered = true;
            }
        }
        for (int i = 20_001; i <= 22_000; i++)
        {
            log.begin(i, RequestLog.Kind.GET_START).isAnswered = true;
        }
        assertThat(log.size()).isEqualTo(RequestLog.CAPACITY);
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
