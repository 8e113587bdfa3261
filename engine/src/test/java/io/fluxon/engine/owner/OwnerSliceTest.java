package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one duty cycle touches at most, whatever comes at once.
 */
@Tag("G10")
class OwnerSliceTest
{
    private static final int SLICE_KEYS = 16;
    private static final int CYCLE_KEYS = 128;
    private static final int STEP_KEYS = 8 * SLICE_KEYS;
    private static final int MANY = 2000;
    private static final int OTHER_SOURCE_ID = 12;

    private OwnerFixture owner;
    private TestWorker worker;
    private int mostKeys;
    private int cycles;

    @BeforeEach
    void before()
    {
        owner = new OwnerFixture(
            4096, new OwnerSettings().maxSessions(4).planSliceKeys(SLICE_KEYS).cycleKeys(CYCLE_KEYS));
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
    void shouldTouchABoundedNumberOfKeysWhenManyRequestsComeAtOnce()
    {
        final String[][] batches = new String[32][];
        for (int i = 0; i < batches.length; i++)
        {
            batches[i] = keys("b" + i + "-", 60);
            worker.put(batches[i]);
        }

        for (final String[] batch : batches)
        {
            worker.getStart(false, batch);
            worker.putStart(Arrays.stream(batch).map((key) -> "new-" + key).toArray(String[]::new));
        }
        cycle();
        assertBounded();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(32 * 60);
        assertThat(owner.count(OwnerCounter.PUT_PLANS)).isEqualTo(32);

        worker.die();
        cycle();
        assertBounded();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-7")
    void shouldTellManyWaitersOfOneFlightInPieces()
    {
        owner.master.routes.add("k");
        worker.getStart(false, same("k", MANY));
        cycle();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        cycle();
        final long handle = worker.getStartResponse().handle();
        assertThat(handle).isNotZero();
        worker.getTransfer(handle, -1);
        cycle();
        owner.transfers.completeAll();
        cycle();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isEqualTo(1);
        owner.master.pump();
        owner.master.answer(owner.master.requests.pollFirst());
        owner.agent.doWork();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).as("being ended").isEqualTo(1);
        cycle();

        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(MANY);
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.count(OwnerCounter.HITS_REMOTE)).isEqualTo(MANY);
        assertBounded();
        owner.assertBalanced();
    }

    @Test
    @Tag("G8")
    @Tag("REPL-1")
    void shouldSubmitTheTransfersOfALongCopyTogether()
    {
        final String[] keys = keys("k", 5 * SLICE_KEYS);
        // what is here lies between what is missing: steps of the pull come between them that ask for nothing
        worker.put(Arrays.copyOfRange(keys, 2, 4 * SLICE_KEYS));
        owner.master.routes.addAll(List.of(keys));
        owner.master.sendPull(77, 1_000_000_000L, keys);
        cycle();
        owner.master.answerAll();
        cycle();
        assertThat(owner.transfers.submissions).containsExactly(2 + SLICE_KEYS);
        assertBounded();

        owner.transfers.completeAll();
        cycle();
        owner.master.answerAll();
        cycle();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_APPENDED)).isEqualTo(2 + SLICE_KEYS);
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("G8")
    void shouldSubmitTheTransfersOfALongReadTogether()
    {
        final String[] keys = keys("k", 20 * SLICE_KEYS);
        // leaders are far apart: steps of the read come between them that ask for nothing
        worker.put(Arrays.copyOfRange(keys, 2, 18 * SLICE_KEYS));
        owner.master.routes.addAll(List.of(keys));
        worker.getStart(false, keys);
        cycle();
        owner.transfers.isFull = true;
        owner.master.answerAll();
        cycle();
        assertThat(owner.transfers.submissions).isEmpty();
        assertThat(owner.count(OwnerCounter.QUEUE_FULL)).isPositive();
        owner.transfers.isFull = false;
        cycle();
        assertThat(owner.transfers.submissions).containsExactly(2 + 2 * SLICE_KEYS);
        assertBounded();

        final long handle = worker.getStartResponse().handle();
        owner.transfers.completeAll();
        cycle();
        owner.master.answerAll();
        worker.getTransfer(handle, -1);
        cycle();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(keys.length);
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("G8")
    void shouldSubmitWhatALongReadHasJoinedAndLeadsTogetherWhenTheOtherReaderIsGone()
    {
        final String[] keys = keys("k", 5 * SLICE_KEYS);
        owner.master.routes.addAll(List.of(keys));
        final TestWorker other = TestWorker.connected(owner, 1002);
        other.getStart(false, Arrays.copyOf(keys, 2 * SLICE_KEYS));
        cycle();
        worker.getStart(false, keys);
        cycle();
        assertThat(owner.count(OwnerCounter.JOINS)).isEqualTo(2 * SLICE_KEYS);
        other.die();
        cycle();
        owner.master.answerAll();
        cycle();
        assertThat(owner.count(OwnerCounter.BATCH_GET_STARTS)).isEqualTo(2);
        assertThat(owner.transfers.submissions).containsExactly(keys.length);

        final long handle = worker.getStartResponse().handle();
        owner.transfers.completeAll();
        cycle();
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.BATCH_GET_DONES)).isEqualTo(1);
        worker.getTransfer(handle, -1);
        cycle();
        assertThat(worker.getTransferResponse().holdings().count()).isEqualTo(keys.length);
        owner.assertBalanced();
    }

    @Test
    @Tag("G8")
    @Tag("G9")
    void shouldNotLetAShortReadWaitForALongOneThatWasAskedForWithIt()
    {
        final String[] keys = keys("k", 20 * SLICE_KEYS);
        final String[] late = keys("late", SLICE_KEYS + 1);
        worker.put(Arrays.copyOfRange(keys, 1, keys.length));
        owner.master.routes.addAll(List.of(late));
        owner.master.routes.addAll(List.of("short", keys[0]));
        owner.master.sourcesByKey.putAll(Map.of("short", OTHER_SOURCE_ID, keys[0], OTHER_SOURCE_ID));
        final TestWorker other = TestWorker.connected(owner, 1002);
        other.getStart(false, late);
        cycle();
        final TestMaster.Request first = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        worker.getStart(false, keys);
        other.getStart(false, "short", late[0]);
        cycle();
        owner.pass(1);
        final TestMaster.Request both = owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID);
        assertThat(both.as(new BatchGetStartRequestDecoder()).keys().count()).isEqualTo(2);

        owner.master.answer(both);
        cyclesUntil(() -> owner.transfers.gathering.size() > 0);
        owner.master.answer(first);
        assertThat(cyclesUntil(() -> owner.transfers.offered.stream().anyMatch(OwnerSliceTest::isOfOtherSource)))
            .isLessThanOrEqualTo(6);
        final List<OwnerFixture.Transfer> rest =
            owner.transfers.offered.stream().filter((transfer) -> !isOfOtherSource(transfer)).toList();
        owner.transfers.offered.removeAll(rest);
        owner.transfers.completeAll();
        owner.transfers.offered.addAll(rest);
        assertThat(cyclesUntil(() -> owner.master.has(BatchGetDoneRequestDecoder.TEMPLATE_ID))).isLessThanOrEqualTo(3);
        assertThat(owner.transfers.gathering).as("the long read asks for more").isNotEmpty();
        while (owner.count(OwnerCounter.FLIGHTS) > 0)
        {
            cycle();
            owner.transfers.completeAll();
            cycle();
            owner.master.answerAll();
        }
        assertBounded();
    }

    @Test
    @Tag("G8")
    @Tag("API-9")
    void shouldSubmitWhatIsGatheredWhenTheReaderIsGone()
    {
        final String[] keys = keys("k", 20 * SLICE_KEYS);
        owner.master.routes.addAll(List.of(keys));
        worker.getStart(false, keys);
        cycle();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        for (int i = 0; i < MANY && owner.transfers.gathering.isEmpty(); i++)
        {
            owner.agent.doWork();
        }
        assertThat(owner.transfers.gathering).hasSize(1);
        worker.die();
        cycle();
        assertThat(owner.transfers.submissions).hasSize(1).allMatch((size) -> size < keys.length);
        owner.transfers.completeAll();
        cycle();
        owner.master.answerAll();
        cycle();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.pool.usedBytes()).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-7")
    void shouldTellManyWaitersThatTheirFlightFailedInPieces()
    {
        worker.getStart(false, same("k", MANY));
        cycle();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.agent.doWork();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).as("being ended").isEqualTo(1);
        cycle();
        assertThat(worker.getStartResponse().transferableLen()).isZero();
        assertThat(owner.count(OwnerCounter.MISSES)).isEqualTo(MANY);
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertBounded();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-9")
    void shouldEndAFlightWhoseWaitersDieWhileTheyAreTold()
    {
        owner.master.routes.add("k");
        worker.getStart(false, same("k", MANY));
        cycle();
        owner.master.answer(owner.master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.agent.doWork();
        owner.agent.doWork();
        worker.die();
        cycle();
        owner.transfers.completeAll();
        cycle();
        owner.master.answerAll();
        cycle();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
        assertThat(owner.pool.usedBytes()).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-4")
    void shouldRepeatALargeAnswerInSlices()
    {
        final String[] keys = keys("k", MANY);
        worker.put(keys);
        final long requestId = worker.getStart(false, keys);
        owner.run();
        assertThat(worker.getStartResponse().holdings().count()).isEqualTo(MANY);

        worker.getStartAs(requestId, false, keys);
        worker.getStartAs(requestId, false, keys);
        mostKeys = 0;
        cycle();
        assertThat(cycles).isGreaterThan(MANY / SLICE_KEYS);
        assertThat(worker.getStartResponse().holdings().count()).isEqualTo(MANY);
        assertThat(worker.hasMessage()).isFalse();
        assertBounded();
    }

    @Test
    @Tag("GET-2")
    void shouldRefuseAReleaseOfMoreThanOneStep()
    {
        final String[] keys = keys("k", 257);
        worker.put(keys);
        worker.getStart(false, keys);
        owner.run();
        final long first = worker.getStartResponse().holdings().next().holdingId();
        final Long[] ids = new Long[257];
        Arrays.setAll(ids, (i) -> first + i);

        worker.release(ids);
        owner.run();
        assertThat(worker.status()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(257);
        worker.release(Arrays.copyOf(ids, 256));
        owner.run();
        assertThat(worker.status()).isZero();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isEqualTo(1);
    }

    @Test
    @Tag("P1")
    void shouldAdmitWaitingPublishesInPieces()
    {
        try (OwnerFixture limited = new OwnerFixture(
            64, new OwnerSettings().maxSessions(4).publishLimit(30).jobStepLimit(4)))
        {
            limited.run();
            limited.master.join();
            final TestWorker putter = TestWorker.connected(limited, 1001);
            final long large = putter.startedPut(keys("large", 30));
            putter.commit(large);
            limited.run();
            putter.drop();
            for (int i = 0; i < 30; i++)
            {
                putter.commit(putter.startedPut("k" + i));
                limited.run();
                putter.drop();
            }
            limited.master.answer(limited.master.take(PublishRequestDecoder.TEMPLATE_ID));
            limited.agent.doWork();
            limited.agent.doWork();
            assertThat(limited.count(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED)).isBetween(1L, 8L);
            limited.run();
            assertThat(limited.count(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED)).isEqualTo(30);
        }
    }

    private void cycle()
    {
        cycles = 0;
        int idle = 0;
        while (idle < 3)
        {
            idle = 0 == owner.agent.doWork() ? idle + 1 : 0;
            mostKeys = Math.max(mostKeys, owner.agent.keysTouched());
            cycles++;
        }
        assertThat(owner.errors).isEmpty();
    }

    private static boolean isOfOtherSource(final OwnerFixture.Transfer transfer)
    {
        return OTHER_SOURCE_ID == transfer.peerOwnerId();
    }

    private int cyclesUntil(final BooleanSupplier isTrue)
    {
        int count = 0;
        while (!isTrue.getAsBoolean())
        {
            assertThat(count++).isLessThan(MANY);
            owner.agent.doWork();
        }

        return count;
    }

    private void assertBounded()
    {
        assertThat(mostKeys).isBetween(1, CYCLE_KEYS + STEP_KEYS);
    }

    private static String[] keys(final String prefix, final int count)
    {
        final String[] keys = new String[count];
        Arrays.setAll(keys, (i) -> prefix + i);

        return keys;
    }

    private static String[] same(final String key, final int count)
    {
        final String[] keys = new String[count];
        Arrays.fill(keys, key);

        return keys;
    }
}
