package io.fluxon.engine.master;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class RegistrationTest
{
    private final MasterFixture fixture = new MasterFixture((context) -> context.maxOwners(4));

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldGiveASessionAndTheTimesWhenAnOwnerRegisters()
    {
        final TestOwner owner = fixture.owner(1, 10);
        owner.sendRegister();
        fixture.settle();
        final RegisterResponseDecoder answer = new RegisterResponseDecoder().wrapAndApplyHeader(
            owner.wire().messages.peek(), 0, new MessageHeaderDecoder());
        assertThat(answer.generation()).isEqualTo(MasterFixture.EPOCH);
        assertThat(answer.correlationId()).isEqualTo(owner.registerId);
        assertThat(answer.sessionId()).isPositive();
        assertThat(answer.livenessTimeoutNs()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldRefuseAnotherProtocolVersionWithAMessage()
    {
        final TestOwner owner = fixture.owner(1, 10);
        owner.protocolVersion = 2;
        assertThat(owner.register()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(owner.lastMessage).contains("version 2").contains("version 1");
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isZero();
        assertThat(owner.wire().closed).isEqualTo(owner.wire().opened);
    }

    @Test
    @Tag("T1")
    void shouldRefuseTheSameGenerationFromAnotherProcess()
    {
        final TestOwner first = fixture.registered(1);
        final TestOwner second = fixture.owner(1, 10);
        second.responseChannel = "to:second";
        second.segmentPath = "/other";
        assertThat(second.register()).isEqualTo(ErrorCode.OWNER_GENERATION_MISMATCH);
        assertThat(second.lastMessage).contains("owner id 1").contains(first.segmentPath);
        assertThat(first.publish("a")).containsExactly(0);
    }

    @Test
    @Tag("T1")
    void shouldRefuseAnOlderGenerationWhenANewerIsRegistered()
    {
        fixture.registered(1);
        final TestOwner older = fixture.owner(1, 9);
        assertThat(older.register()).isEqualTo(ErrorCode.OWNER_GENERATION_MISMATCH);
        assertThat(older.lastMessage).contains("generation 10");
    }

    @Test
    @Tag("T1")
    @Tag("LIFE-4")
    void shouldDropRoutesGetsAndReservationsOfTheOlderGenerationWhenANewerRegisters()
    {
        final TestOwner reader = fixture.registered(2);
        final TestOwner old = fixture.registered(1);
        old.publish("a");
        old.reserve(0, "r");
        final long start = reader.sendGetStart("a");
        assertThat(reader.readCodes(start)).containsExactly(0);

        final TestOwner newer = fixture.owner(1, 11);
        assertThat(newer.register()).isZero();

        assertThat(reader.exists("a")).containsExactly(false);
        assertThat(reader.done(start, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(reader.reserve(TestOwner.INFLIGHT, "r")).containsExactly(0);
        assertThat(reader.unreserve(reader.nextId - 1)).isZero();
        fixture.assertNothingTemporary();
        fixture.audit();
    }

    @Test
    @Tag("T1")
    @Tag("API-8")
    void shouldRefuseMessagesOfAnOlderGenerationAndExecuteNothing()
    {
        final TestOwner old = fixture.registered(1);
        final TestOwner newer = fixture.owner(1, 11);
        newer.register();

        old.sendPublish(new TestOwner.Put().keys("a"));
        assertThat(old.refusals()).isEqualTo(1);
        assertThat(old.lastMessage).contains("register again");
        assertThat(newer.exists("a")).containsExactly(false);
        assertThat(fixture.get(MasterCounter.SESSIONS_REFUSED)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.PUBLISHES)).isZero();
    }

    @Test
    @Tag("T1")
    void shouldRefuseTheOlderSessionWhenTheSameGenerationRegistersAgain()
    {
        final TestOwner owner = fixture.registered(1);
        final long oldSession = owner.sessionId;
        owner.publish("a");
        owner.registerId++;
        owner.connectionId++;
        assertThat(owner.register()).isZero();
        assertThat(owner.sessionId).isNotEqualTo(oldSession);

        final long newSession = owner.sessionId;
        owner.sessionId = oldSession;
        owner.sendPublish(new TestOwner.Put().keys("b"));
        assertThat(owner.refusals()).isEqualTo(1);

        owner.sessionId = newSession;
        assertThat(owner.exists("a", "b")).containsExactly(true, false);
    }

    @Test
    @Tag("T1")
    void shouldKeepRoutesAndOutcomesWhenTheSameGenerationRegistersAgain()
    {
        final TestOwner owner = fixture.registered(1);
        final long publish = owner.sendPublish(new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(publish)).containsExactly(0);

        owner.registerId++;
        owner.register();
        owner.sendPublishAs(publish, new TestOwner.Put().keys("other"));
        assertThat(owner.readCodes(publish)).containsExactly(0);
        assertThat(owner.exists("a", "other")).containsExactly(true, false);
        assertThat(fixture.get(MasterCounter.OPERATIONS_REPEATED)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldTakeNoLateCopyOfAnOlderRegistration()
    {
        final TestOwner owner = fixture.registered(1);
        final long first = owner.registerId;
        assertThat(owner.readCodes(owner.sendPublish(new TestOwner.Put().keys("a")))).containsExactly(0);
        owner.registerId += 10;
        owner.register();

        owner.registerId = first;
        owner.tenureEpoch = 0;
        owner.tenureId = 0;
        owner.sendRegister();
        fixture.settle();
        assertThat(owner.exists("a")).containsExactly(true);
        assertThat(owner.refusals()).isZero();
        assertThat(fixture.get(MasterCounter.OWNERS_REFUSED)).isEqualTo(1);
    }

    @Test
    @Tag("T1")
    void shouldGiveTheSameSessionWhenARegistrationIsRepeated()
    {
        final TestOwner owner = fixture.registered(1);
        final long session = owner.sessionId;
        assertThat(owner.register()).isZero();
        assertThat(owner.sessionId).isEqualTo(session);
    }

    @Test
    @Tag("T1")
    void shouldSendAnswersInThePresentSessionWhenTheOperationCameInTheOlder()
    {
        final TestOwner owner = fixture.registered(1);
        owner.wire().isBlocked = true;
        final long publish = owner.sendPublish(new TestOwner.Put().keys("a"));
        fixture.settle();
        owner.registerId++;
        owner.responseChannel = "to:elsewhere";
        owner.register();
        owner.sendPublishAs(publish, new TestOwner.Put().keys("a"));
        assertThat(owner.answer(publish).getLong(16)).isEqualTo(owner.sessionId);
    }

    @Test
    @Tag("T1")
    void shouldTellWhoeverHasAnUnknownSession()
    {
        final TestOwner owner = fixture.registered(1);
        owner.sessionId += 5;
        owner.sendHeartbeat();
        assertThat(owner.refusals()).isEqualTo(1);
        assertThat(owner.lastMessage).contains("register again");

        final TestOwner stranger = fixture.owner(3, 33);
        stranger.sessionId = 5;
        stranger.sendHeartbeat();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.REFUSALS_UNSENT)).isEqualTo(1);
    }

    @Test
    void shouldTellAllOwnersWhenOneJoinsOrLeaves()
    {
        final TestOwner first = fixture.registered(1);
        assertThat(first.peers()).isEmpty();
        final TestOwner second = fixture.registered(2);
        assertThat(first.peers()).containsExactly(2);
        assertThat(second.peers()).containsExactly(1);

        first.sendHeartbeat();
        assertThat(first.peers()).isNull();

        fixture.run(TimeUnit.SECONDS.toNanos(11), first);
        assertThat(first.peers()).isEmpty();
    }

    @Test
    void shouldSendThePeersAgainWhenAHeartbeatShowsThatTheyWereLost()
    {
        final TestOwner first = fixture.registered(1);
        fixture.registered(2);
        assertThat(first.peers()).containsExactly(2);
        first.peerVersion = 0;
        first.sendHeartbeat();
        assertThat(first.peers()).containsExactly(2);
        first.sendHeartbeat();
        assertThat(first.peers()).isNull();
    }

    @Test
    @Tag("LIFE-1")
    @Tag("T1")
    void shouldDropEverythingOfAnOwnerAtOnceWhenItIsNotHeardFrom()
    {
        final TestOwner reader = fixture.registered(1);
        final TestOwner lost = fixture.registered(2);
        lost.publish("a", "b");
        reader.publish("c");
        lost.reserve(TestOwner.INFLIGHT, "r");
        final long start = reader.sendGetStart("a", "b");
        assertThat(reader.readCodes(start)).containsExactly(0, 0);
        final long lostStart = lost.sendGetStart("c");
        assertThat(lost.readCodes(lostStart)).containsExactly(0);

        fixture.run(TimeUnit.SECONDS.toNanos(11), reader);

        assertThat(fixture.get(MasterCounter.OWNERS_EXPIRED)).isEqualTo(1);
        assertThat(reader.exists("a", "b", "c")).containsExactly(false, false, true);
        assertThat(reader.done(start, 0, "a")).isEqualTo(ErrorCode.STALE_GET_PLAN);
        assertThat(reader.getStart("b")).containsExactly(ErrorCode.KEY_NOT_FOUND);
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.GETS_LOST)).isEqualTo(3);
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(1);
        fixture.audit();
    }

    @Test
    @Tag("T1")
    void shouldGiveAReservationItsAnswerAlsoAfterAPublishOfALaterTenure()
    {
        final TestOwner owner = fixture.registered(1);
        final long reserve = owner.sendReserve(0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(0);
        fixture.run(TimeUnit.SECONDS.toNanos(11));
        owner.sendHeartbeat();
        assertThat(owner.refusals()).isEqualTo(1);

        owner.registerId++;
        assertThat(owner.register()).isZero();
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(0);
        assertThat(owner.publish(new TestOwner.Put().keys("a").reserveId(reserve))).containsExactly(0);
        owner.sendReserveAs(reserve, 0, "a");
        assertThat(owner.readCodes(reserve)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.RESERVATIONS)).isZero();
    }

    @Test
    @Tag("T1")
    @Tag("LIFE-4")
    void shouldExecuteAnewWhatWentWithTheRoutesWhenAnExpiredGenerationComesBack()
    {
        final TestOwner owner = fixture.registered(1);
        final long publish = owner.sendPublish(new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(publish)).containsExactly(0);
        fixture.run(TimeUnit.SECONDS.toNanos(11));
        owner.sendHeartbeat();
        assertThat(owner.refusals()).isEqualTo(1);

        owner.registerId++;
        assertThat(owner.register()).isZero();
        assertThat(owner.exists("a")).containsExactly(false);
        owner.sendPublishAs(publish, new TestOwner.Put().keys("a"));
        assertThat(owner.readCodes(publish)).containsExactly(0);
        assertThat(owner.exists("a")).containsExactly(true);
        owner.sendPublishAs(publish, new TestOwner.Put().keys("x"));
        assertThat(owner.readCodes(publish)).containsExactly(0);
        assertThat(owner.exists("a", "x")).containsExactly(true, false);
    }

    @Test
    @Tag("LIFE-2")
    void shouldForgetNobodyWhenTheMasterItselfStoodStill()
    {
        final TestOwner first = fixture.registered(1);
        final TestOwner second = fixture.registered(2);
        first.publish("a");
        final long start = second.sendGetStart("a");
        second.readCodes(start);

        fixture.run(TimeUnit.SECONDS.toNanos(9));
        fixture.nowNs += TimeUnit.MINUTES.toNanos(2);
        fixture.settle();
        assertThat(fixture.get(MasterCounter.STALLS)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isEqualTo(2);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(1);

        fixture.run(TimeUnit.SECONDS.toNanos(9));
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isEqualTo(2);
        assertThat(second.done(start, 0, "a")).isZero();

        fixture.run(TimeUnit.SECONDS.toNanos(11));
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseAnOwnerWhenAllPlacesAreLiveAndForgetTheLongestGoneOtherwise()
    {
        for (int i = 1; i <= 4; i++)
        {
            fixture.registered(i);
        }
        final TestOwner fifth = fixture.owner(5, 10);
        assertThat(fifth.register()).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(fifth.lastMessage).contains("4 owners");

        fixture.run(TimeUnit.SECONDS.toNanos(11));
        assertThat(fifth.register()).isZero();
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isEqualTo(1);
    }

    @Test
    void shouldCountAndLiveOnWhenAChannelCannotBeOpened()
    {
        final TestOwner owner = fixture.owner(1, 10);
        owner.responseChannel = "nonsense";
        owner.sendRegister();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.OWNERS_REFUSED)).isEqualTo(1);
        assertThat(fixture.registered(1).exists("a")).containsExactly(false);
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseWithAMessageWhenTooManyLostOwnersAreStillBeingCleared()
    {
        final Tenures tenures = fixture.master.state().tenures;
        final TestOwner owner = fixture.owner(1, 10);
        int last = Tenures.NONE;
        while (tenures.hasFree())
        {
            last = tenures.begin(99, 1);
        }
        assertThat(owner.register()).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(owner.lastMessage).contains("register again");

        tenures.end(last);
        fixture.settle();
        assertThat(owner.register()).isZero();
    }

    @Test
    void shouldIgnoreARegistrationWithValuesThatAreNotAllowed()
    {
        final TestOwner owner = fixture.owner(1, 0);
        owner.sendRegister();
        final TestOwner wordy = fixture.owner(1, 10);
        wordy.hostName = "h".repeat(5000);
        wordy.sendRegister();
        final TestOwner controlling = fixture.owner(2, 10);
        controlling.segmentPath = "/shm/no\0path";
        controlling.sendRegister();
        final TestOwner breaking = fixture.owner(3, 10);
        breaking.hostName = "host\nfluxon: all is well";
        breaking.sendRegister();
        fixture.settle();
        assertThat(fixture.get(MasterCounter.MESSAGES_MALFORMED)).isEqualTo(4);
        assertThat(fixture.get(MasterCounter.OWNERS_LIVE)).isZero();
    }

    @Test
    void shouldCloseTheChannelOfAnOwnerThatStaysAway()
    {
        final TestOwner owner = fixture.registered(1);
        fixture.run(TimeUnit.SECONDS.toNanos(90));
        assertThat(owner.wire().closed).isEqualTo(1);
        owner.registerId++;
        assertThat(owner.register()).isZero();
        assertThat(owner.wire().opened).isEqualTo(2);
    }
}
