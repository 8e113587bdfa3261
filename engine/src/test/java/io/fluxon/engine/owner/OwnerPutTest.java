package io.fluxon.engine.owner;

import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.codecs.control.SessionSuspendedDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OwnerPutTest
{
    private static final int SLOTS = 16;

    private OwnerFixture owner;
    private TestWorker worker;

    @BeforeEach
    void before()
    {
        owner = new OwnerFixture(SLOTS);
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
    @Tag("V1")
    @Tag("PUT-2")
    void shouldBeLocalReadyBeforeTheMasterAnswers()
    {
        final long planId = worker.startedPut("a", "b");
        worker.commit(planId);
        owner.run();

        assertThat(worker.commitLocal()).isZero();
        assertThat(worker.hasMessage()).isFalse();
        assertThat(owner.pool.count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(2);

        worker.getStart(false, "a", "b");
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(2);
        assertThat(worker.hasMessage()).isFalse();

        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0, 0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(2);
        assertThat(owner.count(OwnerCounter.PAGES_WRITTEN)).isEqualTo(2);
        assertThat(owner.count(OwnerCounter.RESERVATIONS)).isZero();
        assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("A2")
    @Tag("T1")
    void shouldRepeatThePublishUnderItsIdUntilItIsAnswered()
    {
        worker.commit(worker.startedPut("a"));
        owner.run();
        final TestMaster.Request first = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.lose();

        owner.pass(30);
        final TestMaster.Request second = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.lose();
        owner.pass(55);
        final TestMaster.Request third = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);

        assertThat(second.operationId()).isEqualTo(first.operationId());
        assertThat(third.operationId()).isEqualTo(first.operationId());
        assertThat(owner.pool.count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(1);

        owner.master.answer(third);
        owner.master.answer(second);
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(worker.hasMessage()).isFalse();
    }

    @Test
    @Tag("LIFE-3")
    void shouldServeLocalPutsAndGetsWhileTheMasterIsAway()
    {
        owner.master.isSilent = true;
        owner.pass(2_000);
        assertThat(owner.count(OwnerCounter.MASTER_AVAILABLE)).isZero();

        worker.keepAlive();
        worker.commit(worker.startedPut("a"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        worker.getStart(true, "a", "b");
        owner.run();
        worker.groups = new int[]{1, 1};
        worker.getStart(true, "a", "b");
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isZero();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);

        owner.master.isSilent = false;
        owner.pass(2_000);
        owner.master.answerAll();
        owner.pass(2_000);
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
    }

    @Test
    @Tag("LIFE-3")
    @Tag("SLOT-4")
    void shouldSayThatTheMasterIsAwayWhenTheClassIsFull()
    {
        owner.master.isSilent = true;
        owner.pass(2_000);
        for (int i = 0; i < SLOTS; i++)
        {
            worker.commit(worker.startedPut("k" + i));
            owner.run();
            assertThat(worker.commitLocal()).isZero();
        }

        worker.timeoutNs = 50_000_000;
        worker.putStart("one more");
        owner.pass(60);
        final PutStartResponseDecoder response = worker.putStartResponse();
        assertThat(response.status()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(response.stage()).isEqualTo(Stage.MASTER_AWAY);
    }

    @Test
    @Tag("API-1")
    void shouldRefuseInvalidArgumentsAndChangeNothing()
    {
        assertRefused("a", "a");
        assertRefused();
        assertRefused("");
        assertRefused("x".repeat(513));
        worker.groups = new int[]{1, 2};
        assertRefused("a", "b");
        worker.groups = new int[]{2, 0};
        assertRefused("a", "b");
        worker.groups = new int[]{};
        worker.valueLength = 0;
        assertRefused("a");
        worker.valueLength = (512L << 20) + 1;
        assertRefused("a");
        worker.valueLength = 4000;
        worker.options = PutOptionBits.WRITE_THROUGH;
        assertRefused("a");

        assertThat(owner.pool.usedBytes()).isZero();
        assertThat(owner.master.has(ReserveRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-3")
    @Tag("PUT-1")
    void shouldRefuseConflictsThatTheOwnerSeesAndFreeTheOtherKeys()
    {
        worker.put("a");
        final long running = worker.startedPut("b");

        worker.options = PutOptionBits.REJECT_IF_EXISTS | PutOptionBits.REJECT_IF_INFLIGHT;
        worker.putStart("c", "a");
        owner.run();
        assertThat(worker.putStartResponse().status()).isEqualTo(ErrorCode.KEY_ALREADY_EXISTS);
        worker.putStart("c", "b");
        owner.run();
        assertThat(worker.putStartResponse().status()).isEqualTo(ErrorCode.KEY_BEING_WRITTEN);
        worker.startedPut("c");

        worker.abort(running);
        owner.run();
        assertThat(worker.status()).isZero();
        worker.startedPut("b");
        owner.assertBalanced();
    }

    @Test
    @Tag("PUT-1")
    void shouldLetTheExistingBackingWinOnTheSameOwner()
    {
        final long first = worker.startedPut("a");
        final long second = worker.startedPut("a");
        worker.commit(first);
        owner.run();
        worker.commit(second);
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(worker.commitLocal()).isZero();
        assertThat(owner.pool.count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(2);

        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
        assertThat(owner.pool.usedBytes()).isEqualTo(4096);

        worker.put("a");
        assertThat(owner.pool.usedBytes()).isEqualTo(4096);
        assertThat(owner.count(OwnerCounter.PAGES_MERGED)).isEqualTo(2);
        owner.assertBalanced();
    }

    @Test
    @Tag("PUT-1")
    void shouldPublishTheFollowerWhenTheFirstFailsForAnotherReason()
    {
        worker.groups = new int[]{2};
        final long first = worker.startedPut("a", "b");
        worker.groups = new int[]{};
        final long second = worker.startedPut("a");
        worker.commit(first);
        worker.commit(second);
        owner.run();
        worker.commitLocal();
        worker.commitLocal();

        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.answerPublish(publish, -ErrorCode.GROUP_ABORTED, -ErrorCode.KEY_ALREADY_EXISTS);
        owner.run();
        assertThat(worker.commitResult()).containsExactly(-ErrorCode.GROUP_ABORTED, -ErrorCode.KEY_ALREADY_EXISTS);

        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
        owner.assertBalanced();
    }

    @Test
    @Tag("PUT-1")
    @Tag("A2")
    void shouldPublishNothingOfAGroupWhoseKeyHasTheBadResultOfTheFirst()
    {
        final long first = worker.startedPut("a");
        worker.groups = new int[]{2, 1};
        final long second = worker.startedPut("a", "b", "c");
        worker.commit(first);
        worker.commit(second);
        owner.run();
        worker.commitLocal();
        worker.commitLocal();

        final TestMaster.Request publish = takeFirstPublish();
        assertThat(owner.master.take(PublishRequestDecoder.TEMPLATE_ID)
            .as(new PublishRequestDecoder()).entries().count()).as("only c").isEqualTo(1);
        owner.master.answerPublish(publish, -ErrorCode.INVALID_ARGUMENT);
        owner.run();
        assertThat(worker.commitResult()).containsExactly(-ErrorCode.INVALID_ARGUMENT);
        owner.pass(30);
        owner.master.answerAll();

        assertThat(worker.commitResult())
            .containsExactly(-ErrorCode.INVALID_ARGUMENT, -ErrorCode.GROUP_ABORTED, 0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
        assertThat(owner.localIndex.size()).isZero();
        owner.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(ints = {ErrorCode.KEY_ALREADY_EXISTS, ErrorCode.KEY_BEING_WRITTEN})
    @Tag("PUT-1")
    void shouldPublishAPutWithoutFlagsWhenTheFlagsOfTheFirstForbidThat(final int code)
    {
        worker.options = PutOptionBits.REJECT_IF_EXISTS | PutOptionBits.REJECT_IF_INFLIGHT;
        final long first = worker.startedPut("a");
        worker.options = 0;
        final long second = worker.startedPut("a");
        worker.commit(first);
        worker.commit(second);
        owner.run();
        worker.commitLocal();
        worker.commitLocal();

        owner.master.answerPublish(owner.master.take(PublishRequestDecoder.TEMPLATE_ID), -code);
        owner.run();
        assertThat(worker.commitResult()).containsExactly(-code);
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
        owner.assertBalanced();
    }

    @Test
    @Tag("PUT-1")
    @Tag("A2")
    void shouldDeclareAKeyAsMergedOnlyWhenItsFirstPutHasARoute()
    {
        final long first = worker.startedPut("a");
        worker.groups = new int[]{2};
        final long second = worker.startedPut("a", "b");
        worker.commit(first);
        worker.commit(second);
        owner.run();

        owner.master.answer(owner.master.take(PublishRequestDecoder.TEMPLATE_ID));
        owner.run();
        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        final PublishRequestDecoder.AtomicGroupsDecoder group =
            publish.as(new PublishRequestDecoder()).atomicGroups().next();
        assertThat(group.keyCount()).isEqualTo(1);
        assertThat(group.mergedCount()).isEqualTo(1);
        assertThat(group.groupLength()).isEqualTo(2);
        owner.master.answer(publish);
        owner.run();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(2);
        owner.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64})
    @Tag("PUT-1")
    @Tag("A2")
    @Tag("G10")
    void shouldNotLetGroupsThatCrossWaitForEachOther(final int sliceKeys)
    {
        try (OwnerFixture sliced = new OwnerFixture(
            SLOTS, new OwnerSettings().maxSessions(4).planSliceKeys(sliceKeys)))
        {
            sliced.run();
            sliced.master.join();
            final TestWorker putter = TestWorker.connected(sliced, 1001);
            putter.groups = new int[]{1, 2};
            final long one = putter.startedPut("x", "a", "b");
            final long two = putter.startedPut("y", "b", "a");
            putter.groups = new int[]{3};
            final long three = putter.startedPut("b", "z", "a");
            putter.commit(one);
            putter.commit(two);
            putter.commit(three);
            sliced.run();
            putter.drop();
            for (int i = 0; i < 10; i++)
            {
                sliced.pass(30);
                sliced.master.answerAll();
            }

            assertThat(putter.commitResult()).containsExactly(0, 0, 0);
            assertThat(putter.commitResult()).containsExactly(0, 0, 0);
            assertThat(putter.commitResult()).containsExactly(0, 0, 0);
            assertThat(sliced.pool.count(SlotState.COMMITTED)).isEqualTo(5);
            assertThat(sliced.count(OwnerCounter.PUBLISH_JOBS)).isZero();
            sliced.assertBalanced();
        }
    }

    @Test
    @Tag("G10")
    @Tag("V1")
    void shouldCommitAnUnrelatedKeyInTheMiddleOfALongGroup()
    {
        try (OwnerFixture sliced = new OwnerFixture(SLOTS, new OwnerSettings().maxSessions(4).planSliceKeys(1)))
        {
            sliced.run();
            sliced.master.join();
            final TestWorker putter = TestWorker.connected(sliced, 1001);
            final TestWorker other = TestWorker.connected(sliced, 1002);
            putter.groups = new int[]{8};
            final long longOne = putter.startedPut("a", "b", "c", "d", "e", "f", "g", "h");
            final long unrelated = other.startedPut("x");
            final long related = other.startedPut("a");
            putter.commit(longOne);
            other.commit(related);
            other.commit(unrelated);
            sliced.agent.doWork();
            assertThat(sliced.localIndex.size()).isLessThan(8);
            assertThat(other.commitLocal()).isZero();
            assertThat(other.hasMessage()).isFalse();
            sliced.run();
            assertThat(other.commitLocal()).isZero();
            sliced.master.answerAll();
            assertThat(sliced.count(OwnerCounter.PAGES_WRITTEN)).isEqualTo(10);
            sliced.assertBalanced();
        }
    }

    @Test
    @Tag("PUT-1")
    @Tag("A2")
    void shouldRefuseAnUnequalLengthAndItsSiblingsAtCommit()
    {
        final long first = worker.startedPut("a");
        worker.groups = new int[]{2, 1};
        worker.valueLength = 3000;
        final long second = worker.startedPut("x", "a", "y");
        worker.commit(first);
        worker.commit(second);
        owner.run();
        worker.commitLocal();
        worker.commitLocal();
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(worker.commitResult())
            .containsExactly(-ErrorCode.GROUP_ABORTED, -ErrorCode.INVALID_ARGUMENT, 0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(2);
        owner.assertBalanced();
    }

    @Test
    @Tag("PUT-4")
    void shouldFreeTheSlotOfAFailedPublishWithItsLastReader()
    {
        worker.commit(worker.startedPut("a"));
        owner.run();
        worker.commitLocal();
        worker.getStart(false, "a");
        owner.run();
        final long holding = worker.getStartResponse().holdings().next().holdingId();

        owner.master.publishCode = -ErrorCode.KEY_ALREADY_EXISTS;
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(-ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(owner.pool.usedBytes()).isEqualTo(4096);
        assertThat(owner.localIndex.size()).isZero();

        worker.release(holding);
        owner.run();
        assertThat(owner.pool.usedBytes()).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-4")
    void shouldGiveARepeatedRequestItsRecordedOutcome()
    {
        worker.put("z");
        final long planId = worker.startedPut("a");
        final long requestId = worker.commit(planId);
        owner.run();
        worker.commitLocal();
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);

        worker.commitAs(requestId, planId);
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(worker.commitResult()).containsExactly(0);

        worker.commit(planId);
        owner.run();
        assertThat(worker.commitLocal()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(owner.count(OwnerCounter.REQUESTS_REPEATED)).isEqualTo(1);
    }

    @Test
    @Tag("API-4")
    void shouldLeaveAnotherSessionsPlanAlone()
    {
        final TestWorker other = TestWorker.connected(owner, 1002);
        final long planId = worker.startedPut("a");
        other.commit(planId);
        other.abort(planId);
        owner.run();
        assertThat(other.commitLocal()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(other.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);

        worker.commit(planId);
        owner.run();
        assertThat(worker.commitLocal()).isZero();
    }

    @Test
    @Tag("API-9")
    void shouldReleaseEverythingOfADeadWorkerOnce()
    {
        worker.put("z");
        worker.startedPut("a", "b");
        final long committed = worker.startedPut("c");
        worker.getStart(false, "z");
        owner.run();
        worker.getStartResponse();
        worker.commit(committed);
        owner.run();
        worker.commitLocal();

        worker.die();
        worker.die();
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner.pool.count(SlotState.PREPARED)).isZero();
        assertThat(owner.master.has(UnreserveRequestDecoder.TEMPLATE_ID)).isTrue();

        owner.master.answerAll();
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(2);
        assertThat(owner.count(OwnerCounter.RESERVATIONS)).isZero();
        assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("SLOT-7")
    void shouldQuarantineWhatAHungWorkerMayWriteTo()
    {
        worker.startedPut("a", "b");
        for (int i = 0; i < 14; i++)
        {
            owner.pass(1_000);
            owner.master.answerAll();
        }
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(1);
        assertThat(owner.pool.count(SlotState.QUARANTINED)).isEqualTo(2);

        worker.drop();
        worker.keepAlive();
        owner.run();
        assertThat(worker.nextTemplateId()).isEqualTo(SessionSuspendedDecoder.TEMPLATE_ID);
        assertThat(owner.pool.count(SlotState.QUARANTINED)).isEqualTo(2);

        worker.die();
        owner.run();
        assertThat(owner.pool.usedBytes()).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("LIFE-2")
    void shouldNotForgetAWorkerBecauseTheOwnerStalled()
    {
        worker.startedPut("a");
        owner.nowNs += 60_000_000_000L;
        owner.run();
        owner.pass(5_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();
    }

    @Test
    @Tag("T1")
    void shouldRegisterAgainAndSendOpenOperationsUnderTheirIds()
    {
        worker.commit(worker.startedPut("a"));
        owner.run();
        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.lose();
        owner.master.refuseSession();
        owner.run();
        owner.master.join();
        assertThat(owner.master.registrations).isEqualTo(2);

        final TestMaster.Request again = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        assertThat(again.operationId()).isEqualTo(publish.operationId());
        owner.master.answer(again);
        owner.run();
        worker.commitLocal();
        assertThat(worker.commitResult()).containsExactly(0);
    }

    @Test
    @Tag("SLOT-4")
    void shouldFailAClaimThatCanNeverBeServedAtOnce()
    {
        final String[] keys = new String[SLOTS + 1];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        worker.putStart(keys);
        owner.run();
        assertThat(worker.putStartResponse().status()).isEqualTo(ErrorCode.NO_SPACE);
    }

    @Test
    @Tag("P1")
    void shouldHoldBackPublishesAboveTheLimitAndNothingElse()
    {
        try (OwnerFixture limited = new OwnerFixture(SLOTS, new OwnerSettings().maxSessions(4).publishLimit(2)))
        {
            limited.run();
            limited.master.join();
            final TestWorker putter = TestWorker.connected(limited, 1001);
            for (int i = 0; i < 4; i++)
            {
                putter.commit(putter.startedPut("k" + i));
                limited.run();
                assertThat(putter.commitLocal()).isZero();
            }
            limited.master.pump();
            assertThat(limited.master.requests.stream()
                .filter((request) -> PublishRequestDecoder.TEMPLATE_ID == request.templateId())).hasSize(2);
            assertThat(limited.count(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED)).isEqualTo(2);

            limited.master.answerAll();
            assertThat(limited.count(OwnerCounter.PAGES_WRITTEN)).isEqualTo(4);
            limited.assertBalanced();
        }
    }

    private TestMaster.Request takeFirstPublish()
    {
        owner.master.pump();
        final TestMaster.Request publish = owner.master.requests.stream()
            .filter((request) -> PublishRequestDecoder.TEMPLATE_ID == request.templateId()).findFirst().orElseThrow();
        owner.master.requests.remove(publish);

        return publish;
    }

    private void assertRefused(final String... keys)
    {
        worker.putStart(keys);
        owner.run();
        assertThat(worker.putStartResponse().status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
}
