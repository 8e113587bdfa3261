package io.fluxon.engine.owner;

import io.fluxon.engine.owner.RequestLog.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("API-4")
class RequestLogTest
{
    private static final int CAPACITY = 1_000;
    private static final int ROOM_TO_START = 750;

    private static final int COMMIT_CAPACITY = 100;
    private static final int COMMITS_TO_START = 75;

    private final RequestLog log = new RequestLog(CAPACITY, COMMIT_CAPACITY);
    private final SettledMark answers = new SettledMark();
    private final SettledMark results = new SettledMark();
    private long keepAliveId;

    @Test
    void shouldFindWhatWasBegun()
    {
        assertThat(log.entryOf(5)).isNull();
        assertThat(log.isSettled(5, Kind.PUT_START)).isFalse();
        final RequestLog.Entry entry = log.begin(5, Kind.PUT_START);

        assertThat(log.entryOf(5)).isSameAs(entry);
        assertThat(log.entryOf(6)).isNull();
    }

    @Test
    void shouldKeepWhatTheWorkerHasNotSettledHoweverManyFollow()
    {
        for (int i = 1; i <= ROOM_TO_START; i++)
        {
            log.begin(i, Kind.GET_START).isAnswered = true;
        }
        for (int i = 1; i <= ROOM_TO_START; i++)
        {
            assertThat(log.entryOf(i)).isNotNull();
        }
        assertThat(log.isSettled(1, Kind.GET_START)).isFalse();
    }

    @Test
    void shouldDropWhatIsSettled()
    {
        log.begin(1, Kind.GET_START).isAnswered = true;
        log.begin(2, Kind.GET_CANCEL).isAnswered = true;
        settle(2, 0);
        log.begin(3, Kind.GET_START);

        assertThat(log.entryOf(1)).isNull();
        assertThat(log.isSettled(1, Kind.GET_START)).isTrue();
        assertThat(log.entryOf(2)).isNotNull();
        assertThat(log.isSettled(2, Kind.GET_CANCEL)).isFalse();
    }

    @Test
    @Tag("V1")
    void shouldKeepACommitUntilItsResultsAreSettledAndNothingElseWithIt()
    {
        final RequestLog.Entry commit = log.begin(1, Kind.PUT_COMMIT);
        commit.isAnswered = true;
        commit.results(new int[]{0}, 1);
        for (int i = 2; i <= 100; i++)
        {
            log.begin(i, Kind.GET_START).isAnswered = true;
        }
        settle(101, 1);
        for (int i = 101; i <= 200; i++)
        {
            log.begin(i, Kind.GET_START);
        }
        assertThat(log.entryOf(1)).isSameAs(commit);
        assertThat(log.isSettled(1, Kind.PUT_COMMIT)).isFalse();
        assertThat(log.size()).isEqualTo(101);

        settle(101, 2);
        assertThat(log.isSettled(1, Kind.PUT_COMMIT)).isTrue();
    }

    @Test
    void shouldKeepWhatIsUnderWayThoughTheWorkerHasGivenItUp()
    {
        final RequestLog.Entry asked = log.begin(1, Kind.EXISTS);
        settle(2, 2);
        log.begin(2, Kind.GET_START);
        assertThat(log.entryOf(1)).isSameAs(asked);

        asked.isAnswered = true;
        log.begin(3, Kind.GET_START);
        assertThat(log.entryOf(1)).isNull();
    }

    @Test
    void shouldNotTakeAMarkBack()
    {
        settle(100, 90);
        assertThat(settle(50, 90)).isFalse();
        assertThat(settle(100, 40)).isFalse();

        assertThat(log.isSettled(99, Kind.PUT_ABORT)).isTrue();
        assertThat(log.isSettled(100, Kind.PUT_ABORT)).isFalse();
        assertThat(log.isSettled(89, Kind.PUT_COMMIT)).isTrue();
        assertThat(log.isSettled(90, Kind.PUT_COMMIT)).isFalse();
    }

    @Test
    @Tag("BOUND-1")
    void shouldKeepTheLastOfItsRoomForWhatEndsOthers()
    {
        for (int i = 1; i <= ROOM_TO_START; i++)
        {
            assertThat(log.begin(i, Kind.PUT_START)).isNotNull();
        }
        assertThat(log.begin(5_000, Kind.PUT_START)).isNull();
        for (int i = ROOM_TO_START + 1; i <= CAPACITY; i++)
        {
            assertThat(log.begin(i, Kind.PUT_ABORT)).isNotNull();
        }
        assertThat(log.begin(6_000, Kind.PUT_ABORT)).isNull();
        assertThat(log.size()).isEqualTo(CAPACITY);
    }

    @Test
    @Tag("BOUND-1")
    @Tag("V1")
    void shouldRefusePutsAloneWhenManyCommitsWait()
    {
        for (int i = 1; i <= COMMITS_TO_START; i++)
        {
            assertThat(log.begin(i, Kind.PUT_COMMIT)).isNotNull();
        }
        assertThat(log.begin(1_000, Kind.PUT_START)).isNull();
        assertThat(log.begin(1_001, Kind.GET_START)).isNotNull();
        for (int i = COMMITS_TO_START + 1; i <= COMMIT_CAPACITY; i++)
        {
            assertThat(log.begin(i, Kind.PUT_COMMIT)).isNotNull();
        }
        assertThat(log.begin(1_002, Kind.PUT_COMMIT)).isNull();
        assertThat(log.begin(1_003, Kind.GET_START)).isNotNull();
    }

    @Test
    void shouldKeepWhatIsListedAndNothingElseBelowTheMark()
    {
        for (int i = 1; i <= 10; i++)
        {
            log.begin(i, Kind.GET_START).isAnswered = true;
        }
        answers.set(11);
        answers.addOpen(2);
        answers.addOpen(5);
        results.set(1);
        assertThat(log.settle(11, answers, results)).isTrue();
        for (int i = 11; i <= 15; i++)
        {
            log.begin(i, Kind.GET_START);
        }

        assertThat(log.entryOf(2)).isNotNull();
        assertThat(log.entryOf(5)).isNotNull();
        assertThat(log.size()).isEqualTo(2 + 5);
        assertThat(log.isSettled(2, Kind.GET_START)).isFalse();
        assertThat(log.isSettled(3, Kind.GET_START)).isTrue();
    }

    @Test
    void shouldNotUnsettleWhatIsListedLater()
    {
        settle(10, 10);
        answers.set(12);
        answers.addOpen(5);
        answers.addOpen(11);
        results.set(12);
        log.settle(++keepAliveId, answers, results);

        assertThat(log.isSettled(5, Kind.GET_START)).isTrue();
        assertThat(log.isSettled(11, Kind.GET_START)).isFalse();
    }

    @Test
    void shouldNotTakeWhatAnEarlierKeepAliveSays()
    {
        keepAliveId = 20;
        settle(10, 10);
        answers.set(10);
        answers.addOpen(5);
        results.set(10);
        results.addOpen(6);
        assertThat(log.settle(20, answers, results)).isTrue();

        assertThat(log.isSettled(5, Kind.GET_START)).isTrue();
        assertThat(log.isSettled(6, Kind.PUT_COMMIT)).isTrue();
    }

    @Test
    @Tag("BOUND-1")
    void shouldHaveRoomForTheRequestsOfASessionWithOneThatWaitsForLong()
    {
        final int outstanding = 4;
        final RequestLog narrow = new RequestLog(RequestLog.capacity(outstanding), 1);
        for (int i = 1; i <= outstanding; i++)
        {
            narrow.begin(i, Kind.PUT_START);
        }
        for (int i = outstanding + 1; i <= 100_000; i++)
        {
            final RequestLog.Entry entry = narrow.begin(i, Kind.GET_START);
            assertThat(entry).as("request %s", i).isNotNull();
            entry.isAnswered = true;
            if (0 == i % 500)
            {
                answers.set(i + 1);
                for (int open = 1; open <= outstanding; open++)
                {
                    answers.addOpen(open);
                }
                results.set(i + 1);
                assertThat(narrow.settle(i + 1, answers, results)).isTrue();
            }
        }
        assertThat(narrow.entryOf(1)).isNotNull();
    }

    @Test
    @Tag("BOUND-1")
    void shouldHaveRoomAgainWhenTheWorkerSettles()
    {
        for (int i = 1; i <= ROOM_TO_START; i++)
        {
            log.begin(i, Kind.GET_START).isAnswered = true;
        }
        for (int i = ROOM_TO_START + 1; i <= CAPACITY; i++)
        {
            log.begin(i, Kind.GET_CANCEL).isAnswered = true;
        }
        assertThat(log.begin(CAPACITY + 1, Kind.GET_START)).isNull();
        settle(CAPACITY + 2, 1);

        assertThat(log.begin(CAPACITY + 2, Kind.GET_START)).as("%s are kept", log.size()).isNotNull();
    }

    @Test
    @Tag("BOUND-1")
    void shouldNotGrowByWhatIsSettled()
    {
        for (int i = 1; i <= 20_000; i++)
        {
            log.begin(i, Kind.GET_START).isAnswered = 0 != i % 100;
            settle(i - 10, i - 10);
        }
        assertThat(log.size()).isLessThan(2 * (200 + 10) + 2);

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
            log.begin(i, Kind.GET_START).isAnswered = true;
            settle(i - 10, i - 10);
        }
        assertThat(log.size()).isLessThan(2 * 10 + 2);
    }

    @Test
    void shouldNotBeginACopyOfWhatWasRefused()
    {
        log.refuse(10, Kind.PUT_START);
        log.refuse(20, Kind.PUT_COMMIT);

        assertThat(log.begin(10, Kind.PUT_START)).isNull();
        assertThat(log.begin(10, Kind.PUT_COMMIT)).isNotNull();
        assertThat(log.begin(11, Kind.PUT_START)).isNotNull();
    }

    @Test
    void shouldKeepTheResultsOfACommit()
    {
        final RequestLog.Entry entry = log.begin(1, Kind.PUT_COMMIT);
        entry.results(new int[]{0, -118, 0}, 2);
        assertThat(entry.areAllResultsOk).isFalse();
        assertThat(entry.results).startsWith(0, -118);

        entry.results(new int[]{0, 0}, 2);
        assertThat(entry.areAllResultsOk).isTrue();
        assertThat(entry.resultCount).isEqualTo(2);
    }

    private boolean settle(final long answeredBelow, final long resultsBelow)
    {
        answers.set(answeredBelow);
        results.set(resultsBelow);

        return log.settle(++keepAliveId, answers, results);
    }
}
