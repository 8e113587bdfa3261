package io.fluxon.engine.master;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeleteTest
{
    private static final int REMOVED = EvictResult.REMOVED.value();
    private static final int BUSY = EvictResult.BUSY.value();
    private static final int IN_USE = -ErrorCode.BACK_PRESSURED;
    private static final int MISSING = -ErrorCode.KEY_NOT_FOUND;
    private static final int WRITTEN = -ErrorCode.KEY_BEING_WRITTEN;

    private final MasterFixture fixture =
        new MasterFixture((context) -> context.sliceKeys(2).maxKeysPerBatch(64).maxTombstones(2));
    private TestOwner owner;
    private TestOwner other;

    @BeforeEach
    void register()
    {
        owner = fixture.registered(1);
        other = fixture.registered(2);
    }

    @AfterEach
    void close()
    {
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.REMOVALS)).isZero();
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

    private TestOwner.Member fetched(final TestOwner.Member member, final String key)
    {
        final long start = other.sendGetStart(key);
        final long done = other.sendDone(start, 0, key);
        assertThat(other.readCodes(done)).containsExactly(0);
        return member.backing(TestOwner.doneBacking(done));
    }

    private long round(final TestOwner holder)
    {
        final long[] rounds = holder.prepares();
        assertThat(rounds).hasSize(1);
        return rounds[0];
    }

    @Test
    @Tag("EVICT-2")
    void shouldRemoveWhenAllHoldersHavePreparedAndAnswerWhenTheyHaveFinalized()
    {
        final TestOwner.Member[] members = published("a", "b", "c");
        final TestOwner.Member copy = fetched(members[0], "a");
        final long delete = other.sendDelete("a");
        final long round = round(owner);
        assertThat(round(other)).isEqualTo(round);

        final long vote = owner.vote(round, members);
        assertThat(owner.answer(vote)).isNull();
        assertThat(fixture.get(MasterCounter.FENCES)).isEqualTo(3);
        assertThat(owner.exists("a", "b", "c")).containsOnly(true);
        final long otherVote = other.vote(round, copy);
        assertThat(owner.readCodes(vote)).startsWith(REMOVED);
        assertThat(other.readCodes(otherVote)).startsWith(REMOVED);
        assertThat(owner.exists("a", "b", "c")).containsOnly(false);
        assertThat(other.answer(delete)).isNull();

        other.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(other.answer(delete)).isNull();
        owner.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(other.readCodes(delete)).containsExactly(0);
        other.sendDeleteAs(delete, "a");
        assertThat(other.readCodes(delete)).containsExactly(0);
        assertThat(fixture.get(MasterCounter.KEYS_DELETED)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.REPLICAS_EVICTED)).isEqualTo(4);
    }

    @Test
    @Tag("EVICT-2")
    void shouldNameNoRoundAsAMasterBeforeItDid()
    {
        final TestOwner.Member[] members = published("a");
        final long delete = other.sendDelete("a");
        final long round = round(owner);
        assertThat(round).isGreaterThan(MasterFixture.EPOCH << 20).isLessThan(MasterFixture.EPOCH + 1 << 20);

        assertThat(owner.readCodes(owner.vote(round, members))).startsWith(REMOVED);
        owner.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(other.readCodes(delete)).containsExactly(0);
    }

    @Test
    @Tag("EVICT-2")
    void shouldAskUntilItHearsThatTheMemoryIsGivenBack()
    {
        final TestOwner.Member[] members = published("a");
        final long delete = other.sendDelete("a");
        final long round = round(owner);
        assertThat(owner.readCodes(owner.vote(round, members))).startsWith(REMOVED);
        assertThat(owner.prepares()).isEmpty();
        assertThat(other.answer(delete)).isNull();

        fixture.run(100 * MasterFixture.MS);
        assertThat(round(owner)).isEqualTo(round);
        assertThat(other.answer(delete)).isNull();
        owner.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(other.readCodes(delete)).containsExactly(0);
    }

    @Test
    @Tag("EVICT-2")
    void shouldAnswerVotesBusyWhenAnotherHolderCannotAndAskAgainLater()
    {
        final TestOwner.Member[] members = published("a", "b");
        final TestOwner.Member copy = fetched(members[0], "a");
        final long delete = other.sendDelete("a");
        final long round = round(owner);
        other.prepares();
        final long vote = owner.vote(round, members);
        other.sendRemoval(round, RemovalStep.IN_USE);

        assertThat(owner.readCodes(vote)).containsExactly(BUSY);
        assertThat(owner.exists("a", "b")).containsOnly(true);
        assertThat(fixture.get(MasterCounter.FENCES)).isZero();
        assertThat(owner.prepares()).isEmpty();
        fixture.run(25 * MasterFixture.MS);
        final long next = round(owner);
        assertThat(next).isNotEqualTo(round).isEqualTo(round(other));
        final long again = owner.vote(next, members);
        final long others = other.vote(next, copy);
        assertThat(owner.readCodes(again)).startsWith(REMOVED);
        assertThat(other.readCodes(others)).startsWith(REMOVED);
        owner.sendRemoval(next, RemovalStep.FINALIZED);
        other.sendRemoval(next, RemovalStep.FINALIZED);
        assertThat(other.readCodes(delete)).containsExactly(0);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("BOUND-1")
    void shouldGiveUpAfterEightRoundsAndLetGetsBeginAgain()
    {
        published("a");
        final long delete = other.sendDelete("a");
        for (int i = 0; i < 8; i++)
        {
            final long round = round(owner);
            assertThat(other.getStart("a")).containsExactly(ErrorCode.KEY_NOT_FOUND);
            owner.sendRemoval(round, RemovalStep.IN_USE);
            fixture.run(1000 * MasterFixture.MS, owner, other);
        }

        assertThat(other.readCodes(delete)).containsExactly(IN_USE);
        final long start = other.sendGetStart("a");
        assertThat(other.readCodes(start)).containsExactly(0);
        assertThat(other.revoke(start, -1)).isZero();
        assertThat(fixture.get(MasterCounter.REMOVAL_ROUNDS)).isEqualTo(8);
    }

    @Test
    @Tag("EVICT-2")
    void shouldEndTheRoundWhenACopyJoinsTheRouteMeanwhile()
    {
        final TestOwner.Member[] members = published("a");
        final long start = other.sendGetStart("a");
        assertThat(other.readCodes(start)).containsExactly(0);
        final long delete = owner.sendDelete("a");
        final long round = round(owner);
        assertThat(other.done(start, 0, "a")).isZero();
        final long vote = owner.vote(round, members);

        assertThat(owner.readCodes(vote)).containsExactly(BUSY);
        assertThat(owner.exists("a")).containsExactly(true);
        fixture.run(25 * MasterFixture.MS);
        final long next = round(owner);
        assertThat(round(other)).isEqualTo(next);
        owner.sendRemoval(next, RemovalStep.BEING_WRITTEN);
        assertThat(owner.readCodes(delete)).containsExactly(WRITTEN);
    }

    @Test
    @Tag("EVICT-2")
    void shouldEndARoundInWhichAHolderSaysNothing()
    {
        final TestOwner.Member[] members = published("a");
        fetched(members[0], "a");
        other.sendDelete("a");
        final long vote = owner.vote(round(owner), members);
        assertThat(other.prepares()).hasSize(1);
        fixture.run(Removals.ROUND_MS * MasterFixture.MS, owner, other);

        assertThat(owner.readCodes(vote)).containsExactly(BUSY);
        fixture.run(25 * MasterFixture.MS);
        assertThat(other.prepares()).isNotEmpty();
        fixture.run(context().livenessTimeoutNs() * 2, other);
        fixture.run(context().livenessTimeoutNs() * 2);
        assertThat(fixture.get(MasterCounter.OWNERS_EXPIRED)).isEqualTo(2);
    }

    private MasterContext context()
    {
        return fixture.context;
    }

    @Test
    @Tag("EVICT-2")
    void shouldLetNoOtherEvictionTakeWhatIsBeingDeleted()
    {
        final TestOwner.Member[] members = published("a");
        final long delete = other.sendDelete("a");
        final long round = round(owner);
        assertThat(owner.evict(members)).containsExactly(BUSY);
        assertThat(owner.readCodes(owner.vote(round + 1, members))).containsExactly(BUSY);

        final long vote = owner.vote(round, members);
        assertThat(owner.readCodes(vote)).startsWith(REMOVED);
        owner.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(other.readCodes(delete)).containsExactly(0);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-1")
    void shouldGoOnWithoutAHolderOrAnAskerThatIsLost()
    {
        final TestOwner.Member[] members = published("a", "b");
        final TestOwner.Member copy = fetched(members[0], "a");
        other.sendDelete("a");
        final long round = round(owner);
        other.vote(round, copy);
        final long vote = owner.vote(round, members);
        assertThat(owner.readCodes(vote)).startsWith(REMOVED);
        owner.sendRemoval(round, RemovalStep.FINALIZED);
        assertThat(fixture.get(MasterCounter.REMOVALS)).isEqualTo(1);

        fixture.run(2 * context().livenessTimeoutNs(), owner);
        assertThat(fixture.get(MasterCounter.OWNERS_EXPIRED)).isEqualTo(1);
        assertThat(fixture.get(MasterCounter.REMOVALS)).isZero();
        assertThat(owner.exists("a", "b")).containsOnly(false);
    }

    @Test
    @Tag("LIFE-4")
    void shouldRefuseADeletedPutIdUntilItIsForgotten()
    {
        for (final String key : new String[]{"a", "b", "c"})
        {
            final TestOwner.Member[] members = published(key);
            final long delete = other.sendDelete(key);
            final long round = round(owner);
            assertThat(owner.readCodes(owner.vote(round, members))).startsWith(REMOVED);
            owner.sendRemoval(round, RemovalStep.FINALIZED);
            assertThat(other.readCodes(delete)).containsExactly(0);
        }

        assertThat(fixture.get(MasterCounter.PUT_IDS_DELETED)).isEqualTo(2);
        owner.nextSequence = 1;
        assertThat(owner.publish("a")).containsExactly(0);
        assertThat(owner.publish("b")).containsExactly(MISSING);
        assertThat(owner.publish("c")).containsExactly(MISSING);
        assertThat(owner.publish("c")).containsExactly(0);
        assertThat(fixture.get(MasterCounter.DELETED_REFUSED)).isEqualTo(2);
        fixture.run(context().tombstoneTtlNs(), owner, other);
        assertThat(fixture.get(MasterCounter.PUT_IDS_DELETED)).isZero();
    }

    @Test
    @Tag("EVICT-2")
    void shouldDeleteNothingThatIsReserved()
    {
        published("a");
        owner.reserve(0, "a", "new");
        final long delete = other.sendDelete("a", "new", "nothing");

        assertThat(other.readCodes(delete)).containsExactly(WRITTEN, WRITTEN, MISSING);
        assertThat(owner.unreserve(owner.nextId - 1)).isZero();
    }
}
