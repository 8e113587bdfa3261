package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that come late, twice, or without end.
 */
class OwnerRequestTest
{
    private static final int MAX_REQUESTS = 16;

    private final OwnerSettings settings = new OwnerSettings();
    private final OwnerFixture owner = new OwnerFixture(256, settings);
    private TestWorker worker;

    @BeforeEach
    void before()
    {
        owner.run();
        owner.master.join();
        worker = TestWorker.connected(owner, 1001);
    }

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    @Tag("API-4")
    void shouldExecuteARequestThatAThousandOthersHaveOvertaken()
    {
        worker.put("b");
        final long planId = worker.startedPut("a");
        final long lostId = ++worker.lastRequestId;
        for (int i = 0; i < 1_000; i++)
        {
            worker.getStart(true, "b");
            owner.run();
            worker.getStartResponse();
            worker.keepAlive(lostId, lostId);
        }
        worker.commitAs(lostId, planId);
        owner.run();

        assertThat(worker.commitLocal()).isZero();
        assertThat(owner.count(OwnerCounter.REQUESTS_LATE)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldRefuseAMarkThatIsBeyondTheRequestsThatWereMade()
    {
        worker.put("a");
        worker.keepAliveAs(worker.lastRequestId + 1, Long.MAX_VALUE, 1);
        owner.run();

        assertThat(worker.status()).isEqualTo(ErrorCode.PROTOCOL);
        worker.startedPut("b");
        assertThat(owner.count(OwnerCounter.REQUESTS_LATE)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldRefuseListsThatAreNotOfOpenRequestsBelowTheMark()
    {
        final long id = worker.lastRequestId + 10;
        worker.keepAliveAs(id, id, id, id);
        owner.run();
        assertThat(worker.status()).isEqualTo(ErrorCode.PROTOCOL);
        worker.keepAliveAs(id, id, id, 3, 2);
        owner.run();
        assertThat(worker.status()).isEqualTo(ErrorCode.PROTOCOL);

        worker.keepAliveAs(id, id, id, 2, 3);
        worker.keepAliveAs(id + 1, id - 1, id);
        owner.run();
        assertThat(worker.status()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(owner.count(OwnerCounter.MESSAGES_MALFORMED)).isEqualTo(3);
    }

    @Test
    @Tag("API-4")
    void shouldExecuteARequestThatIsListedAsUnansweredHoweverManyFollow()
    {
        worker.put("b");
        final long lostId = ++worker.lastRequestId;
        for (int i = 0; i < 2 * settings.maxRequestsPerSession(); i++)
        {
            worker.exists("b");
            owner.run();
            assertThat(worker.existsResponse().status()).isZero();
            final long mark = worker.lastRequestId + 1;
            worker.keepAliveAs(mark, mark, mark, lostId);
        }
        worker.getStartAs(lostId, true, "b");
        owner.run();

        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.REQUESTS_LATE)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldIgnoreAKeepAliveThatALaterOneHasOvertaken()
    {
        worker.put("a");
        final long answeredId = worker.getStart(true, "a");
        owner.run();
        worker.release(worker.getStartResponse().holdings().next().holdingId());
        owner.run();
        assertThat(worker.status()).isZero();
        final long mark = worker.lastRequestId + 1;
        worker.keepAliveAs(mark + 1, mark, mark);
        worker.keepAliveAs(mark, mark, mark, answeredId);
        worker.startedPut("b");
        worker.startedPut("c");
        worker.getStartAs(answeredId, true, "a");
        owner.run();

        assertThat(worker.hasMessage()).isFalse();
        assertThat(owner.count(OwnerCounter.REQUESTS_LATE)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldIgnoreACopyThatComesAfterTheWorkerHasTheAnswer()
    {
        worker.put("a");
        final long requestId = worker.getStart(true, "a");
        owner.run();
        final GetStartResponseDecoder response = worker.getStartResponse();
        worker.release(response.holdings().next().holdingId());
        owner.run();
        assertThat(worker.status()).isZero();
        worker.keepAlive(worker.lastRequestId + 1, worker.lastRequestId + 1);
        worker.startedPut("b");
        worker.startedPut("c");
        worker.getStartAs(requestId, true, "a");
        owner.run();

        assertThat(worker.hasMessage()).isFalse();
        assertThat(owner.count(OwnerCounter.REQUESTS_LATE)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldPushBackWhileTheWorkerDoesNotSayWhatItHas()
    {
        settings.maxRequestsPerSession(MAX_REQUESTS);
        worker.put("b");
        worker = TestWorker.connected(owner, 1002);
        final long planId = worker.startedPut("a");
        for (int i = 0; i < MAX_REQUESTS; i++)
        {
            worker.getStart(true, "b");
            owner.run();
            worker.drop();
        }
        worker.getStart(true, "b");
        owner.run();
        assertThat(worker.status()).isEqualTo(ErrorCode.BACK_PRESSURED);

        worker.commit(planId);
        owner.run();
        assertThat(worker.commitLocal()).isZero();

        worker.keepAlive(worker.lastRequestId + 1, worker.lastRequestId);
        worker.getStart(true, "b");
        owner.run();
        assertThat(worker.getStartResponse().status()).isZero();
    }
}
