package io.fluxon.sim.check;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.UnreserveRequestEncoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OperationCheckersTest extends CheckerTest
{
    private static final int BODY = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int GENERATION = BODY;
    private static final int SESSION = BODY + Long.BYTES;
    private static final int OPERATION = BODY + 2 * Long.BYTES;
    private static final long OTHER = 999_999;

    private OperationBook book;

    @BeforeEach
    void before()
    {
        start(2, 2);
        book = checker(OperationBook.class);
    }

    private static void add(final UnsafeBuffer message, final int offset, final long delta)
    {
        message.putLong(offset, message.getLong(offset, LITTLE_ENDIAN) + delta, LITTLE_ENDIAN);
    }

    @Test
    @Tag("T1")
    void shouldSeeAnOperationWithAnotherContent()
    {
        done(0, "a");
        assertBroken(OperationBook.class, "T1", () -> again(book, PublishRequestDecoder.TEMPLATE_ID, true,
            (message) -> add(message, message.capacity() - 1 - Long.BYTES, 1)));
    }

    @Test
    @Tag("T1")
    void shouldSeeAPutThatIsPublishedByASecondOperation()
    {
        done(0, "a");
        assertBroken(OperationBook.class, "T1", () -> again(book, PublishRequestDecoder.TEMPLATE_ID, true,
            (message) -> message.putLong(OPERATION, OTHER, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("T1")
    void shouldSeeAGetThatIsEndedByASecondOperation()
    {
        done(0, "a");
        readable(1, "a");
        assertBroken(OperationBook.class, "T1", () -> again(book, BatchGetDoneRequestDecoder.TEMPLATE_ID, true,
            (message) -> message.putLong(OPERATION, OTHER, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("A2")
    void shouldSeeAGroupThatIsPublishedInPart()
    {
        putGroup();
        assertBroken(OperationBook.class, "A2", () -> again(book, PublishRequestDecoder.TEMPLATE_ID, true, (message) ->
        {
            message.putLong(OPERATION, OTHER, LITTLE_ENDIAN);
            message.putInt(firstGroup(), 1, LITTLE_ENDIAN);
        }));
    }

    @Test
    @Tag("A2")
    void shouldSeeAGroupThatIsPublishedAsAnother()
    {
        putGroup();
        owner(0).table().group(slot(0, "a"), 1, 3);
        assertBroken(OperationBook.class, "A2", () -> again(book, PublishRequestDecoder.TEMPLATE_ID, true,
            (message) -> message.putLong(OPERATION, OTHER, LITTLE_ENDIAN)));
    }

    private void putGroup()
    {
        final PutAttempt put = asked(0, new PutOptions().atomicGroups(
            new AtomicGroups().add(2)), new int[]{2}, "a", "b");
        until(put.plan, PutPlan.State.STARTED);
        checks.clients().onPutStarted(put);
        put.write();
        checks.clients().onCommitCalled(put);
        worker(0).client().putCommit(put.plan);
        until(put.plan, PutPlan.State.DONE);
    }

    private static int firstGroup()
    {
        return BODY + PublishRequestDecoder.BLOCK_LENGTH + 4;
    }

    @Test
    @Tag("G3")
    void shouldSeeASecondLeader()
    {
        done(0, "a");
        cluster.owner(1).toMaster.cut(true);
        asking(1, "a");
        cluster.runFor(1_000_000);
        assertBroken(OperationBook.class, "G3", () -> again(book, BatchGetStartRequestDecoder.TEMPLATE_ID, true,
            (message) -> message.putLong(OPERATION, OTHER, LITTLE_ENDIAN)));
    }

    private void asking(final int worker, final String... names)
    {
        worker(worker).getStart(new GetHandle(names.length), true, null, names);
    }

    @Test
    @Tag("API-7")
    void shouldSeeAKeyThatIsAskedForTwiceAtOnce()
    {
        asking(1, "x", "y");
        cluster.runFor(1_000_000);
        assertBroken(OperationBook.class, "API-7", () -> again(book, BatchGetStartRequestDecoder.TEMPLATE_ID, true,
            (message) ->
            {
                message.putLong(OPERATION, OTHER, LITTLE_ENDIAN);
                message.putByte(message.capacity() - 1, (byte)'x');
            }));
    }

    @Test
    @Tag("T1")
    void shouldSeeAnAnswerToWhatIsAcknowledged()
    {
        done(0, "a");
        assertBroken(OperationBook.class, "T1", () -> again(book, PublishResponseDecoder.TEMPLATE_ID, true, (same) ->
        {
        }));
    }

    @Test
    @Tag("T1")
    void shouldSeeADifferentAnswer()
    {
        done(0, "a");
        again(book, PublishRequestDecoder.TEMPLATE_ID, false, (message) ->
            message.putLong(OPERATION + Long.BYTES, 0, LITTLE_ENDIAN));
        assertBroken(OperationBook.class, "T1", () -> again(book, PublishResponseDecoder.TEMPLATE_ID, true,
            (message) -> message.putInt(BODY + PublishResponseDecoder.BLOCK_LENGTH + 4, -123, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("API-8")
    void shouldSeeAnAnswerToAnOlderGeneration()
    {
        done(0, "a");
        again(book, PublishRequestDecoder.TEMPLATE_ID, false, (message) -> add(message, GENERATION, -1));
        assertBroken(OperationBook.class, "API-8", () -> again(book, PublishResponseDecoder.TEMPLATE_ID, true,
            (same) ->
            {
            }));
    }

    @Test
    @Tag("T1")
    void shouldSeeAnAnswerToAnOlderSession()
    {
        done(0, "a");
        again(book, PublishRequestDecoder.TEMPLATE_ID, false, (message) -> add(message, SESSION, -1));
        assertBroken(OperationBook.class, "T1", () -> again(book, PublishResponseDecoder.TEMPLATE_ID, true,
            (same) ->
            {
            }));
    }

    @Test
    @Tag("LIFE-4")
    void shouldSeeAnAnswerBeforeTheReportIsComplete()
    {
        done(0, "a");
        final Operation operation = book.of(owner(0)).operations.values().iterator().next();
        operation.tooEarly++;
        operation.taken = operation.answered;
        final int templateId = ReserveRequestDecoder.TEMPLATE_ID == operation.templateId ?
            ReserveResponseDecoder.TEMPLATE_ID : PublishResponseDecoder.TEMPLATE_ID;
        assertBroken(OperationBook.class, "LIFE-4", () -> again(book, templateId, true, (same) ->
        {
        }));
    }

    @Test
    @Tag("A2")
    void shouldSeeASlotThatIsFreedBeforeThePublishIsAnswered()
    {
        cluster.owner(0).fromMaster.hold(PublishResponseDecoder.TEMPLATE_ID);
        localReady(0, "a");
        cluster.runFor(10_000_000);
        owner(0).pool().holderRelease(slot(0, "a"));
        owner(0).look();
        assertBroken(OpenOperations.class, "A2", () -> checker(OpenOperations.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("T1")
    void shouldSeeASlotThatIsFreedBeforeTheGetDoneIsAnswered()
    {
        done(0, "a");
        cluster.owner(1).fromMaster.hold(BatchGetDoneResponseDecoder.TEMPLATE_ID);
        final ReadAttempt get = got(1, "a");
        worker(1).client().getTransfer(get.get, -1);
        cluster.runFor(10_000_000);
        owner(1).pool().holderRelease(slot(1, "a"));
        owner(1).look();
        assertBroken(OpenOperations.class, "T1", () -> checker(OpenOperations.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("LIFE-4")
    void shouldSeeAPublishThatIsNeverAnswered()
    {
        cluster.owner(0).fromMaster.hold(PublishResponseDecoder.TEMPLATE_ID);
        localReady(0, "a");
        cluster.runFor(10_000_000);
        assertBroken(OpenOperations.class, "LIFE-4", () -> checker(OpenOperations.class).atQuiet());
    }

    @Test
    @Tag("V2")
    void shouldSeeASourceThatNobodyHasPublished()
    {
        done(0, "a");
        got(1, "a");
        assertBroken(Sources.class, "V2", () -> again(checker(Sources.class), BatchGetStartResponseDecoder.TEMPLATE_ID,
            true, (message) -> add(message, item() + 16, 4096)));
    }

    @Test
    @Tag("V2")
    void shouldSeeASourceThatWasGivenUp()
    {
        done(0, "a");
        got(1, "a");
        giveUp();
        assertBroken(Sources.class, "V2", () -> again(checker(Sources.class), BatchGetStartResponseDecoder.TEMPLATE_ID,
            true, (same) ->
            {
            }));
    }

    @Test
    @Tag("V2")
    void shouldSeeARouteToWhatWasGivenUp()
    {
        done(0, "a");
        giveUp();
        assertBroken(Sources.class, "V2", () -> checker(Sources.class).full());
    }

    @Test
    @Tag("V2")
    void shouldNotTakeTheCopyOfAnOldPublishForMore()
    {
        done(0, "a");
        giveUp();
        again(checker(Sources.class), PublishRequestDecoder.TEMPLATE_ID, false, (same) ->
        {
        });
        assertBroken(Sources.class, "V2", () -> checker(Sources.class).full());
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeAValueOfWhichTwoThingsAreTold()
    {
        done(0, "a");
        cluster.master().kill();
        cluster.master().restart();
        cluster.runFor(12 * SECOND_NS);
        assertBroken(Sources.class, "CRC-1", () -> again(checker(Sources.class), ReportRequestDecoder.TEMPLATE_ID,
            false, (message) -> add(message, BODY + ReportRequestDecoder.BLOCK_LENGTH + 4 +
                ReportRequestDecoder.ValuesDecoder.checksumEncodingOffset(), 1)));
    }

    private void giveUp()
    {
        state(0, slot(0, "a"), SlotState.FREE);
        owner(0).look();
        checker(Sources.class).afterOwner(owner(0));
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeTheChecksumOfOtherBytes()
    {
        done(0, "a");
        got(1, "a");
        assertBroken(Sources.class, "CRC-1", () -> again(checker(Sources.class),
            BatchGetStartResponseDecoder.TEMPLATE_ID, true, (message) -> add(message, item() + 32, 1)));
    }

    @Test
    @Tag("GET-4")
    void shouldSeeARequesterThatIsItsOwnSource()
    {
        done(0, "a");
        got(1, "a");
        assertBroken(Sources.class, "GET-4", () -> again(checker(Sources.class),
            BatchGetStartResponseDecoder.TEMPLATE_ID, true, (message) -> message.putInt(item() + 4, 2, LITTLE_ENDIAN)));
    }

    private static int item()
    {
        return BODY + BatchGetStartResponseDecoder.BLOCK_LENGTH + 4;
    }

    @Test
    @Tag("V2")
    void shouldSeeAReportOfWhatIsNotCommitted()
    {
        done(0, "a");
        cluster.master().kill();
        cluster.master().restart();
        cluster.runFor(12 * SECOND_NS);
        assertBroken(Sources.class, "V2", () -> again(checker(Sources.class), ReportRequestDecoder.TEMPLATE_ID, false,
            (message) -> add(message, BODY + ReportRequestDecoder.BLOCK_LENGTH + 4 + 20 + 16, 1)));
    }

    @Test
    @Tag("T1")
    void shouldSeeAReservationThatIsThereAfterItsEnd()
    {
        started(0, "a");
        cluster.runFor(10_000_000);
        final Seen reserve = last(ReserveRequestDecoder.TEMPLATE_ID, true);
        final long reserveId = reserve.bytes().getLong(OPERATION, LITTLE_ENDIAN);
        final Revokes revokes = checker(Revokes.class);
        final byte[] unreserve = unreserve(reserve, reserveId);
        show(book, reserve.link(), unreserve, true, (same) ->
        {
        });
        show(revokes, reserve.link(), unreserve, true, (same) ->
        {
        });
        final Seen answer = last(ReserveResponseDecoder.TEMPLATE_ID, true);
        show(revokes, answer.link(), ack(answer), true, (same) ->
        {
        });
        assertBroken(Revokes.class, "T1", revokes::full);
    }

    private static byte[] unreserve(final Seen reserve, final long reserveId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BODY + UnreserveRequestEncoder.BLOCK_LENGTH]);
        new UnreserveRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(reserve.bytes().getLong(GENERATION, LITTLE_ENDIAN))
            .sessionId(reserve.bytes().getLong(SESSION, LITTLE_ENDIAN))
            .correlationId(OTHER)
            .ackedWatermark(0)
            .reserveOperationId(reserveId);
        return buffer.byteArray();
    }

    private static byte[] ack(final Seen answer)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BODY + OperationAckEncoder.BLOCK_LENGTH]);
        new OperationAckEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(answer.bytes().getLong(GENERATION, LITTLE_ENDIAN))
            .sessionId(answer.bytes().getLong(SESSION, LITTLE_ENDIAN))
            .correlationId(OTHER)
            .status(0);
        return buffer.byteArray();
    }

    @Test
    @Tag("LIFE-4")
    void shouldSeeAGetThatIsJoinedAndWasNotStarted()
    {
        done(0, "a");
        readable(1, "a");
        assertBroken(Revokes.class, "LIFE-4", () -> again(new Revokes(checks, book),
            BatchGetDoneResponseDecoder.TEMPLATE_ID, true, (same) ->
            {
            }));
    }

    private Object ownerAtMaster()
    {
        final Object owners = get(call(cluster.master().agent(), "state", new Class<?>[0]), "owners");
        return call(owners, "byOwnerId", new Class<?>[]{int.class}, 1);
    }

    @Test
    @Tag("LIFE-2")
    void shouldSeeAnOwnerThatIsLostTooSoon()
    {
        final Object lost = ownerAtMaster();
        call(get(cluster.master().agent(), "registrations"), "end",
            new Class<?>[]{lost.getClass(), long.class}, lost, cluster.clock().nanoTime());
        assertBroken(Liveness.class, "LIFE-2", () -> checker(Liveness.class).afterMaster());
    }

    @Test
    @Tag("LIFE-1")
    void shouldSeeAnOwnerThatIsSilentAndNotLost()
    {
        cluster.owner(0).toMaster.cut(true);
        cluster.runFor(1_000_000);
        set(ownerAtMaster(), "lastHeardNs", Long.MAX_VALUE / 2);
        assertBroken(Liveness.class, "LIFE-1", () -> cluster.runFor(30 * SECOND_NS));
    }

    @Test
    @Tag("S2")
    void shouldStayQuietWhileAllIsWell()
    {
        done(0, "a", "b");
        readable(1, "a", "b");
        checks.full();
        assertThat(owner(0).table().state(slot(0, "a"))).isEqualTo(SlotState.COMMITTED);
    }
}
