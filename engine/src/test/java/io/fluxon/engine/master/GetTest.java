package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.RecheckDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class GetTest
{
    private final MasterFixture fixture = new MasterFixture();
    private TestOwner source;
    private TestOwner reader;
    private TestOwner other;

    @BeforeEach
    void register()
    {
        source = fixture.registered(1);
        reader = fixture.registered(2);
        other = fixture.registered(3);
    }

    @AfterEach
    void close()
    {
        fixture.audit();
        fixture.close();
    }

    @Test
    void shouldNameTheSourceOfEachKeyInItsPlace()
    {
        source.publish(new TestOwner.Put().keys("a").sequence(41));
        final UnsafeBuffer answer = reader.answer(reader.sendGetStart("x", "a", "y"));
        assertThat(TestOwner.codes(answer)).containsExactly(
            ErrorCode.KEY_NOT_FOUND, 0, ErrorCode.KEY_NOT_FOUND);
        final BatchGetStartResponseDecoder.ItemsDecoder item = TestOwner.startItem(answer, 1);
        assertThat(item.sourceOwnerId()).isEqualTo(1);
        assertThat(item.sourceGeneration()).isEqualTo(10);
        assertThat(item.sourceOffset()).isEqualTo(41 * TestOwner.LENGTH);
        assertThat(item.valueLength()).isEqualTo(TestOwner.LENGTH);
        assertThat(item.checksum()).isEqualTo(TestOwner.checksum("a"));
        assertThat(item.version().ownerId()).isEqualTo(1);
        assertThat(item.version().sequence()).isEqualTo(41);
    }

    @Test
    @Tag("GET-4")
    void shouldNeverChooseTheRequesterAsItsSource()
    {
        source.publish("a");
        assertThat(source.getStart("a")).containsExactly(ErrorCode.KEY_NOT_FOUND);
        other.publish("a");
        final UnsafeBuffer answer = source.answer(source.sendGetStart("a"));
        assertThat(TestOwner.startItem(answer, 0).sourceOwnerId()).isEqualTo(3);
    }

    @Test
    @Tag("CRC-1")
    void shouldAskTheSourceToLookAtTheBackingOfWhichAReaderGotWrongBytes()
    {
        source.publish(new TestOwner.Put().keys("a", "b").sequence(41));
        final long start = reader.sendGetStart("a", "b");
        assertThat(reader.readCodes(start)).containsExactly(0, 0);
        reader.revoke(start, 0);
        fixture.settle();
        assertThat(source.wire().takeAll(RecheckDecoder.TEMPLATE_ID)).isEmpty();

        final long revoke = reader.nextId++;
        reader.sendRevokeAs(revoke, start, 1, true);
        assertThat(reader.readCodes(revoke)).containsExactly(0);
        reader.sendRevokeAs(revoke, start, 1, true);
        fixture.settle();
        final List<UnsafeBuffer> asked = source.wire().takeAll(RecheckDecoder.TEMPLATE_ID);
        assertThat(asked).hasSize(1);
        final RecheckDecoder recheck = new RecheckDecoder()
            .wrapAndApplyHeader(asked.getFirst(), 0, new MessageHeaderDecoder());
        assertThat(recheck.sessionId()).isEqualTo(source.sessionId);
        assertThat(recheck.checksum()).isEqualTo(TestOwner.checksum("b"));
        assertThat(recheck.backing().slotOffset()).isEqualTo(42 * TestOwner.LENGTH);
        assertThat(fixture.get(MasterCounter.RECHECKS)).isOne();
        assertThat(other.wire().takeAll(RecheckDecoder.TEMPLATE_ID)).isEmpty();
    }

    @Test
    void shouldMakeTheRequesterAFurtherReplicaWhenItsGetIsDone()
    {
        source.publish(new TestOwner.Put().keys("a").sequence(5));
        final long start = reader.sendGetStart("a");
        assertThat(reader.readCodes(start)).containsExactly(0);
        final UnsafeBuffer answer = reader.answer(reader.sendDone(start, 0, "a"));
        final BatchGetDoneResponseDecoder.ItemsDecoder item = TestOwner.doneItem(answer);
        assertThat(item.code()).isZero();
        assertThat(item.canonical().ownerId()).isEqualTo(1);
        assertThat(item.canonical().sequence()).isEqualTo(5);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(2);
        assertThat(source.readCodes(source.sendGetStart("a"))).containsExactly(0);
        source.revoke(source.nextId - 1, -1);
    }

    @Test
    @Tag("G6")
    void shouldLetTwoOwnersFetchOneKeyAtOnce()
    {
        source.publish("a");
        final long first = reader.sendGetStart("a");
        final long second = other.sendGetStart("a");
        assertThat(reader.readCodes(first)).containsExactly(0);
        assertThat(other.readCodes(second)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(2);
        assertThat(other.done(second, 0, "a")).isZero();
        assertThat(reader.done(first, 0, "a")).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(3);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("G6")
    void shouldSupersedeTheOlderGetWhenARequesterAsksForTheKeyAgain()
    {
        source.publish("a");
        final long older = reader.sendGetStart("a");
        reader.readCodes(older);
        final long newer = reader.sendGetStart("a");
        reader.readCodes(newer);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.GETS_SUPERSEDED)).isEqualTo(1);
        assertThat(reader.done(older, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(reader.done(newer, 0, "a")).isZero();
    }

    @Test
    void shouldSpreadGetsOverTheReplicas()
    {
        source.publish("a");
        other.publish("a");
        final int[] chosen = new int[4];
        for (int i = 0; i < 10; i++)
        {
            final TestOwner requester = fixture.registered(10 + i);
            final UnsafeBuffer answer = requester.answer(requester.sendGetStart("a"));
            chosen[TestOwner.startItem(answer, 0).sourceOwnerId()]++;
        }
        assertThat(chosen[1]).isEqualTo(5);
        assertThat(chosen[3]).isEqualTo(5);
    }

    @Test
    @Tag("T2")
    void shouldConvergeWhenTheRequesterHasBecomeAReplicaMeanwhile()
    {
        source.publish(new TestOwner.Put().keys("a").sequence(5));
        final long start = reader.sendGetStart("a");
        reader.readCodes(start);
        reader.publish("a");
        final BatchGetDoneResponseDecoder.ItemsDecoder item =
            TestOwner.doneItem(reader.answer(reader.sendDone(start, 0, "a")));
        assertThat(item.code()).isEqualTo(ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(item.canonical().sequence()).isEqualTo(5);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(2);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T2")
    @Tag("V2")
    void shouldBeStaleWhenTheRouteHasAnotherPutIdMeanwhile()
    {
        source.publish("a");
        final long start = reader.sendGetStart("a");
        reader.readCodes(start);
        final TestOwner newer = fixture.owner(1, 11);
        newer.register();
        newer.publish("a");
        assertThat(reader.done(start, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(1);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("CRC-1")
    void shouldNotTakeAReplicaWhoseChecksumIsNotItsSources()
    {
        source.publish("a");
        final long start = reader.sendGetStart("a");
        reader.readCodes(start);
        final long done = reader.nextId++;
        reader.sendDoneAs(done, start, 0, TestOwner.checksum("a") ^ 1);
        assertThat(reader.readCodes(done)).containsExactly(ErrorCode.STALE_GET_PLAN);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldEndAGetByTimeAndAnswerStaleAfterwards()
    {
        source.publish("a");
        final long start = reader.sendGetStart("a");
        reader.readCodes(start);
        fixture.run(TimeUnit.SECONDS.toNanos(59), source, reader, other);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(1);
        fixture.run(TimeUnit.SECONDS.toNanos(2), source, reader, other);
        assertThat(fixture.get(MasterCounter.GETS_EXPIRED)).isEqualTo(1);
        assertThat(reader.done(start, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("G5")
    void shouldRevokeOneGetOrAllOfAStart()
    {
        source.publish("a", "b", "c");
        final long start = reader.sendGetStart("a", "b", "c");
        reader.readCodes(start);
        assertThat(reader.revoke(start, 1)).isZero();
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(2);
        assertThat(reader.done(start, 1, "b")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(reader.revoke(start, -1)).isZero();
        assertThat(fixture.get(MasterCounter.GETS_REVOKED)).isEqualTo(3);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T1")
    void shouldRevokeAStartWhoseOutcomeIsAcknowledged()
    {
        source.publish("a", "b");
        final long start = reader.sendGetStart("a", "b");
        reader.readCodes(start);
        reader.watermark = start;
        assertThat(reader.revoke(start, -1)).isZero();
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("GET-5")
    @Tag("T1")
    void shouldStartNothingWhenTheRevokeOvertakesItsStart()
    {
        source.publish("a");
        final long start = reader.nextId++;
        assertThat(reader.revoke(start, -1)).isZero();
        reader.sendGetStartAs(start, "a");
        assertThat(reader.readCodes(start)).containsExactly(ErrorCode.STALE_GET_PLAN);
        assertThat(fixture.get(MasterCounter.TOMBSTONES)).isEqualTo(1);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("GET-5")
    @Tag("T1")
    void shouldStartNothingWhenTheStartWaitsBehindItsRevoke()
    {
        source.publish("a");
        final long start = reader.nextId++;
        final long revoke = reader.nextId++;
        reader.sendRevokeAs(revoke, start, -1);
        reader.sendGetStartAs(start, "a");
        assertThat(reader.readCodes(revoke)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.GETS_STARTED)).isZero();
        reader.sendGetStartAs(start, "a");
        assertThat(reader.readCodes(start)).containsExactly(ErrorCode.STALE_GET_PLAN);
        fixture.assertNothingTemporary();
    }

    @Test
    void shouldNotCountAQuestionAsUse()
    {
        source.publish("a");
        assertThat(reader.exists("a", "b")).containsExactly(true, false);
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.OUTCOMES)).isEqualTo(1);
    }

    @Test
    void shouldNotTakeTheGetOfAnotherOwner()
    {
        source.publish("a");
        final long start = reader.sendGetStart("a");
        reader.readCodes(start);
        other.nextId = start + 1;
        assertThat(other.done(start, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(other.revoke(start, 0)).isZero();
        assertThat(reader.done(start, 0, "a")).isZero();
    }
}
