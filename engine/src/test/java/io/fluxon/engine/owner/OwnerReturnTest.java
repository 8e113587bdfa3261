package io.fluxon.engine.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Workers that come back, and the owner's own return to the master, message by message.
 */
class OwnerReturnTest
{
    private static final long[] NONE = {};
    private static final int STREAM = 7;
    private static final int NEXT_STREAM = 8;
    private static final int LAST_STREAM = 9;

    private final OwnerFixture owner = new OwnerFixture(256, new OwnerSettings().maxSessions(4).planSliceKeys(4));
    private TestWorker worker;

    @BeforeEach
    void before()
    {
        owner.master.join();
        worker = TestWorker.connected(owner, STREAM);
    }

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    @Tag("API-10")
    void shouldReleaseWhatAResumingWorkerDoesNotNameAndKeepTheRest()
    {
        worker.put("a");
        worker.put("b");
        final long kept = holding("a");
        holding("b");
        final long keptPlan = worker.startedPut("c", "d");
        worker.startedPut("e");
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(2);

        resume(new long[]{keptPlan}, new long[]{kept}, NONE);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        assertThat(owner.pool.count(SlotState.PREPARED)).isEqualTo(2);
        worker.release(kept);
        worker.abort(keptPlan);
        owner.run();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner.pool.count(SlotState.PREPARED)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-10")
    void shouldKeepWhatARequestBroughtWhoseAnswerTheWorkerAwaits()
    {
        worker.put("a");
        final long get = worker.getStart(true, "a");
        final long put = worker.putStart("b");
        owner.run();
        worker.drop();

        resume(NONE, NONE, new long[]{get, put});
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        worker.getStartAs(get, true, "a");
        owner.run();
        assertThat(worker.getStartResponse().holdings().count()).isEqualTo(1);
    }

    @Test
    @Tag("API-10")
    void shouldResumeForTheSameProcessOnlyAndSayWhyNot()
    {
        final long planId = worker.startedPut("a");
        worker.resume(NEXT_STREAM, STREAM + 1, ++worker.lastRequestId, NONE, NONE, NONE);
        owner.run();
        assertThat(response().status()).isEqualTo(ErrorCode.UNAUTHORIZED);

        final long sessionId = worker.sessionId;
        worker.sessionId = sessionId + 100;
        worker.resume(LAST_STREAM, STREAM, ++worker.lastRequestId, NONE, NONE, NONE);
        owner.run();
        final ConnectResponseDecoder refusal = response();
        assertThat(refusal.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        refusal.skipSegmentPath();
        refusal.skipNodeId();
        assertThat(refusal.message()).contains("not known here or has ended");
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        worker.sessionId = sessionId;
        resume(new long[]{planId}, NONE, NONE);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
    }

    @Test
    @Tag("API-10")
    void shouldResumeAlsoWhenMoreWorkersAreRefusedThanItRemembers()
    {
        final long planId = worker.startedPut("a");
        for (int i = 0; i < 20; i++)
        {
            new TestWorker(owner, 100 + i).connect(OwnerFixture.GENERATION + 1);
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS_REFUSED)).isEqualTo(20);

        resume(new long[]{planId}, NONE, NONE);
        assertThat(owner.count(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        assertThat(TestWorker.connected(owner, 200).sessionId).isPositive();
    }

    @Test
    @Tag("API-10")
    void shouldTakeNoCopyOfAResumeOnceItsWorkerIsAtWorkEvenWhenItHangs()
    {
        final long id = ++worker.lastRequestId;
        worker.resume(NEXT_STREAM, STREAM, id, NONE, NONE, NONE);
        owner.run();
        assertThat(response().status()).isZero();
        worker.startedPut("a");
        owner.pass(11_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);

        worker.resume(NEXT_STREAM, STREAM, id, NONE, NONE, NONE);
        owner.run();
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(1);
    }

    @Test
    @Tag("API-10")
    void shouldTakeAResumeOnceMoreWhenItsWorkerHangsBeforeItHasTheAnswer()
    {
        final long id = ++worker.lastRequestId;
        worker.resume(NEXT_STREAM, STREAM, id, NONE, NONE, NONE);
        owner.run();
        owner.pass(11_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);

        worker.resume(NEXT_STREAM, STREAM, id, NONE, NONE, NONE);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(2);
    }

    @Test
    @Tag("API-4")
    @Tag("LIFE-1")
    void shouldMakeOneSessionOfARequestToConnectWhateverBecomesOfIt()
    {
        resume(NONE, NONE, NONE);
        worker.connectAs(worker.connectId, 0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);

        owner.pass(11_000);
        worker.connectAs(worker.connectId, 0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);
    }

    @Test
    @Tag("API-10")
    @Tag("SLOT-7")
    void shouldNotWakeASessionThatHasPlansByACopyOfItsFirstRequest()
    {
        final long planId = worker.startedPut("a");
        resume(new long[]{planId}, NONE, NONE);
        owner.pass(11_000);
        assertThat(owner.pool.count(SlotState.QUARANTINED)).isEqualTo(1);

        worker.connectAs(worker.connectId, 0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner.pool.count(SlotState.QUARANTINED)).isEqualTo(1);
    }

    @Test
    @Tag("API-4")
    void shouldWakeASessionWhoseWorkerHungBeforeItHadTheAnswer()
    {
        final TestWorker late = new TestWorker(owner, 50);
        late.connect(0);
        owner.run();
        owner.pass(11_000);
        late.drop();
        late.connectAs(late.connectId, 0);
        owner.run();
        assertThat(late.next(new ConnectResponseDecoder(), ConnectResponseDecoder.TEMPLATE_ID).status()).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS_OPENED)).isEqualTo(2);
    }

    @Test
    @Tag("API-10")
    @Tag("LIFE-1")
    void shouldEndASessionWhoseWorkerEndsWhileItComesBackOverAnotherConnection()
    {
        worker.startedPut("a", "b");
        owner.pass(11_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);

        worker.closeAs(NEXT_STREAM, STREAM, 1);
        worker.resume(NEXT_STREAM, STREAM, ++worker.lastRequestId, NONE, NONE, NONE);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isZero();
        assertThat(owner.pool.count(SlotState.PREPARED)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-4")
    void shouldNotEndTheSessionOfAnotherProcess()
    {
        worker.startedPut("a");
        worker.closeAs(NEXT_STREAM, STREAM + 1, 1);
        worker.closeAs(NEXT_STREAM, STREAM, 2);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.MESSAGES_UNKNOWN_SESSION)).isEqualTo(2);
    }

    @Test
    @Tag("LIFE-1")
    @Tag("BOUND-1")
    void shouldEndASessionWhoseWorkerHasGivenUpTheRequestThatMadeIt()
    {
        worker.close();
        owner.run();
        final TestWorker[] late = new TestWorker[4];
        for (int i = 0; i < late.length; i++)
        {
            late[i] = new TestWorker(owner, 50 + i);
            late[i].connect(0);
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(4);

        for (final TestWorker gone : late)
        {
            gone.giveUpConnect();
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
        assertThat(TestWorker.connected(owner, 60).sessionId).isPositive();
    }

    @Test
    @Tag("LIFE-1")
    void shouldMakeNoSessionOfALateCopyOfARequestThatIsOver()
    {
        worker.close();
        final TestWorker gone = new TestWorker(owner, 50);
        gone.connectId = ++gone.lastRequestId;
        gone.giveUpConnect();
        owner.run();
        worker.connectAs(worker.connectId, 0);
        gone.connectAs(gone.connectId, 0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();

        gone.connect(0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);
    }

    @Test
    @Tag("SLOT-7")
    @Tag("API-10")
    void shouldKeepASessionThatNothingWasHeardInForLong()
    {
        owner.pass(100_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);

        worker.drop();
        resume(NONE, NONE, NONE);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();
    }

    @Test
    @Tag("LIFE-1")
    void shouldEndASessionWhoseProcessIsGoneThoughItsWatchCannotBeEnded()
    {
        owner.watch.isFull = true;
        worker.close();
        owner.run();
        worker.die();
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
    }

    @Test
    @Tag("LIFE-1")
    @Tag("BOUND-1")
    void shouldEndTheWatchOfAProcessAlsoWhenThatIsRefusedAtFirst()
    {
        owner.watch.isFull = true;
        worker.close();
        owner.run();
        assertThat(owner.watch.watched).hasSize(1);
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);

        owner.watch.isFull = false;
        owner.pass(1);
        assertThat(owner.watch.watched).isEmpty();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
    }

    @Test
    @Tag("API-8")
    @Tag("API-10")
    void shouldSayWhyAResumeIsRefusedAlsoWhenItsNumberIsLow()
    {
        worker.lastRequestId = 600;
        resume(NONE, NONE, NONE);
        worker.resume(LAST_STREAM, STREAM + 1, 500, NONE, NONE, NONE);
        owner.run();
        assertThat(response().status()).isEqualTo(ErrorCode.UNAUTHORIZED);

        worker.resumeGeneration = OwnerFixture.GENERATION - 1;
        worker.resume(LAST_STREAM, STREAM, 500, NONE, NONE, NONE);
        owner.run();
        assertThat(response().status()).isEqualTo(ErrorCode.OWNER_GENERATION_MISMATCH);
    }

    @Test
    @Tag("API-10")
    void shouldTakeNoResumeThatIsOlderThanTheLast()
    {
        final long planId = worker.startedPut("a");
        final long older = ++worker.lastRequestId;
        resume(new long[]{planId}, NONE, NONE);
        worker.resume(LAST_STREAM, STREAM, older, NONE, NONE, NONE);
        owner.run();
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.SESSIONS_RESUMED)).isEqualTo(1);
    }

    @Test
    @Tag("LIFE-4")
    @Tag("LIFE-1")
    void shouldTakeNoListOfOwnersOfAnotherSessionOfTheMaster()
    {
        owner.master.sendPeersOf(1, 7, 11);
        owner.run();
        owner.master.sendPeers(2, TestMaster.SOURCE_OWNER_ID);
        owner.run();
        assertThat(owner.transfers.peers).containsExactly(TestMaster.SOURCE_OWNER_ID);
        assertThat(owner.count(OwnerCounter.PEERS)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldTakeNoAnswerOfAnotherSessionOfTheMaster()
    {
        final long planId = worker.startedPut("a");
        owner.master.answerAll();
        worker.commit(planId);
        owner.run();
        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.refuseSession();
        owner.run();
        owner.master.pump();
        owner.run();

        owner.master.sessionId--;
        owner.master.answer(publish);
        owner.run();
        assertThat(owner.pool.count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(1);
        owner.master.sessionId++;
        owner.master.answerAll();
        owner.run();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
    }

    @Test
    @Tag("LIFE-4")
    void shouldRegisterWhenTheAnswersThatItHasTakenAreCarriedOut()
    {
        final String[] keys = new String[64];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        final long planId = worker.startedPut(keys);
        owner.master.answerAll();
        worker.commit(planId);
        owner.run();
        owner.master.answer(owner.master.take(PublishRequestDecoder.TEMPLATE_ID));
        owner.agent.doWork();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isLessThan(keys.length);
        owner.master.refuseSession();
        owner.run();
        owner.master.pump();
        assertThat(owner.master.lastCommittedValues).isEqualTo(keys.length);
    }

    private long holding(final String key)
    {
        worker.drop();
        worker.getStart(true, key);
        owner.run();
        final GetStartResponseDecoder response = worker.getStartResponse();

        return response.holdings().next().holdingId();
    }

    private void resume(final long[] plans, final long[] holdings, final long[] requests)
    {
        worker.resume(NEXT_STREAM + 10, STREAM, ++worker.lastRequestId, plans, holdings, requests);
        owner.run();
        final ConnectResponseDecoder response = response();
        assertThat(response.status()).isZero();
        assertThat(response.sessionId()).isEqualTo(worker.sessionId);
    }

    private ConnectResponseDecoder response()
    {
        return worker.next(new ConnectResponseDecoder(), ConnectResponseDecoder.TEMPLATE_ID);
    }
}
