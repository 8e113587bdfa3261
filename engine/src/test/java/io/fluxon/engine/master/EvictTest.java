package io.fluxon.engine.master;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class EvictTest
{
    private static final int REMOVED = EvictResult.REMOVED.value();
    private static final int BUSY = EvictResult.BUSY.value();
    private static final int STALE = EvictResult.STALE.value();
    private static final int MAX_TICKS = 10;

    private final MasterFixture fixture = new MasterFixture((context) -> context.sliceKeys(2).maxKeysPerBatch(64));
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
        fixture.settle();
        assertThat(fixture.get(MasterCounter.FENCES)).isZero();
        fixture.audit();
        fixture.close();
    }

    private TestOwner.Member[] published(final String... keys)
    {
        final long first = owner.nextSequence;
        assertThat(owner.publish(new TestOwner.Put().keys(keys).groups(keys.length))).containsOnly(0);
        final TestOwner.Member[] members = new TestOwner.Member[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            members[i] = owner.member(keys[i], first + i);
        }
        return members;
    }

    private void tickUntilFenced()
    {
        for (int i = 0; i < MAX_TICKS && 0 == fixture.get(MasterCounter.FENCES); i++)
        {
            fixture.tick();
        }
        assertThat(fixture.get(MasterCounter.FENCES)).isPositive();
    }

    @Test
    @Tag("EVICT-2")
    @Tag("S3")
    void shouldMissWhenTheLastCopyWasEvicted()
    {
        final TestOwner.Member[] members = published("a", "b", "c");

        assertThat(owner.evict(members)).startsWith(REMOVED);
        assertThat(reader.exists("a", "b", "c")).containsExactly(false, false, false);
        assertThat(reader.getStart("a", "b", "c")).containsOnly(ErrorCode.KEY_NOT_FOUND);
        assertThat(fixture.get(MasterCounter.ROUTES)).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS_EVICTED)).isEqualTo(3);
        assertThat(fixture.get(MasterCounter.ROUTES_EVICTED)).isEqualTo(3);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("S3")
    void shouldKeepTheRouteWithTheCopiesOfOthers()
    {
        final TestOwner.Member member = published("a")[0];
        final long start = reader.sendGetStart("a");
        assertThat(reader.done(start, 0, "a")).isZero();

        assertThat(owner.evict(member)).startsWith(REMOVED);
        assertThat(owner.exists("a")).containsExactly(true);
        final long again = owner.sendGetStart("a");
        assertThat(TestOwner.startItem(owner.answer(again), 0).sourceOwnerId()).isEqualTo(reader.ownerId);
        assertThat(fixture.get(MasterCounter.ROUTES_EVICTED)).isZero();
    }

    @Test
    @Tag("EVICT-2")
    void shouldTakeTheCopyThatAGetMadeUnderThePutIdOfTheRoute()
    {
        final TestOwner.Member member = published("a")[0];
        final long start = reader.sendGetStart("a");
        final long done = reader.sendDone(start, 0, "a");
        assertThat(reader.readCodes(done)).containsExactly(0);

        assertThat(reader.evict(member.backing(TestOwner.doneBacking(done)))).startsWith(REMOVED);
        assertThat(reader.getStart("a")).containsExactly(0);
        assertThat(owner.getStart("a")).containsExactly(ErrorCode.KEY_NOT_FOUND);
    }

    @Test
    @Tag("EVICT-2")
    void shouldRemoveNothingWhenAGetReadsFromOneOfTheMembers()
    {
        final TestOwner.Member[] members = published("a", "b", "c", "d", "e");
        final long start = reader.sendGetStart("d");
        assertThat(reader.readCodes(start)).containsExactly(0);

        assertThat(owner.evict(members)).containsExactly(BUSY);
        assertThat(reader.exists("a", "b", "c", "d", "e")).containsOnly(true);
        assertThat(reader.getStart("a", "e")).containsExactly(0, 0);
        assertThat(reader.done(start, 0, "d")).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS_EVICTED)).isZero();
        assertThat(fixture.get(MasterCounter.EVICTIONS_BUSY)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    void shouldRemoveUnderANewIdWhenTheReadThatMadeItBusyHasEnded()
    {
        final TestOwner.Member[] members = published("a", "b");
        final long start = reader.sendGetStart("b");
        assertThat(owner.evict(members)).containsExactly(BUSY);

        assertThat(reader.revoke(start, -1)).isZero();
        assertThat(owner.evict(members)).startsWith(REMOVED);
        assertThat(reader.exists("a", "b")).containsOnly(false);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("T1")
    void shouldNeitherRecordBusyNorExecuteACopyThatComesAfterIt()
    {
        final TestOwner.Member[] members = published("a", "b");
        final long start = reader.sendGetStart("b");
        final long evict = owner.sendEvict(members);
        assertThat(owner.readCodes(evict)).containsExactly(BUSY);
        assertThat(reader.revoke(start, -1)).isZero();

        owner.sendEvictAs(evict, members);
        assertThat(owner.readCodes(evict)).containsExactly(ErrorCode.STALE_GET_PLAN);
        assertThat(reader.exists("a", "b")).containsOnly(true);
        owner.watermark = evict;
        owner.sendHeartbeat();
        fixture.settle();
        owner.watermark = 0;
        owner.sendEvictAs(evict, members);
        assertThat(owner.answer(evict)).isNull();
        assertThat(reader.exists("a", "b")).containsOnly(true);
    }

    @Test
    @Tag("EVICT-2")
    void shouldListTheAbsentMembersAndRemoveNothingWhenAPartIsAbsent()
    {
        final TestOwner.Member[] members = published("a", "b", "c", "d");
        assertThat(owner.evict(members[1])).startsWith(REMOVED);
        members[2] = members[2].backing(members[2].backing() + 1);

        assertThat(owner.evict(members)).containsExactly(STALE, 0, 1, 1, 0);
        assertThat(reader.exists("a", "b", "c", "d")).containsExactly(true, false, true, true);
        assertThat(reader.getStart("a", "d")).containsExactly(0, 0);
        assertThat(fixture.get(MasterCounter.EVICTIONS_STALE)).isEqualTo(1);
    }

    @Test
    @Tag("EVICT-2")
    void shouldAnswerRemovedWhenAllMembersAreAbsent()
    {
        final TestOwner.Member[] members = published("a", "b", "c");
        assertThat(owner.evict(members)).startsWith(REMOVED);

        assertThat(owner.evict(members)).startsWith(REMOVED);
        assertThat(fixture.get(MasterCounter.REPLICAS_EVICTED)).isEqualTo(3);
        assertThat(fixture.get(MasterCounter.EVICTIONS_REMOVED)).isEqualTo(2);
    }

    @Test
    @Tag("EVICT-2")
    void shouldRemoveNoOtherPutAndNoOtherBacking()
    {
        final TestOwner.Member member = published("a")[0];
        reader.publish("b");

        owner.evict(member.sequence(member.putSequence() + 1));
        owner.evict(member.backing(member.backing() + 1));
        owner.evict(new TestOwner.Member("a", 1, 9, member.putSequence(), member.backing()));
        owner.evict(new TestOwner.Member("b", 2, 10, 1, 1));
        assertThat(owner.exists("a", "b")).containsExactly(true, true);
        assertThat(fixture.get(MasterCounter.REPLICAS_EVICTED)).isZero();
    }

    @Test
    @Tag("EVICT-2")
    void shouldNotRemoveANewValueWhenALateCopyNamesTheOldOne()
    {
        final TestOwner.Member old = published("a")[0];
        final long evict = owner.sendEvict(old);
        assertThat(owner.readCodes(evict)).startsWith(REMOVED);
        published("a");

        owner.sendEvictAs(evict, old);
        assertThat(owner.readCodes(evict)).startsWith(REMOVED);
        assertThat(owner.evict(old)).startsWith(REMOVED);
        assertThat(reader.exists("a")).containsExactly(true);
    }

    @Test
    @Tag("EVICT-2")
    void shouldLetNoGetBeginToReadWhileTheMembersAreBeingRemoved()
    {
        final TestOwner.Member[] members = published("a", "b", "c", "d", "e", "f", "g", "h");
        final long evict = owner.sendEvict(members);
        tickUntilFenced();
        final long get = reader.sendGetStart("a");
        fixture.tick();

        assertThat(fixture.get(MasterCounter.EVICTIONS_REMOVED)).isZero();
        assertThat(owner.readCodes(evict)).startsWith(REMOVED);
        assertThat(reader.readCodes(get)).containsExactly(ErrorCode.KEY_NOT_FOUND);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isZero();
    }

    @Test
    @Tag("EVICT-2")
    void shouldForgetTheFencesWhenTheOwnerIsLostInTheMiddle()
    {
        final TestOwner.Member[] members = published("a", "b", "c", "d", "e", "f", "g", "h");
        reader.publish("h");
        owner.sendEvict(members);
        tickUntilFenced();
        final TestOwner newer = fixture.owner(1, 11);
        newer.sendRegister();
        fixture.settle();

        assertThat(newer.readRegistered()).isZero();
        assertThat(newer.getStart("a", "h")).containsExactly(ErrorCode.KEY_NOT_FOUND, 0);
    }

    @Test
    @Tag("EVICT-2")
    void shouldRemoveNothingWhenAMemberIsNamedTwice()
    {
        final TestOwner.Member member = published("a")[0];

        assertThat(owner.evict(member, member)).containsExactly(BUSY);
        assertThat(reader.exists("a")).containsExactly(true);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("BOUND-1")
    void shouldRefuseACohortOfNoMembersOrOfTooMany()
    {
        assertThat(owner.evict()).containsExactly(ErrorCode.PROTOCOL);
        final TestOwner.Member[] many = new TestOwner.Member[65];
        for (int i = 0; i < many.length; i++)
        {
            many[i] = owner.member("k" + i, i);
        }
        assertThat(owner.evict(many)).containsExactly(ErrorCode.INVALID_ARGUMENT);
        assertThat(owner.evict(owner.member("k".repeat(513), 1))).containsExactly(ErrorCode.PROTOCOL);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-4")
    void shouldWaitUntilTheReportIsCompleteAndExecuteAnewWhatWasRemovedInAnEarlierTenure()
    {
        final TestOwner.Member member = published("a")[0];
        final long evict = owner.sendEvict(member);
        assertThat(owner.readCodes(evict)).startsWith(REMOVED);
        fixture.run(TimeUnit.SECONDS.toNanos(11), reader);

        owner.registerId++;
        owner.committedValues = 1;
        assertThat(owner.register()).isZero();
        owner.sendEvictAs(evict, member);
        assertThat(owner.answer(evict)).isNull();
        owner.report(member);
        assertThat(reader.exists("a")).containsExactly(true);

        owner.sendEvictAs(evict, member);
        assertThat(owner.readCodes(evict)).startsWith(REMOVED);
        assertThat(reader.exists("a")).containsExactly(false);
    }

    @Test
    @Tag("LIFE-4")
    @Tag("EVICT-2")
    void shouldTakeAnEvictedPutIdFromAnOwnerThatStillHasIt()
    {
        final TestOwner.Member member = published("a")[0];
        final long start = reader.sendGetStart("a");
        final long done = reader.sendDone(start, 0, "a");
        assertThat(reader.readCodes(done)).containsExactly(0);
        fixture.run(TimeUnit.SECONDS.toNanos(11), owner);
        assertThat(owner.evict(member)).startsWith(REMOVED);
        assertThat(owner.exists("a")).containsExactly(false);

        reader.registerId++;
        reader.committedValues = 1;
        assertThat(reader.register()).isZero();
        reader.report(member.backing(TestOwner.doneBacking(done)));
        assertThat(owner.getStart("a")).containsExactly(0);
    }
}
