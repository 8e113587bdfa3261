package io.fluxon.engine.master;

import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class PublishTest
{
    private final MasterFixture fixture = new MasterFixture((context) ->
        context.maxRoutes(20).maxReplicas(40).maxReservations(16));
    private TestOwner first;
    private TestOwner second;

    @BeforeEach
    void register()
    {
        first = fixture.registered(1);
        second = fixture.registered(2);
    }

    @AfterEach
    void close()
    {
        fixture.audit();
        fixture.close();
    }

    private static TestOwner.Put put(final String... keys)
    {
        return new TestOwner.Put().keys(keys);
    }

    @Test
    @Tag("V2")
    void shouldShowAKeyToOthersOnlyWhenItIsPublished()
    {
        first.reserve(0, "a");
        assertThat(second.exists("a")).containsExactly(false);
        assertThat(second.getStart("a")).containsExactly(ErrorCode.KEY_NOT_FOUND);
        assertThat(first.publish("a")).containsExactly(0);
        assertThat(second.exists("a")).containsExactly(true);
        assertThat(second.getStart("a")).containsExactly(0);
    }

    @Test
    @Tag("PUT-1")
    void shouldPublishWithoutAReservation()
    {
        assertThat(first.publish("a", "b")).containsExactly(0, 0);
        assertThat(fixture.get(MasterCounter.ROUTES_CREATED)).isEqualTo(2);
    }

    @Test
    @Tag("PUT-1")
    void shouldJoinTheRouteAndReturnItsPutIdWhenAnotherOwnerHasTheKey()
    {
        first.publish(put("a").sequence(500));
        final UnsafeBuffer answer = second.answer(second.sendPublish(put("a").sequence(9)));
        final PublishResponseDecoder.ResultsDecoder result = TestOwner.publishItem(answer, 0);
        assertThat(result.code()).isZero();
        assertThat(result.flags().joined()).isTrue();
        assertThat(result.flags().alreadyReplica()).isFalse();
        assertThat(result.canonical().ownerId()).isEqualTo(1);
        assertThat(result.canonical().generation()).isEqualTo(10);
        assertThat(result.canonical().sequence()).isEqualTo(500);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(2);
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.JOINS)).isEqualTo(1);
    }

    @Test
    @Tag("T2")
    void shouldSayThatTheRouteHasAnEarlierBackingWhenTheOwnerIsAReplicaAlready()
    {
        first.publish("a");
        final long start = second.sendGetStart("a");
        assertThat(second.readCodes(start)).containsExactly(0);
        assertThat(second.done(start, 0, "a")).isZero();
        final UnsafeBuffer answer = second.answer(second.sendPublish(put("a")));
        final PublishResponseDecoder.ResultsDecoder result = TestOwner.publishItem(answer, 0);
        assertThat(result.code()).isZero();
        assertThat(result.flags().joined()).isTrue();
        assertThat(result.flags().alreadyReplica()).isTrue();
        assertThat(result.canonical().ownerId()).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(2);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseOnlyTheGroupInWhichAMemberExists()
    {
        first.publish("b");
        assertThat(second.publish(put("a", "b", "c", "d", "e").groups(3, 2).options(TestOwner.EXIST)))
            .containsExactly(
                -ErrorCode.GROUP_ABORTED, -ErrorCode.KEY_ALREADY_EXISTS, -ErrorCode.GROUP_ABORTED, 0, 0);
        assertThat(first.exists("a", "b", "c", "d", "e")).containsExactly(false, true, false, true, true);
        assertThat(fixture.get(MasterCounter.GROUPS_REFUSED)).isEqualTo(1);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseOnlyTheKeyThatExistsWhenEveryKeyIsAlone()
    {
        first.publish("b");
        assertThat(second.publish(put("a", "b", "c").options(TestOwner.EXIST)))
            .containsExactly(0, -ErrorCode.KEY_ALREADY_EXISTS, 0);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseWithBeingWrittenWhenAnotherOwnerReservedFirst()
    {
        assertThat(first.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
        assertThat(second.reserve(TestOwner.INFLIGHT, "a")).containsExactly(ErrorCode.KEY_BEING_WRITTEN);
        assertThat(second.publish(put("a", "b").groups(2).options(TestOwner.INFLIGHT)))
            .containsExactly(-ErrorCode.KEY_BEING_WRITTEN, -ErrorCode.GROUP_ABORTED);
        assertThat(first.publish(put("a").options(TestOwner.INFLIGHT))).containsExactly(0);
    }

    @Test
    @Tag("PUT-1")
    void shouldLetTheFirstPassWhenTwoOwnersReservedOneKey()
    {
        assertThat(first.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
        assertThat(second.reserve(0, "a")).containsExactly(0);
        assertThat(first.publish(put("a").options(TestOwner.INFLIGHT))).containsExactly(0);
        assertThat(second.publish(put("a"))).containsExactly(0);
    }

    @Test
    @Tag("PUT-1")
    void shouldTellTheStateOfKeysWhenAReservationAsksForIt()
    {
        first.publish("a");
        first.reserve(0, "b");
        assertThat(second.reserve(TestOwner.EXIST | TestOwner.INFLIGHT, "a", "b", "c")).containsExactly(
            ErrorCode.KEY_ALREADY_EXISTS, ErrorCode.KEY_BEING_WRITTEN, 0);
        assertThat(second.reserve(0, "a", "b", "c")).containsExactly(0, 0, 0);
    }

    @Test
    @Tag("PUT-1")
    void shouldCompareEqualPutIdsBeforeRejectFlags()
    {
        assertThat(first.publish(put("a").sequence(7))).containsExactly(0);
        assertThat(first.publish(put("a").sequence(7).options(TestOwner.EXIST))).containsExactly(0);
        assertThat(first.publish(put("a").sequence(8).options(TestOwner.EXIST)))
            .containsExactly(-ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(fixture.get(MasterCounter.KEYS_REPUBLISHED)).isEqualTo(1);
    }

    @Test
    @Tag("PUT-1")
    void shouldRefuseTheLaterWhenLengthsDiffer()
    {
        first.publish("a");
        assertThat(second.publish(put("a", "b").groups(2).length(8192)))
            .containsExactly(-ErrorCode.INVALID_ARGUMENT, -ErrorCode.GROUP_ABORTED);
        assertThat(second.exists("b")).containsExactly(false);
    }

    @Test
    @Tag("A2")
    void shouldRefuseAGroupThatIsNotComplete()
    {
        assertThat(first.publish(put("a", "b").group(2, 0, 3)))
            .containsExactly(-ErrorCode.GROUP_ABORTED, -ErrorCode.GROUP_ABORTED);
        assertThat(first.exists("a", "b")).containsExactly(false, false);
        assertThat(first.publish(put("a", "b").group(2, 1, 3))).containsExactly(0, 0);
    }

    @Test
    @Tag("A2")
    void shouldRefuseThePublishWholeWhenGroupsDoNotCoverTheKeys()
    {
        assertThat(first.publish(put("a", "b").group(1, 0, 1))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.publish(put("a", "b").group(3, 0, 3))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.publish(put("a", "b").group(-1, 3, 2))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.exists("a", "b")).containsExactly(false, false);
    }

    @Test
    @Tag("A2")
    @Tag("T1")
    void shouldAnswerARepeatedPublishFromTheRecordAndExecuteNothing()
    {
        final long id = first.sendPublish(put("a"));
        assertThat(first.readCodes(id)).containsExactly(0);
        first.sendPublishAs(id, put("b"));
        assertThat(first.readCodes(id)).containsExactly(0);
        assertThat(first.exists("a", "b")).containsExactly(true, false);
        assertThat(fixture.get(MasterCounter.PUBLISHES)).isEqualTo(1);
    }

    @Test
    @Tag("A2")
    void shouldKeepGroupAndCohortOfThePutThatMadeThePutId()
    {
        first.publish(put("a", "b").groups(2).cohort(99));
        second.publish(put("a"));
        final RouteTable routes = fixture.master.state().routes;
        final UnsafeBuffer key = new UnsafeBuffer("a".getBytes(StandardCharsets.UTF_8));
        final int route = routes.find(key, 0, 1);
        assertThat(routes.groupLength(route)).isEqualTo(2);
        assertThat(routes.cohortId(route)).isEqualTo(99);
        assertThat(routes.cohortSize(route)).isEqualTo(2);
    }

    @Test
    @Tag("PUT-1")
    void shouldConsumeTheReservationWhenItsPublishEnds()
    {
        final long reserve = first.sendReserve(TestOwner.INFLIGHT, "a", "b");
        first.readCodes(reserve);
        assertThat(fixture.get(MasterCounter.RESERVATIONS)).isEqualTo(2);
        first.publish(put("a").reserveId(reserve));
        fixture.assertNothingTemporary();
        assertThat(second.publish(put("b").options(TestOwner.INFLIGHT))).containsExactly(0);
    }

    @Test
    @Tag("PUT-1")
    @Tag("T1")
    void shouldReserveNothingWhenTheReservationComesAfterItsPublish()
    {
        final long reserve = first.nextId++;
        first.publish(put("a").reserveId(reserve));
        first.sendReserveAs(reserve, 0, "a", "b");
        assertThat(first.readCodes(reserve)).containsExactly(ErrorCode.INVALID_ARGUMENT);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("T1")
    void shouldEndAReservationByTime()
    {
        first.reserve(TestOwner.INFLIGHT, "a");
        fixture.run(TimeUnit.SECONDS.toNanos(59), first, second);
        assertThat(second.reserve(TestOwner.INFLIGHT, "a")).containsExactly(ErrorCode.KEY_BEING_WRITTEN);
        fixture.run(TimeUnit.SECONDS.toNanos(2), first, second);
        assertThat(second.reserve(TestOwner.INFLIGHT, "a")).containsExactly(0);
        assertThat(fixture.get(MasterCounter.RESERVATIONS_EXPIRED)).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseWithNoSpaceWhenTheTableIsFullAndTakeItWhenThereIsRoomAgain()
    {
        final String[] keys = new String[20];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        first.publish(keys);
        assertThat(second.publish(put("x", "y").groups(2)))
            .containsExactly(-ErrorCode.NO_SPACE, -ErrorCode.NO_SPACE);
        fixture.run(TimeUnit.SECONDS.toNanos(11), second);
        assertThat(second.publish(put("x", "y").groups(2))).containsExactly(0, 0);
    }

    @Test
    @Tag("BOUND-1")
    void shouldAnswerBackPressuredForKeysBeyondTheReservationBound()
    {
        final String[] keys = new String[20];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "k" + i;
        }
        final int[] codes = first.reserve(0, keys);
        assertThat(codes[0]).isZero();
        assertThat(codes[19]).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(first.publish("k19")).containsExactly(0);
    }

    @Test
    void shouldTakeAKeyOfALostOwnerForANewRoute()
    {
        first.publish(put("a").length(8192));
        fixture.run(TimeUnit.SECONDS.toNanos(11), second);
        final UnsafeBuffer answer = second.answer(second.sendPublish(put("a").options(TestOwner.EXIST)));
        assertThat(TestOwner.publishItem(answer, 0).code()).isZero();
        assertThat(TestOwner.publishItem(answer, 0).canonical().ownerId()).isEqualTo(2);
    }

    @Test
    @Tag("API-1")
    void shouldRefuseBadKeysAndLengthsWhole()
    {
        assertThat(first.publish(put("a", ""))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.publish(put("a", "k".repeat(513)))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.publish(put("a").length(0))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.publish(put("a").length((512L << 20) + 1))).containsExactly(ErrorCode.PROTOCOL);
        assertThat(first.exists("a")).containsExactly(false);
        assertThat(fixture.get(MasterCounter.MESSAGES_MALFORMED)).isEqualTo(4);
        assertThat(fixture.get(MasterCounter.OUTCOMES)).isZero();
        assertThat(first.publish(put("k".repeat(512)))).containsExactly(0);
    }
}
