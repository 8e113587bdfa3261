package io.fluxon.engine.master;

import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeTest
{
    private final MasterFixture fixture = new MasterFixture();
    private TestOwner owner;
    private TestOwner reader;

    @BeforeEach
    void register()
    {
        owner = fixture.registered(1);
        reader = fixture.registered(2);
    }

    @AfterEach
    void close()
    {
        fixture.audit();
        fixture.close();
    }

    private static byte[] bytes(final UnsafeBuffer answer)
    {
        final byte[] bytes = new byte[answer.capacity()];
        answer.getBytes(0, bytes);
        return bytes;
    }

    @Test
    @Tag("T1")
    void shouldAnswerEveryKindOfOperationWithTheSameBytesWhenItIsRepeatedInAnyOrder()
    {
        reader.publish("s");
        final long reserve = owner.sendReserve(TestOwner.INFLIGHT, "a");
        final long publish = owner.sendPublish(new TestOwner.Put().keys("a").reserveId(reserve));
        final long start = owner.sendGetStart("s", "t");
        final long done = owner.sendDone(start, 0, "s");
        final long second = owner.sendGetStart("t");
        final long revoke = owner.nextId++;
        owner.sendRevokeAs(revoke, second, -1);
        final long reserveToEnd = owner.sendReserve(0, "z");
        final long unreserve = owner.nextId++;
        owner.sendUnreserveAs(unreserve, reserveToEnd);
        final long[] ids = { reserve, publish, start, done, second, revoke, reserveToEnd, unreserve };
        final byte[][] answers = new byte[ids.length][];
        for (int i = 0; i < ids.length; i++)
        {
            answers[i] = bytes(owner.answer(ids[i]));
        }
        final long routes = fixture.get(MasterCounter.ROUTES);
        final long replicas = fixture.get(MasterCounter.REPLICAS);

        final Random random = new Random(5);
        for (int n = 0; n < 200; n++)
        {
            final int i = random.nextInt(ids.length);
            switch (i)
            {
                case 0, 6 -> owner.sendReserveAs(ids[i], TestOwner.INFLIGHT, "a");
                case 1 -> owner.sendPublishAs(ids[i], new TestOwner.Put().keys("a").reserveId(reserve));
                case 2, 4 -> owner.sendGetStartAs(ids[i], "s", "t");
                case 3 -> owner.sendDoneAs(ids[i], start, 0, TestOwner.checksum("s"));
                case 5 -> owner.sendRevokeAs(ids[i], second, -1);
                default -> owner.sendUnreserveAs(ids[i], reserveToEnd);
            }
            assertThat(bytes(owner.answer(ids[i]))).isEqualTo(answers[i]);
        }

        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(routes);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(replicas);
        assertThat(fixture.get(MasterCounter.OPERATIONS_REPEATED)).isEqualTo(200);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T1")
    void shouldReserveNothingWhenTheReservationWaitsBehindItsAbort()
    {
        final long reserve = owner.nextId++;
        final long unreserve = owner.nextId++;
        owner.sendUnreserveAs(unreserve, reserve);
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(unreserve)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.RESERVED)).isZero();
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(ErrorCode.INVALID_ARGUMENT);
        assertThat(reader.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
        reader.unreserve(reader.nextId - 1);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T1")
    void shouldReserveNothingWhenTheAbortOvertakesItsReservation()
    {
        final long reserve = owner.nextId++;
        assertThat(owner.unreserve(reserve)).isZero();
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(ErrorCode.INVALID_ARGUMENT);
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(ErrorCode.INVALID_ARGUMENT);
        assertThat(reader.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
        reader.unreserve(reader.nextId - 1);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T1")
    void shouldEndAReservationWhenItIsAborted()
    {
        final long reserve = owner.sendReserve(0, "a");
        owner.readCodes(reserve);
        assertThat(reader.reserve(TestOwner.INFLIGHT, "a")).containsExactly(ErrorCode.KEY_BEING_WRITTEN);
        assertThat(owner.unreserve(reserve)).isZero();
        assertThat(reader.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
    }

    @Test
    @Tag("T1")
    void shouldForgetOutcomesUpToTheWatermarkAndIgnoreTheirIds()
    {
        final long first = owner.sendPublish(new TestOwner.Put().keys("a"));
        final long second = owner.sendPublish(new TestOwner.Put().keys("b"));
        owner.answer(first);
        owner.answer(second);
        assertThat(fixture.get(MasterCounter.OUTCOMES)).isEqualTo(2);
        owner.watermark = second;
        owner.sendHeartbeat();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.OUTCOMES)).isZero();

        owner.watermark = 0;
        owner.sendPublishAs(first, new TestOwner.Put().keys("c"));
        assertThat(owner.answer(first)).isNull();
        assertThat(owner.exists("c")).containsExactly(false);
        assertThat(fixture.get(MasterCounter.OPERATIONS_ACKNOWLEDGED)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    @Tag("BOUND-1")
    void shouldRefuseAnIdThatIsTooFarAboveTheWatermark()
    {
        owner.sendPublishAs(65_537, new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(65_537)).containsExactly(ErrorCode.BACK_PRESSURED);
        assertThat(owner.exists("a")).containsExactly(false);
        owner.sendPublishAs(65_536, new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(65_536)).containsExactly(0);
        owner.watermark = 1;
        owner.sendPublishAs(65_537, new TestOwner.Put().keys("b"));
        assertThat(owner.readCodes(65_537)).containsExactly(0);
    }

    @Test
    @Tag("T1")
    void shouldNotTakeOperationsAsAnsweredThatAHeartbeatsWatermarkCoversBeforeTheyCame()
    {
        owner.answer(owner.sendPublish(new TestOwner.Put().keys("a")));
        owner.watermark = Long.MAX_VALUE;
        owner.sendHeartbeat();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.OUTCOMES)).isZero();

        owner.watermark = 0;
        assertThat(owner.publish(new TestOwner.Put().keys("b"))).containsExactly(0);
        owner.watermark = -1;
        owner.sendHeartbeat();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.MESSAGES_MALFORMED)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldRefuseAWatermarkThatCoversItsOwnOperation()
    {
        owner.watermark = 9;
        owner.sendPublishAs(9, new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(9)).containsExactly(ErrorCode.PROTOCOL);
        assertThat(owner.exists("a")).containsExactly(false);
    }

    @Test
    @Tag("T1")
    void shouldRecordTheOutcomeWhenTheAnswerCannotBeSent()
    {
        final MasterFixture.Wire wire = owner.wire();
        wire.isBlocked = true;
        final long publish = owner.sendPublish(new TestOwner.Put().keys("a"));
        fixture.settle();
        assertThat(reader.exists("a")).containsExactly(true);
        assertThat(owner.answer(publish)).isNull();
        wire.isBlocked = false;
        assertThat(owner.readCodes(publish)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.ANSWERS_DROPPED)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldDropAnswersWhenAnOwnersQueueIsFullAndAnswerWhenItAsksAgain()
    {
        final MasterFixture small = new MasterFixture((context) -> context.maxQueuedBytes(8 << 20));
        final TestOwner deaf = small.registered(1);
        final String[] keys = new String[8000];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        deaf.wire().isBlocked = true;
        long id = 0;
        for (int i = 0; i < 20; i++)
        {
            id = deaf.sendGetStart(keys);
            small.settle();
        }
        assertThat(small.get(MasterCounter.ANSWERS_DROPPED)).isPositive();
        deaf.wire().isBlocked = false;
        small.settle();
        assertThat(deaf.answer(id)).isNull();
        deaf.sendGetStartAs(id, keys);
        assertThat(deaf.answer(id)).isNotNull();
        small.close();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseOperationsBeyondTheQueueAndTakeThemLater()
    {
        final MasterFixture small = new MasterFixture((context) ->
            context.maxQueuedOperations(2).messageLimit(100));
        final TestOwner busy = small.registered(1);
        final long[] ids = new long[5];
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = busy.sendPublish(new TestOwner.Put().keys("a" + i));
        }
        small.settle();
        assertThat(busy.readCodes(ids[0])).containsExactly(0);
        assertThat(busy.readCodes(ids[1])).containsExactly(0);
        assertThat(busy.readCodes(ids[4])).containsExactly(ErrorCode.BACK_PRESSURED);
        busy.sendPublishAs(ids[4], new TestOwner.Put().keys("a4"));
        assertThat(busy.readCodes(ids[4])).containsExactly(0);
        small.close();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseABatchOfTooManyKeys()
    {
        final MasterFixture small = new MasterFixture((context) -> context.maxKeysPerBatch(2));
        final TestOwner busy = small.registered(1);
        assertThat(busy.publish("a", "b", "c")).containsExactly(ErrorCode.INVALID_ARGUMENT);
        assertThat(busy.publish("a", "b")).containsExactly(0, 0);
        small.close();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseGetsBeyondTheBoundAndTakeThemWhenOthersHaveEnded()
    {
        final MasterFixture small = new MasterFixture((context) ->
            context.maxKeysPerBatch(3).maxInflightGets(3));
        final TestOwner source = small.registered(1);
        final TestOwner busy = small.registered(2);
        source.publish("a", "b", "c");
        final long start = busy.sendGetStart("a", "b");
        assertThat(busy.readCodes(start)).containsExactly(0, 0);
        assertThat(busy.getStart("b", "c")).containsExactly(ErrorCode.BACK_PRESSURED);
        assertThat(busy.getStart("c")).containsExactly(0);
        busy.revoke(start, -1);
        assertThat(busy.getStart("b", "a")).containsExactly(0, 0);
        small.close();
    }
}
