package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class OwnerGetTest
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
    @Tag("GET-1")
    @Tag("GET-2")
    void shouldAnswerAWhollyLocalBatchInTheStartResponse()
    {
        worker.put("a", "b");
        worker.getStart(false, "a", "b", "a");
        owner.run();

        final GetStartResponseDecoder response = worker.getStartResponse();
        assertThat(response.kind()).isEqualTo(GetKind.INLINE);
        assertThat(response.handle()).isZero();
        assertThat(response.rawPrefixHitLen()).isEqualTo(3);
        final List<Long> ids = new ArrayList<>();
        for (final GetStartResponseDecoder.HoldingsDecoder holding : response.holdings())
        {
            assertThat(holding.offset()).isGreaterThanOrEqualTo(OwnerFixture.GRANTS_OFFSET);
            assertThat(holding.length()).isEqualTo(TestWorker.VALUE_LENGTH);
            ids.add(holding.holdingId());
        }
        assertThat(ids).hasSize(3).doesNotHaveDuplicates().isSorted().doesNotContain(0L);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.FLIGHTS_STARTED)).isZero();
        assertThat(owner.count(OwnerCounter.READ_PLANS)).isZero();
        owner.assertBalanced();

        worker.release(ids.get(0), ids.get(1), ids.get(1), 999L);
        owner.run();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(1);
        owner.assertBalanced();
    }

    @Test
    @Tag("G7")
    @Tag("G8")
    void shouldBringABatchWithOneMessageAStage()
    {
        owner.master.routes.addAll(List.of("a", "b", "c"));
        worker.put("l");
        worker.getStart(false, "a", "l", "b", "c");
        owner.run();
        assertThat(worker.hasMessage()).isFalse();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();

        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.kind()).isEqualTo(GetKind.REMOTE);
        assertThat(start.transferableLen()).isEqualTo(4);
        assertThat(start.remoteHits()).isEqualTo(3);
        assertThat(owner.transfers.offered).hasSize(3);
        assertThat(owner.transfers.offered.stream().map(OwnerFixture.Transfer::batch).distinct()).hasSize(1);
        assertThat(owner.pool.count(SlotState.PENDING)).isEqualTo(3);

        worker.getTransfer(start.handle(), -1);
        owner.run();
        owner.transfers.complete(0);
        owner.run();
        assertThat(owner.master.has(BatchGetDoneRequestDecoder.TEMPLATE_ID)).isFalse();
        owner.transfers.completeAll();
        owner.run();
        assertThat(worker.hasMessage()).isFalse();
        final TestMaster.Request done = owner.master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        assertThat(done.as(new BatchGetDoneRequestDecoder()).items().count()).isEqualTo(3);
        owner.master.answer(done);
        owner.run();

        final GetTransferResponseDecoder transfer = worker.getTransferResponse();
        assertThat(transfer.status()).isZero();
        assertThat(transfer.holdings().count()).isEqualTo(4);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(4);
        assertThat(owner.count(OwnerCounter.GETS_STARTED)).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.GETS_DONE)).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.HANDLES)).isZero();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        owner.assertBalanced();

        worker.getStart(false, "a", "l", "b", "c");
        owner.run();
        assertThat(worker.getStartResponse().kind()).isEqualTo(GetKind.INLINE);
    }

    @Test
    @Tag("CRC-1")
    void shouldTreatAWrongChecksumAsAMiss()
    {
        final long handle = remote("a");
        owner.checksums.next = 1;
        owner.transfers.completeAll();
        owner.run();
        worker.getTransfer(handle, -1);
        owner.run();

        assertThat(worker.getTransferResponse().status()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(owner.count(OwnerCounter.CHECKSUM_MISMATCHES)).isEqualTo(1);
        final TestMaster.Request revoke = owner.master.take(BatchGetRevokeRequestDecoder.TEMPLATE_ID);
        final BatchGetRevokeRequestDecoder.ItemsDecoder item =
            revoke.as(new BatchGetRevokeRequestDecoder()).items().next();
        assertThat(item.index()).isZero();
        assertThat(item.mismatch()).isOne();
        owner.master.answer(revoke);
        owner.run();
        assertQuiet();
    }

    @Test
    @Tag("G5")
    void shouldRevokeTheSuffixAtOnce()
    {
        owner.master.routes.addAll(List.of("a", "c"));
        worker.put("d");
        worker.groups = new int[]{1, 1, 1, 1};
        worker.getStart(true, "a", "b", "c", "d");
        owner.run();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();

        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.rawPrefixHitLen()).isEqualTo(1);
        assertThat(start.transferableLen()).isEqualTo(1);
        assertThat(start.firstMissIndex()).isEqualTo(1);
        assertThat(owner.transfers.offered).hasSize(1);
        final TestMaster.Request revoke = owner.master.take(BatchGetRevokeRequestDecoder.TEMPLATE_ID);
        final BatchGetRevokeRequestDecoder.ItemsDecoder items = revoke.as(new BatchGetRevokeRequestDecoder()).items();
        assertThat(items.count()).isEqualTo(1);
        assertThat(items.next().index()).isEqualTo(2);
        owner.master.answer(revoke);

        worker.cancel(start.handle());
        owner.run();
        assertThat(worker.status()).isZero();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertQuiet();
    }

    @Test
    @Tag("G3")
    @Tag("API-7")
    void shouldShareOneFlightBetweenAllThatWantAKey()
    {
        owner.master.routes.add("a");
        final TestWorker other = TestWorker.connected(owner, 1002);
        worker.getStart(false, "a", "a");
        other.getStart(false, "a");
        owner.run();
        final TestMaster.Request start = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        assertThat(TestMaster.keys(start)).containsExactly("a");
        assertThat(owner.count(OwnerCounter.JOINS)).isEqualTo(2);
        owner.master.answer(start);
        owner.run();

        final GetStartResponseDecoder mine = worker.getStartResponse();
        assertThat(mine.transferableLen()).isEqualTo(2);
        final long handle = mine.handle();
        final long others = other.getStartResponse().handle();
        assertThat(owner.transfers.offered).hasSize(1);

        worker.cancel(handle);
        owner.run();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        other.getTransfer(others, 1);
        owner.run();
        assertThat(other.getTransferResponse().holdings().count()).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.FLIGHTS_STARTED)).isEqualTo(1);
        owner.assertBalanced();
    }

    @Test
    @Tag("SLOT-4")
    void shouldCutThePrefixWhereNoSlotComesFree()
    {
        final List<String> keys = new ArrayList<>();
        for (int i = 0; i < SLOTS - 2; i++)
        {
            keys.add("k" + i);
        }
        worker.put(keys.toArray(String[]::new));
        worker.getStart(false, keys.toArray(String[]::new));
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(SLOTS - 2);
        owner.master.routes.addAll(List.of("a", "b", "c", "d"));
        worker.groups = new int[]{1, 1, 1, 1};
        worker.getStart(true, "a", "b", "c", "d");
        owner.run();
        owner.master.answerAll();
        assertThat(worker.hasMessage()).isFalse();
        owner.pass(12);

        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(2);
        assertThat(start.firstMissIndex()).isEqualTo(2);
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.GETS_REVOKED)).isEqualTo(2);
        assertThat(owner.transfers.offered).hasSize(2);
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        worker.getTransfer(start.handle(), -1);
        owner.run();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(2);
        owner.assertBalanced();
    }

    @Test
    @Tag("API-5")
    @Tag("GET-6")
    void shouldConsumeWholeGroupsOnly()
    {
        owner.master.routes.addAll(List.of("a", "b", "c", "d"));
        worker.groups = new int[]{2, 2, 3};
        worker.getStart(true, "a", "b", "c", "d", "e", "f", "g");
        owner.run();
        owner.master.answerAll();
        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(4);
        for (final int wrong : new int[]{0, 1, 3, 5})
        {
            worker.getTransfer(start.handle(), wrong);
            owner.run();
            final GetTransferResponseDecoder refused = worker.getTransferResponse();
            assertThat(refused.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(refused.handle()).as("it lives").isEqualTo(start.handle());
        }
        worker.getTransfer(start.handle(), 2);
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(2);

        worker.getTransfer(start.handle(), 2);
        worker.cancel(start.handle());
        owner.run();
        final GetTransferResponseDecoder used = worker.getTransferResponse();
        assertThat(used.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(used.handle()).isZero();
        assertThat(worker.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        owner.assertBalanced();
    }

    @Test
    @Tag("LIFE-2")
    @Tag("GET-3")
    void shouldTakeWhatCameWhileTheOwnerStoodStillBeforeAWaitEndsByTime()
    {
        final long handle = remote("a");
        for (int i = 0; i < 2 * new OwnerSettings().workerMessageLimit(); i++)
        {
            worker.keepAlive();
        }
        worker.getTransfer(handle, 1);
        owner.nowNs += 62_000_000_000L;
        owner.run();
        assertThat(owner.count(OwnerCounter.HANDLES_EXPIRED)).isZero();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(1);
    }

    @Test
    @Tag("GET-3")
    void shouldEndAHandleByItself()
    {
        remote("a");
        for (int i = 0; i < 61; i++)
        {
            worker.keepAlive();
            owner.pass(1_000);
            owner.master.pump();
        }
        assertThat(owner.count(OwnerCounter.HANDLES_EXPIRED)).isEqualTo(1);
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertQuiet();
    }

    @Test
    @Tag("GET-5")
    @Tag("T1")
    void shouldMissWhenTheMasterDoesNotAnswerInTime()
    {
        worker.put("l");
        worker.groups = new int[]{1, 1};
        worker.getStart(true, "l", "a");
        owner.run();
        final TestMaster.Request start = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        for (int i = 0; i < 6; i++)
        {
            owner.pass(1_000);
            owner.master.pump();
        }
        assertThat(owner.count(OwnerCounter.RETRIES)).isGreaterThan(3);
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
        final TestMaster.Request revoke = owner.master.take(BatchGetRevokeRequestDecoder.TEMPLATE_ID);
        final BatchGetRevokeRequestDecoder.ItemsDecoder item =
            revoke.as(new BatchGetRevokeRequestDecoder()).items().next();
        assertThat(item.startOperationId()).isEqualTo(start.operationId());
        assertThat(item.index()).isEqualTo(-1);
        assertThat(owner.master.lastWatermark).isLessThan(start.operationId());

        owner.master.lose();
        owner.master.answer(revoke);
        owner.pass(200);
        owner.master.pump();
        assertThat(owner.master.lastWatermark).isGreaterThan(start.operationId());
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
    }

    @Test
    @Tag("T2")
    void shouldConvergeWhenALocalPutComesFirst()
    {
        final long handle = remote("a");
        worker.commit(worker.startedPut("a"));
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        owner.transfers.completeAll();
        owner.run();
        worker.getTransfer(handle, -1);
        owner.run();
        assertThat(worker.getTransferResponse().status()).isZero();
        assertThat(owner.master.has(BatchGetRevokeRequestDecoder.TEMPLATE_ID)).isTrue();
        owner.master.answerAll();
        assertThat(worker.commitResult()).containsExactly(0);
        assertThat(owner.pool.count(SlotState.COMMITTED)).isEqualTo(1);
        assertThat(owner.pool.usedBytes()).isEqualTo(4096);
        owner.assertBalanced();
    }

    @Test
    @Tag("T2")
    void shouldKeepTheBackingThatTheMasterHasWhenGetDoneAndPublishRace()
    {
        final long handle = remote("a");
        owner.transfers.completeAll();
        owner.run();
        final TestMaster.Request done = owner.master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        worker.commit(worker.startedPut("a"));
        owner.run();
        worker.commitLocal();
        owner.master.answer(owner.master.take(PublishRequestDecoder.TEMPLATE_ID));
        owner.run();
        assertThat(worker.commitResult()).containsExactly(0);
        owner.master.answer(done);
        owner.run();
        worker.getTransfer(handle, -1);
        owner.run();
        assertThat(worker.getTransferResponse().status()).isZero();
        owner.master.answerAll();
        assertThat(owner.pool.usedBytes()).isEqualTo(4096);
        owner.assertBalanced();
    }

    @Test
    @Tag("T2")
    void shouldFailStaleAndConvergeWhenAlreadyAReplica()
    {
        final long handle = remote("a");
        owner.transfers.completeAll();
        owner.run();
        owner.master.doneCode = ErrorCode.STALE_GET_PLAN;
        owner.master.answerAll();
        worker.getTransfer(handle, -1);
        owner.run();
        assertThat(worker.getTransferResponse().status()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertQuiet();
    }

    @Test
    @Tag("API-9")
    @Tag("GET-5")
    void shouldReleaseEverythingWhenTheWorkerDiesAtAnyStep()
    {
        for (int step = 0; step < 6; step++)
        {
            final TestWorker dying = TestWorker.connected(owner, 2000 + step);
            owner.master.routes.addAll(List.of("a" + step, "b" + step));
            dying.getStart(false, "a" + step, "b" + step);
            if (step > 0)
            {
                owner.run();
            }
            if (step > 1)
            {
                owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
                owner.run();
            }
            if (step > 2)
            {
                dying.getTransfer(dying.getStartResponse().handle(), -1);
                owner.run();
            }
            if (step > 3)
            {
                owner.transfers.completeAll();
                owner.run();
            }
            if (step > 4)
            {
                owner.master.answerAll();
            }
            dying.die();
            owner.run();
            assertThat(owner.count(OwnerCounter.READ_PLANS)).as("step %d", step).isZero();
            assertThat(owner.count(OwnerCounter.HOLDINGS)).as("step %d", step).isZero();
            owner.assertBalanced();

            owner.transfers.completeAll();
            owner.run();
            owner.master.answerAll();
            owner.transfers.completeAll();
            owner.run();
            owner.master.answerAll();
            assertThat(owner.count(OwnerCounter.FLIGHTS)).as("step %d", step).isZero();
            assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).as("step %d", step).isZero();
            assertThat(owner.pool.count(SlotState.PENDING)).as("step %d", step).isZero();
            owner.assertBalanced();
        }
        assertThat(owner.count(OwnerCounter.GETS_STARTED))
            .isEqualTo(owner.count(OwnerCounter.GETS_DONE) + owner.count(OwnerCounter.GETS_REVOKED));
    }

    @Test
    @Tag("G9")
    void shouldAskForLeadersOfSeveralReadsWithOneMessageWhileTheMasterIsBeingAsked()
    {
        owner.master.routes.addAll(List.of("a", "b", "c"));
        worker.getStart(false, "a");
        owner.run();
        final TestMaster.Request first = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        worker.getStart(false, "b");
        worker.getStart(false, "c", "missing");
        owner.run();
        assertThat(owner.master.has(BatchGetStartRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.master.answer(first);
        owner.run();
        final TestMaster.Request second = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        assertThat(second.as(new BatchGetStartRequestDecoder()).keys().count()).isEqualTo(3);
        assertThat(owner.count(OwnerCounter.BATCH_GET_STARTS)).isEqualTo(2);
        assertThat(owner.count(OwnerCounter.LEADERS_GATHERED)).isEqualTo(2);
        owner.master.answer(second);
        owner.run();

        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
        assertThat(worker.getStartResponse().transferableLen()).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("G9")
    void shouldAskAfterTheWindowWhenTheMasterDoesNotAnswer()
    {
        owner.master.routes.addAll(List.of("a", "b"));
        worker.put("l");
        worker.getStart(false, "a");
        owner.run();
        owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        worker.getStart(false, "b");
        worker.getStart(false, "l");
        owner.run();
        assertThat(worker.getStartResponse().kind()).isEqualTo(GetKind.INLINE);
        assertThat(owner.master.has(BatchGetStartRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.pass(1);
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(1);
    }

    @Test
    @Tag("G10")
    void shouldRestWhileAQueueIsFullAndGoOnWhenItIsNot()
    {
        owner.transfers.isFull = true;
        owner.master.routes.addAll(List.of("a", "b"));
        worker.getStart(false, "a", "b");
        owner.run();
        owner.master.answerAll();
        worker.getTransfer(worker.getStartResponse().handle(), -1);
        owner.run();
        for (int i = 0; i < 5; i++)
        {
            assertThat(owner.agent.doWork()).isZero();
        }
        assertThat(owner.count(OwnerCounter.QUEUE_FULL)).isPositive();

        owner.transfers.isFull = false;
        owner.run();
        assertThat(owner.transfers.offered).hasSize(2);
    }

    @Test
    @Tag("G8")
    void shouldDelayOnlyTheKeysOfADeadSource()
    {
        owner.master.sourcesByKey.put("dead", 11);
        worker.groups = new int[]{1, 1, 1};
        final long handle = remote("a", "b", "dead");
        worker.groups = new int[]{};
        assertThat(owner.transfers.offered).extracting((transfer) -> transfer.peerOwnerId())
            .containsExactly(TestMaster.SOURCE_OWNER_ID, TestMaster.SOURCE_OWNER_ID, 11);
        owner.transfers.complete(0);
        owner.transfers.complete(0);
        owner.run();
        final TestMaster.Request done = owner.master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        assertThat(done.as(new BatchGetDoneRequestDecoder()).items().count()).isEqualTo(2);
        owner.master.answer(done);
        owner.run();

        worker.getTransfer(handle, 2);
        owner.run();
        final GetTransferResponseDecoder response = worker.getTransferResponse();
        assertThat(response.status()).isZero();
        final GetTransferResponseDecoder.HoldingsDecoder holdings = response.holdings();
        worker.release(holdings.next().holdingId(), holdings.next().holdingId());
        owner.transfers.complete(ErrorCode.TRANSPORT);
        owner.run();
        owner.master.answerAll();
        assertThat(worker.status()).isZero();
        assertQuiet();
    }

    @Test
    @Tag("T2")
    void shouldFreeTheSlotWhenTheMasterKnowsAReplicaThatIsNotHere()
    {
        final long handle = remote("a");
        owner.master.doneCode = ErrorCode.KEY_ALREADY_EXISTS;
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        worker.getTransfer(handle, -1);
        owner.run();
        assertThat(worker.getTransferResponse().status()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(owner.pool.usedBytes()).isZero();
        assertQuiet();
    }

    @Test
    @Tag("API-8")
    void shouldSayWhichStageTimedOut()
    {
        final long handle = remote("a");
        worker.timeoutNs = 20_000_000;
        worker.getTransfer(handle, -1);
        owner.pass(25);
        final GetTransferResponseDecoder response = worker.getTransferResponse();
        assertThat(response.status()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(response.stage()).isEqualTo(Stage.TRANSFER);
        assertThat(owner.pool.count(SlotState.PENDING)).isEqualTo(1);
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertQuiet();
    }

    @Test
    @Tag("API-4")
    void shouldRepeatTheAnswersOfReads()
    {
        worker.put("l");
        final long inline = worker.getStart(false, "l");
        owner.run();
        final long holding = worker.getStartResponse().holdings().next().holdingId();
        worker.getStartAs(inline, false, "l");
        owner.run();
        assertThat(worker.getStartResponse().holdings().next().holdingId()).isEqualTo(holding);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(1);
    }

    @Test
    @Tag("G10")
    void shouldAnswerASingleKeyInTheMiddleOfALargeBatch()
    {
        try (OwnerFixture big = new OwnerFixture(4200))
        {
            big.run();
            big.master.join();
            final TestWorker reader = TestWorker.connected(big, 1001);
            final TestWorker single = TestWorker.connected(big, 1002);
            final String[] keys = new String[4096];
            for (int i = 0; i < keys.length; i++)
            {
                keys[i] = "key-" + i;
            }
            reader.put(keys);
            single.put("one");

            reader.getStart(false, keys);
            big.agent.doWork();
            single.getStart(false, "one");
            int cycles = 0;
            while (!single.hasMessage())
            {
                big.agent.doWork();
                cycles++;
            }
            assertThat(cycles).isEqualTo(1);
            assertThat(reader.hasMessage()).isFalse();
            big.run();
            assertThat(reader.getStartResponse().transferableLen()).isEqualTo(4096);
            reader.die();
            big.run();
            big.assertBalanced();
        }
    }

    @Test
    void shouldSayWhichKeysExist()
    {
        worker.put("a");
        owner.master.routes.add("b");
        worker.exists("a", "b", "c", "a");
        owner.run();
        owner.master.answerAll();
        final ExistsResponseDecoder response = worker.existsResponse();
        assertThat(response.leadingCount()).isEqualTo(2);
        final List<Integer> flags = new ArrayList<>();
        for (final ExistsResponseDecoder.FlagsDecoder flag : response.flags())
        {
            flags.add((int)flag.present());
        }
        assertThat(flags).containsExactly(1, 1, 0, 1);
        assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).isZero();
    }

    @Test
    @Tag("API-8")
    void shouldSayThatItIsNotKnownWhichKeysExistWhenTheMasterDoesNotAnswer()
    {
        worker.put("a");
        worker.timeoutNs = 20_000_000;
        worker.exists("a", "b", "a");
        owner.run();
        owner.pass(25);
        final ExistsResponseDecoder response = worker.existsResponse();
        assertThat(response.status()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(response.leadingCount()).isEqualTo(1);
        final List<Integer> flags = new ArrayList<>();
        for (final ExistsResponseDecoder.FlagsDecoder flag : response.flags())
        {
            flags.add((int)flag.present());
        }
        assertThat(flags).containsExactly(1, 0, 1);
        assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1})
    @Tag("API-8")
    void shouldTakeATimeoutThatIsOutOfRangeAsOneThatIsNot(final long timeoutNs)
    {
        worker.timeoutNs = timeoutNs;
        worker.put("l");
        final long handle = remote("a");
        worker.getTransfer(handle, -1);
        owner.pass(5);
        assertThat(worker.hasMessage()).isFalse();
        owner.transfers.completeAll();
        owner.run();
        owner.master.answerAll();
        assertThat(worker.getTransferResponse().status()).isZero();
        worker.exists("a", "another");
        owner.run();
        owner.master.answerAll();
        assertThat(worker.existsResponse().status()).isZero();
    }

    @Test
    void shouldTellTheTransportOfPeers()
    {
        owner.master.sendPeers(1, 9, OwnerFixture.OWNER_ID, 11);
        owner.run();
        assertThat(owner.transfers.peers).containsExactly(9, 11);
        owner.master.sendPeers(2, 11);
        owner.run();
        assertThat(owner.transfers.peers).containsExactly(11);
    }

    /** A handle to keys that are being brought here; their transfers are offered. */
    private long remote(final String... keys)
    {
        owner.master.routes.addAll(List.of(keys));
        worker.getStart(false, keys);
        owner.run();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
        final GetStartResponseDecoder response = worker.getStartResponse();
        assertThat(response.transferableLen()).isEqualTo(keys.length);
        assertThat(owner.transfers.offered).hasSize(keys.length);

        return response.handle();
    }

    private void assertQuiet()
    {
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.count(OwnerCounter.READ_PLANS)).isZero();
        assertThat(owner.count(OwnerCounter.HANDLES)).isZero();
        assertThat(owner.count(OwnerCounter.OPERATIONS_OPEN)).isZero();
        assertThat(owner.pool.count(SlotState.PENDING)).isZero();
        owner.assertBalanced();
    }
}
