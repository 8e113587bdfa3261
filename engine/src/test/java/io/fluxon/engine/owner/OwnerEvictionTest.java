package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sixteen slots in one grant, of which the window holds twelve: the thirteenth committed value makes the coldest go.
 */
class OwnerEvictionTest
{
    private static final int WINDOW_SLOTS = 12;

    private final EvictionStage stage = new EvictionStage(0.75);
    private final OwnerFixture owner = stage.owner;
    private final TestWorker worker = stage.worker;
    private final OwnerView view = stage.view;

    @AfterEach
    void after()
    {
        stage.close();
    }

    @Test
    @Tag("V3")
    void shouldAdmitNothingBeforeTheMasterHasConfirmed()
    {
        worker.commit(worker.startedPut("a"));
        owner.run();

        assertThat(worker.commitLocal()).isZero();
        assertThat(stage.residence("a")).isEqualTo(Residence.NONE);
        assertThat(view.hotCount()).isZero();

        owner.master.answerAll();
        assertThat(stage.residence("a")).isEqualTo(Residence.HOT);
        assertThat(view.hotCount()).isEqualTo(1);
    }

    @Test
    @Tag("A1")
    void shouldAdmitNoneBeforeAllOfTheJobArePromoted()
    {
        try (EvictionStage slow = new EvictionStage(0.75, new OwnerSettings().planSliceKeys(1)))
        {
            final OwnerFixture sliced = slow.owner;
            final OwnerView picture = slow.view;
            slow.worker.commit(slow.worker.startedPut("a", "b", "c", "d"));
            sliced.run();
            sliced.master.answer(sliced.master.take(PublishRequestDecoder.TEMPLATE_ID));

            boolean wasPartlyPromoted = false;
            while (picture.hotCount() < 4)
            {
                sliced.agent.doWork();
                final long committed = sliced.pool.count(SlotState.COMMITTED);
                wasPartlyPromoted |= committed > 0 && committed < 4;
                assertThat(picture.hotCount()).isIn(0L, 4L);
                assertThat(committed < 4 && picture.hotCount() > 0).isFalse();
            }
            assertThat(wasPartlyPromoted).isTrue();
            sliced.master.answerAll();
        }
    }

    @Test
    @Tag("HOT-1")
    @Tag("EVICT-2")
    @Tag("S2")
    void shouldEvictTheColdestValueWhenTheWindowOverflows()
    {
        stage.fill(WINDOW_SLOTS);
        stage.touch("k0");
        final int slotId = stage.slotOf("k1");
        final long use = owner.pool.table().useCounter(slotId);
        worker.put("last");

        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        assertThat(stage.find("k1")).isEqualTo(SlotTable.NONE);
        assertThat(stage.find("k0")).isNotEqualTo(SlotTable.NONE);
        assertThat(owner.pool.table().state(slotId)).isEqualTo(SlotState.FREE);
        worker.put("next");
        assertThat(stage.slotOf("next")).isEqualTo(slotId);
        assertThat(owner.pool.table().useCounter(slotId)).isEqualTo(use + 1);
    }

    @Test
    @Tag("HOT-1")
    void shouldKeepAParentYoungerThanItsChild()
    {
        stage.fill(WINDOW_SLOTS - 2);
        worker.put("p0", "p1");
        final List<String> evicted = new ArrayList<>();
        for (int i = 0; i < 15; i++)
        {
            stage.touchAllBut("p0", "p1");
            evicted.addAll(stage.putAndSeeEvicted("x" + i));
        }

        assertThat(evicted.indexOf("p1")).isGreaterThanOrEqualTo(0);
        assertThat(evicted.indexOf("p0")).isEqualTo(evicted.indexOf("p1") + 1);
    }

    @Test
    @Tag("HOT-1")
    @Tag("G10")
    void shouldKeepEachParentYoungerThanItsChildWhenAReadRenewsThemInSlices()
    {
        try (EvictionStage sliced = new EvictionStage(0.75, new OwnerSettings().planSliceKeys(2)))
        {
            sliced.worker.put("p0", "p1", "p2", "p3", "p4", "p5", "p6");
            sliced.fill(WINDOW_SLOTS - 7);
            sliced.touch("p0", "p1", "p2", "p3", "p4", "p5", "p6");

            final List<String> evicted = new ArrayList<>();
            for (int i = 0; i < WINDOW_SLOTS; i++)
            {
                evicted.addAll(sliced.putAndSeeEvicted("x" + i));
            }
            assertThat(evicted).containsExactly(
                "k0", "k1", "k2", "k3", "k4", "p6", "p5", "p4", "p3", "p2", "p1", "p0");
        }
    }

    @Test
    @Tag("HOT-1")
    void shouldPutAPageThatWasFetchedBehindTheOneBeforeIt()
    {
        worker.put("p0");
        stage.fill(WINDOW_SLOTS - 2);
        owner.master.routes.add("p1");
        worker.getStart(true, "p0", "p1");
        owner.run();
        owner.master.answerAll();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        worker.cancel(worker.getStartResponse().handle());
        owner.run();
        assertThat(worker.status()).isZero();

        final List<String> evicted = new ArrayList<>();
        for (int i = 0; i < WINDOW_SLOTS; i++)
        {
            evicted.addAll(stage.putAndSeeEvicted("x" + i));
        }
        assertThat(evicted.indexOf("p1")).isEqualTo(WINDOW_SLOTS - 2);
        assertThat(evicted.indexOf("p0")).isEqualTo(WINDOW_SLOTS - 1);
    }

    @Test
    @Tag("EVICT-1")
    @Tag("S3")
    void shouldEvictTheWholeGroupOfTheVictim()
    {
        worker.groups = new int[]{3};
        worker.put("g0", "g1", "g2");
        worker.groups = new int[]{};
        stage.fill(WINDOW_SLOTS - 3);
        worker.commit(worker.startedPut("last"));
        owner.run();
        stage.answerPublish();

        final TestMaster.Request request = stage.takeEvict();
        assertThat(TestMaster.evictedKeys(request)).containsExactlyInAnyOrder("g0", "g1", "g2");
        owner.master.answer(request);
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(3);
        stage.assertMiss("g0");
    }

    @Test
    @Tag("EVICT-1")
    void shouldEvictNoGroupOfTheSamePutButTheVictims()
    {
        worker.groups = new int[]{2, 2};
        worker.put("g0", "g1", "h0", "h1");
        worker.groups = new int[]{};
        stage.fill(WINDOW_SLOTS - 4);
        worker.put("last");

        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(2);
        assertThat(stage.find("g0")).isNotEqualTo(SlotTable.NONE);
        assertThat(stage.find("g1")).isNotEqualTo(SlotTable.NONE);
        assertThat(stage.find("h0")).isEqualTo(SlotTable.NONE);
        assertThat(stage.find("h1")).isEqualTo(SlotTable.NONE);
    }

    @Test
    @Tag("EVICT-1")
    void shouldEvictTheGroupsOfAllRanksOfACohort()
    {
        worker.options = PutOptionBits.HAS_COHORT;
        worker.cohortId = 77;
        worker.cohortSize = 2;
        worker.groups = new int[]{2, 1};
        worker.put("a0", "a1", "b0");
        worker.cohortRank = 1;
        worker.put("c0", "c1", "d0");
        worker.options = 0;
        worker.groups = new int[]{};
        stage.fill(WINDOW_SLOTS - 6);

        assertThat(stage.putAndSeeEvicted("x0")).containsExactlyInAnyOrder("b0", "d0");
        stage.touchAllBut();
        assertThat(stage.putAndSeeEvicted("x1")).isEmpty();
        assertThat(stage.putAndSeeEvicted("x2")).containsExactlyInAnyOrder("a0", "a1", "c0", "c1");
    }

    @Test
    @Tag("EVICT-1")
    void shouldTakeTheRankFromTheKeyWhenNoCohortIsNamed()
    {
        worker.put("m:p_0_2");
        worker.put("m:q_0_2");
        worker.put("m:p_1_2");
        stage.fill(WINDOW_SLOTS - 3);

        assertThat(stage.putAndSeeEvicted("last")).containsExactlyInAnyOrder("m:p_0_2", "m:p_1_2");
    }

    @Test
    @Tag("EVICT-1")
    void shouldNotJoinMoreGroupsThanACohortHasRanks()
    {
        worker.options = PutOptionBits.HAS_COHORT;
        worker.cohortId = 77;
        worker.cohortSize = 2;
        worker.put("a");
        worker.put("b");
        worker.put("c");
        worker.options = 0;
        stage.fill(WINDOW_SLOTS - 3);

        assertThat(stage.putAndSeeEvicted("last")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    @Tag("EVICT-1")
    void shouldWaitForAMemberThatIsBeingPublished()
    {
        worker.put("m:p_0_2");
        worker.commit(worker.startedPut("m:p_1_2"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.lose();
        for (int i = 0; i < WINDOW_SLOTS; i++)
        {
            worker.commit(worker.startedPut("k" + i));
            owner.run();
            stage.answerPublish();
        }
        assertThat(owner.count(OwnerCounter.EVICT_SOURCES)).isZero();
        assertThat(stage.residence("m:p_0_2")).isEqualTo(Residence.SELECTED);

        owner.master.answer(publish);
        owner.run();
        owner.pass(30);
        owner.master.answerAll();
        assertThat(stage.find("m:p_0_2")).isEqualTo(SlotTable.NONE);
        assertThat(worker.commitResult()).containsExactly(0);
    }

    @Test
    @Tag("EVICT-1")
    void shouldRefuseACohortThatOneMessageCouldNotEvict()
    {
        worker.options = PutOptionBits.HAS_COHORT;
        worker.cohortSize = 8192;
        worker.groups = new int[]{2};
        worker.putStart("a", "b");
        owner.run();

        assertThat(worker.putStartResponse().status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("GET-4")
    void shouldHideTheMembersUntilTheAnswer()
    {
        stage.overflow(WINDOW_SLOTS);
        final int slotId = stage.hiddenSlot();

        worker.getStart(true, "k0");
        owner.run();
        assertThat(worker.hasMessage()).isFalse();
        owner.pass(12);
        assertThat(worker.getStartResponse().transferableLen()).isZero();
        assertThat(owner.count(OwnerCounter.FLIGHTS_STARTED)).isZero();
        assertThat(owner.pool.table().holderCount(slotId)).isEqualTo(1);

        owner.pass(60_000);
        worker.keepAlive();
        assertThat(owner.pool.table().residence(slotId)).isEqualTo(Residence.HIDDEN);
        owner.master.answer(stage.takeEvict());
        owner.run();
        assertThat(owner.pool.table().state(slotId)).isEqualTo(SlotState.FREE);
    }

    @Test
    @Tag("GET-4")
    void shouldServeAReadThatWaitedForAKeyWhichIsShownAgain()
    {
        stage.overflow(WINDOW_SLOTS);
        worker.getStart(true, "k0");
        owner.run();
        owner.pass(5);
        assertThat(worker.hasMessage()).isFalse();

        owner.master.answerEvict(stage.takeEvict(), EvictResult.BUSY);
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
    }

    @Test
    @Tag("GET-4")
    void shouldAskForAKeyWhichIsEvictedWhileAReadWaits()
    {
        stage.overflow(WINDOW_SLOTS);
        owner.master.routes.add("k0");
        worker.getStart(true, "k0");
        owner.run();
        owner.master.answer(stage.takeEvict());
        owner.run();

        assertThat(owner.count(OwnerCounter.FLIGHTS_STARTED)).isEqualTo(1);
        owner.master.answerAll();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(1);
        worker.getTransfer(start.handle(), -1);
        owner.run();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(1);
        assertThat(stage.residence("k0")).isEqualTo(Residence.HOT);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("T1")
    void shouldRepeatTheQuestionUnderItsIdUntilItIsAnswered()
    {
        stage.overflow(WINDOW_SLOTS);
        final TestMaster.Request first = stage.takeEvict();
        owner.pass(30);
        final TestMaster.Request second = stage.takeEvict();
        assertThat(second.operationId()).isEqualTo(first.operationId());

        owner.master.answer(second);
        owner.master.answer(first);
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        owner.pass(2_000);
        owner.master.pump();
        assertThat(owner.master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();
    }

    @Test
    @Tag("EVICT-2")
    @Tag("PRESS-2")
    void shouldShowAValueThatIsInUseAndGiveItBackAfterEightRounds()
    {
        final long holding = stage.hold("k0");
        stage.fillFrom(1, WINDOW_SLOTS);
        stage.touchAllBut("k0");
        worker.put("last");

        assertThat(stage.residence("k0")).isEqualTo(Residence.SELECTED);
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);
        stage.touch("k0");
        owner.pass(4_000);
        assertThat(owner.count(OwnerCounter.EVICT_RESTORED)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_BUSY)).isGreaterThanOrEqualTo(EvictionJob.MAX_ROUNDS);
        assertThat(stage.residence("k0")).isEqualTo(Residence.HOT);
        assertThat(owner.count(OwnerCounter.EVICT_SOURCES)).isEqualTo(owner.count(OwnerCounter.EVICT_FREED));
        worker.release(holding);
        owner.run();
    }

    @Test
    @Tag("EVICT-2")
    void shouldEvictInALaterRoundWhenTheReaderIsGone()
    {
        final long holding = stage.hold("k0");
        stage.fillFrom(1, WINDOW_SLOTS);
        stage.touchAllBut("k0");
        worker.put("last");
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);

        worker.release(holding);
        owner.pass(30);
        owner.master.answerAll();
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        assertThat(stage.find("k0")).isEqualTo(SlotTable.NONE);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("EVICT-1")
    void shouldShowTheWholeCohortWhenOneMemberIsInUse()
    {
        worker.groups = new int[]{3};
        worker.put("g0", "g1", "g2");
        worker.groups = new int[]{};
        final long holding = stage.holdAgain("g1");
        stage.fill(WINDOW_SLOTS - 3);
        stage.touchAllBut("g0", "g1", "g2");
        worker.put("last");

        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.HIDDEN_VALUES)).isZero();
        for (final String key : List.of("g0", "g1", "g2"))
        {
            assertThat(stage.residence(key)).isEqualTo(Residence.SELECTED);
        }
        worker.release(holding);
        owner.pass(30);
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(3);
    }

    @Test
    @Tag("EVICT-2")
    void shouldNotHideAKeyThatIsBeingPut()
    {
        stage.fill(WINDOW_SLOTS);
        final long planId = worker.startedPut("k0");
        worker.put("last");
        assertThat(owner.count(OwnerCounter.EVICT_SOURCES)).isZero();
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);

        worker.abort(planId);
        owner.pass(30);
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    void shouldTryAgainUnderANewIdWhenTheMasterIsBusy()
    {
        stage.overflow(WINDOW_SLOTS);
        final TestMaster.Request first = stage.takeEvict();
        owner.master.answerEvict(first, EvictResult.BUSY);
        owner.run();
        assertThat(stage.residence("k0")).isEqualTo(Residence.SELECTED);
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);

        owner.pass(30);
        final TestMaster.Request second = stage.takeEvict();
        assertThat(second.operationId()).isNotEqualTo(first.operationId());
        owner.master.answer(second);
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    void shouldTakeARefusalForBusy()
    {
        stage.overflow(WINDOW_SLOTS);
        owner.master.ack(stage.takeEvict(), ErrorCode.STALE_GET_PLAN);
        owner.run();

        assertThat(stage.residence("k0")).isEqualTo(Residence.SELECTED);
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);
        owner.pass(30);
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    void shouldDropAbsentMembersAndEvictTheRestUnderANewId()
    {
        worker.groups = new int[]{3};
        worker.put("g0", "g1", "g2");
        worker.groups = new int[]{};
        stage.fill(WINDOW_SLOTS - 3);
        worker.commit(worker.startedPut("last"));
        owner.run();
        stage.answerPublish();
        final TestMaster.Request first = stage.takeEvict();
        owner.master.answerEvict(first, EvictResult.STALE, "g1");
        owner.run();

        assertThat(owner.count(OwnerCounter.EVICT_OBSOLETE)).isEqualTo(1);
        final TestMaster.Request second = stage.takeEvict();
        assertThat(second.operationId()).isNotEqualTo(first.operationId());
        assertThat(TestMaster.evictedKeys(second)).containsExactlyInAnyOrder("g0", "g2");
        owner.master.answer(second);
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(2);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-3")
    void shouldHideNothingWhileTheMasterIsAway()
    {
        try (EvictionStage slow = new EvictionStage(0.75, new OwnerSettings().planSliceKeys(1)))
        {
            final OwnerFixture sliced = slow.owner;
            slow.worker.groups = new int[]{3};
            slow.worker.put("g0", "g1", "g2");
            slow.worker.groups = new int[]{};
            slow.overflowBehind(9);
            sliced.master.answerEvict(slow.takeEvict(), EvictResult.BUSY);
            sliced.run();
            sliced.ownerToMaster.isConnected = false;
            for (int i = 0; i < 4_000; i++)
            {
                sliced.nowNs += 1_000_000;
                sliced.agent.doWork();
                assertThat(sliced.agent.core().values.hidden()).isZero();
            }

            assertThat(sliced.count(OwnerCounter.MASTER_AVAILABLE)).isZero();
            assertThat(sliced.count(OwnerCounter.EVICT_RESTORED)).isEqualTo(3);
            assertThat(sliced.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);
            assertThat(slow.residence("g0")).isEqualTo(Residence.HOT);
            sliced.ownerToMaster.isConnected = true;
            sliced.run();
        }
    }

    @Test
    @Tag("EVICT-2")
    @Tag("A2")
    void shouldNotEvictWhatAPutHasJoinedBeforeItsGroupIsPublished()
    {
        worker.put("k0");
        worker.groups = new int[]{2};
        worker.commit(worker.startedPut("k0", "b"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        final TestMaster.Request publish = owner.master.take(PublishRequestDecoder.TEMPLATE_ID);
        owner.master.lose();
        worker.groups = new int[]{};
        for (int i = 1; i <= WINDOW_SLOTS; i++)
        {
            worker.commit(worker.startedPut("k" + i));
            owner.run();
            stage.answerPublish();
        }
        assertThat(owner.count(OwnerCounter.EVICT_SOURCES)).isZero();
        assertThat(stage.residence("k0")).isEqualTo(Residence.SELECTED);

        owner.master.answer(publish);
        owner.run();
        assertThat(worker.commitResult()).containsExactly(0, 0);
        owner.pass(30);
        owner.master.answerAll();
        assertThat(stage.find("k0")).isEqualTo(SlotTable.NONE);
    }

    @Test
    @Tag("EVICT-2")
    void shouldShowWhatWasProvablyNeverOffered()
    {
        try (EvictionStage slow = new EvictionStage(0.75, new OwnerSettings().planSliceKeys(1)))
        {
            final OwnerFixture sliced = slow.owner;
            slow.worker.groups = new int[]{3};
            slow.worker.put("g0", "g1", "g2");
            slow.worker.groups = new int[]{};
            slow.fill(9);
            slow.worker.commit(slow.worker.startedPut("last"));
            sliced.run();
            sliced.master.answer(sliced.master.take(PublishRequestDecoder.TEMPLATE_ID));
            while (!slow.isAnyIn(OwnerView.EvictionState.PREPARED))
            {
                sliced.agent.doWork();
            }
            assertThat(sliced.agent.core().values.hidden()).isEqualTo(3);
            sliced.ownerToMaster.isConnected = false;
            sliced.run();

            assertThat(sliced.agent.core().values.hidden()).isZero();
            assertThat(sliced.count(OwnerCounter.EVICT_SOURCES)).isZero();
            assertThat(sliced.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(3);
            sliced.ownerToMaster.isConnected = true;
            sliced.pass(100);
            sliced.master.answerAll();
            assertThat(sliced.count(OwnerCounter.EVICT_FREED)).isEqualTo(3);
        }
    }

    @Test
    @Tag("GET-4")
    @Tag("V1")
    void shouldPublishAPutOfAHiddenKeyAfterTheRemoval()
    {
        stage.overflow(WINDOW_SLOTS);
        final TestMaster.Request evict = stage.takeEvict();
        worker.commit(worker.startedPut("k0"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(owner.pool.table().state(stage.find("k0"))).isEqualTo(SlotState.PENDING_LOCAL_VISIBLE);
        owner.pass(100);
        assertThat(owner.master.has(PublishRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.master.answer(evict);
        owner.run();
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(owner.pool.table().state(stage.find("k0"))).isEqualTo(SlotState.COMMITTED);
        assertThat(owner.count(OwnerCounter.PAGES_MERGED)).isZero();
    }

    @Test
    @Tag("GET-4")
    void shouldLetTheOldValueWinWhenItIsRestored()
    {
        stage.overflow(WINDOW_SLOTS);
        final int old = stage.hiddenSlot();
        final TestMaster.Request evict = stage.takeEvict();
        worker.commit(worker.startedPut("k0"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(stage.find("k0")).isNotEqualTo(old);

        owner.master.answerEvict(evict, EvictResult.BUSY);
        owner.run();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(stage.find("k0")).isEqualTo(old);
        assertThat(owner.count(OwnerCounter.PAGES_MERGED)).isEqualTo(1);
        assertThat(owner.master.has(PublishRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.pass(100);
        owner.master.answerAll();
    }

    @Test
    @Tag("GET-4")
    @Tag("PUT-1")
    void shouldRefuseAPutOfAHiddenKeyForItsFlagWhenTheOldValueIsRestored()
    {
        stage.overflow(WINDOW_SLOTS);
        final TestMaster.Request evict = stage.takeEvict();
        worker.options = PutOptionBits.REJECT_IF_EXISTS;
        worker.groups = new int[]{2};
        worker.commit(worker.startedPut("k0", "z"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();

        owner.master.answerEvict(evict, EvictResult.BUSY);
        owner.run();
        owner.master.answerAll();
        assertThat(worker.commitResult())
            .containsExactly(-ErrorCode.KEY_ALREADY_EXISTS, -ErrorCode.GROUP_ABORTED);
        owner.pass(100);
        owner.master.answerAll();
    }

    @Test
    @Tag("LIFE-4")
    @Tag("EVICT-2")
    void shouldReportWhatIsHiddenAndAskAgainUnderTheSameId()
    {
        stage.overflow(WINDOW_SLOTS);
        final TestMaster.Request first = stage.takeEvict();
        owner.master.mustReport = true;
        owner.master.refuseSession();
        owner.run();
        owner.master.pump();
        owner.run();
        owner.master.pump();
        final TestMaster.Request report = owner.master.take(
            ReportRequestDecoder.TEMPLATE_ID);
        assertThat(report.as(new ReportRequestDecoder()).values().count()).isEqualTo(WINDOW_SLOTS + 1);
        assertThat(owner.master.has(EvictSourceRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.master.answer(report);
        owner.run();
        final TestMaster.Request second = stage.takeEvict();
        assertThat(second.operationId()).isEqualTo(first.operationId());
        owner.master.answer(second);
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("S4")
    void shouldCountAMemberThatTheReportLosesAsObsolete()
    {
        stage.overflow(WINDOW_SLOTS);
        stage.takeEvict();
        owner.master.mustReport = true;
        owner.master.reportCode = ErrorCode.KEY_ALREADY_EXISTS;
        owner.master.refuseSession();
        owner.run();
        owner.master.pump();
        owner.run();
        owner.master.pump();
        owner.master.answer(owner.master.take(ReportRequestDecoder.TEMPLATE_ID));
        owner.run();

        assertThat(owner.count(OwnerCounter.EVICT_OBSOLETE)).isEqualTo(1);
        assertThat(view.hotCount()).isZero();
        owner.master.answer(stage.takeEvict());
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isZero();
    }

    @Test
    @Tag("PRESS-2")
    void shouldNotRenewAValueByProbesAndFailedGets()
    {
        stage.fill(WINDOW_SLOTS);
        worker.exists("k0");
        owner.run();
        worker.existsResponse();
        worker.getStart(false, "k0", "absent");
        owner.run();
        owner.master.answerAll();
        assertThat(worker.getStartResponse().transferableLen()).isZero();

        assertThat(stage.putAndSeeEvicted("last")).containsExactly("k0");
    }
}
