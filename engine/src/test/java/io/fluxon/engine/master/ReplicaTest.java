package io.fluxon.engine.master;

import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class ReplicaTest
{
    private static final long ROOM = 1 << 20;
    private static final int MAX_TICKS = 20;

    private final MasterFixture fixture = new MasterFixture((context) -> context
        .sliceKeys(2).maxKeysPerBatch(64).maxReplicaTasks(2).replicaRampNs(0));
    private final TestOwner owner = fixture.registered(1);
    private final ReplicaOwner source = new ReplicaOwner(owner);

    @AfterEach
    void close()
    {
        fixture.settle();
        fixture.run(TimeUnit.SECONDS.toNanos(120));
        assertThat(fixture.get(MasterCounter.REPLICA_TASKS)).isZero();
        assertThat(fixture.get(MasterCounter.REPLICA_PAGES_APPENDED) +
            fixture.get(MasterCounter.REPLICA_PAGES_GIVEN_UP))
            .isEqualTo(fixture.get(MasterCounter.REPLICA_PAGES_TARGETED));
        fixture.assertNothingTemporary();
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

    @Test
    @Tag("REPL-1")
    void shouldAskATargetAndAppendTheWholeGroup()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final long start = source.sendStart(published("a", "b", "c"));

        assertThat(source.result(start)).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(source.lastTarget).isEqualTo(2);
        final ReplicaOwner.Pull pull = target.pulls().getFirst();
        assertThat(pull.keys()).containsExactly("a", "b", "c");
        assertThat(pull.timeoutNs()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        final long get = target.owner.sendGetStart("a", "b", "c");
        assertThat(target.owner.readCodes(get)).containsOnly(0);
        assertThat(target.append(pull.taskId(), get, "a", "b", "c")).containsOnly(0);

        assertThat(source.ends()).containsExactly(start + ":0");
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(6);
        assertThat(fixture.get(MasterCounter.REPLICA_PAGES_APPENDED)).isEqualTo(3);
        assertThat(owner.getStart("a", "b", "c")).containsOnly(0);
    }

    @Test
    @Tag("REPL-3")
    @Tag("S3")
    void shouldGiveATargetNoMoreTimeThanItsSourceHas()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        source.timeoutNs = TimeUnit.MILLISECONDS.toNanos(70);
        assertThat(source.start(published("a"))).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(target.pulls().getFirst().timeoutNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(70));
        source.timeoutNs = -1;
        assertThat(source.start(published("b"))).isEqualTo(ReplicaResult.SCHEDULED);

        assertThat(target.pulls().getLast().timeoutNs()).isOne();
    }

    @Test
    @Tag("REPL-1")
    void shouldAppendNoneWhenOneCannotBeAppended()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final long start = source.sendStart(published("a", "b", "c", "d", "e"));
        final ReplicaOwner.Pull pull = target.pulls().getFirst();
        final long get = target.owner.sendGetStart("a", "b", "c", "d", "e");
        assertThat(target.owner.readCodes(get)).containsOnly(0);
        assertThat(target.owner.revoke(get, 3)).isZero();

        assertThat(target.append(pull.taskId(), get, "a", "b", "c", "d", "e"))
            .containsOnly(ErrorCode.STALE_GET_PLAN);
        assertThat(source.ends()).containsExactly(start + ":" + ErrorCode.STALE_GET_PLAN);
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(5);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isZero();
    }

    @Test
    @Tag("REPL-1")
    void shouldLetNobodyReadFromACopyBeforeTheWholeGroupIsThere()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        source.start(published("a", "b", "c", "d", "e"));
        final ReplicaOwner.Pull pull = target.pulls().getFirst();
        final long get = target.owner.sendGetStart("a", "b", "c", "d", "e");
        target.owner.readCodes(get);
        final long append = target.sendAppend(pull.taskId(), get, "a", "b", "c", "d", "e");
        for (int i = 0; i < MAX_TICKS && 0 == fixture.get(MasterCounter.FENCES); i++)
        {
            fixture.tick();
        }

        assertThat(fixture.get(MasterCounter.FENCES)).isPositive();
        assertThat(owner.getStart("a")).containsExactly(ErrorCode.KEY_NOT_FOUND);
        assertThat(target.owner.readCodes(append)).containsOnly(0);
        assertThat(owner.getStart("a")).containsExactly(0);
    }

    @Test
    @Tag("REPL-1")
    void shouldAskAgainUntilTheTargetHasAnsweredAndEndTheTaskByTime()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final long start = source.sendStart(published("a"));
        assertThat(source.result(start)).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(target.pulls()).hasSize(1);
        fixture.run(TimeUnit.SECONDS.toNanos(5), owner, target.owner);
        assertThat(target.pulls()).isNotEmpty();
        assertThat(source.ends()).isEmpty();

        fixture.run(TimeUnit.SECONDS.toNanos(6), owner, target.owner);
        assertThat(source.ends()).containsExactly(start + ":" + ErrorCode.GET_TIMEOUT);
    }

    @Test
    @Tag("REPL-1")
    @Tag("T1")
    void shouldTellTheSourceWhyTheTargetHasGivenUp()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final TestOwner.Member[] members = published("a");
        final long start = source.sendStart(members);
        final long taskId = target.pulls().getFirst().taskId();

        assertThat(target.giveUp(taskId, ErrorCode.KEY_BEING_WRITTEN)).isZero();
        assertThat(source.ends()).containsExactly(start + ":" + ErrorCode.KEY_BEING_WRITTEN);
        assertThat(target.giveUp(taskId, ErrorCode.KEY_BEING_WRITTEN)).isZero();
        assertThat(source.ends()).isEmpty();

        source.sendStartAs(start, members);
        fixture.settle();
        assertThat(target.pulls()).isEmpty();
    }

    @Test
    @Tag("REPL-1")
    void shouldTellTheSourceThatTheTargetWasLost()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final long start = source.sendStart(published("a"));
        assertThat(target.pulls()).hasSize(1);
        final TestOwner younger = fixture.owner(2, 11);
        younger.register();

        assertThat(source.ends()).containsExactly(start + ":" + ErrorCode.TRANSPORT);
    }

    @Test
    @Tag("REPL-1")
    void shouldKnowWhatIsSatisfiedObsoleteOrTooMuch()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final TestOwner.Member[] members = published("a", "b", "c");
        final long start = source.sendStart(members);
        assertThat(source.result(start)).isEqualTo(ReplicaResult.SCHEDULED);
        final ReplicaOwner.Pull pull = target.pulls().getFirst();
        final long get = target.owner.sendGetStart("a", "b", "c");
        target.owner.readCodes(get);
        target.append(pull.taskId(), get, "a", "b", "c");

        final long again = source.sendStart(members);
        assertThat(source.result(again)).isEqualTo(ReplicaResult.RENEWED);
        assertThat(source.lastTarget).isEqualTo(2);
        assertThat(source.start(members[0], members[1].sequence(777))).isEqualTo(ReplicaResult.OBSOLETE);
        assertThat(source.start(members[0].backing(777))).isEqualTo(ReplicaResult.OBSOLETE);
        assertThat(target.append(target.pulls().getFirst().taskId(), 0)).isEmpty();
        assertThat(source.ends()).containsExactly(start + ":0", again + ":0");
        assertThat(source.start(published("x"))).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(source.start(published("y"))).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(source.start(published("z"))).isEqualTo(ReplicaResult.BUSY);
        assertThat(source.start(members)).as("nobody can be asked").isEqualTo(ReplicaResult.SATISFIED);
        assertThat(fixture.get(MasterCounter.REPLICA_PAGES_RENEWED)).isEqualTo(3);
    }

    @Test
    @Tag("REPL-3")
    void shouldTellARemoteCacheOwnerWhatAGpuOwnerHasGotFromIt()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final TestOwner.Member[] members = published("a", "b", "c");
        source.start(members);
        final ReplicaOwner.Pull pull = target.pulls().getFirst();
        final long get = target.owner.sendGetStart("a", "b", "c");
        target.owner.readCodes(get);
        final long append = target.sendAppend(pull.taskId(), get, "a", "b", "c");
        assertThat(target.owner.readCodes(append)).containsOnly(0);
        final int first = (int)TestOwner.doneBacking(append);
        assertThat(target.copied()).as("a copy that it has made itself").isEmpty();
        assertThat(owner.evict(members)[0]).isZero();
        assertThat(target.copied(false)).as("it has the last copies").containsExactly(first, first + 1, first + 2);

        final TestOwner reader = fixture.registered(3);
        final long read = reader.sendGetStart("a", "b", "c");
        reader.readCodes(read);
        assertThat(target.copied()).as("nothing has arrived").isEmpty();
        assertThat(reader.done(read, 0, "a")).isZero();
        assertThat(fixture.get(MasterCounter.COPIES_NOTED)).isOne();
        assertThat(target.copied()).containsExactly(first);
        assertThat(reader.done(read, 2, "c")).isZero();
        assertThat(target.copied()).containsExactly(first + 2);
    }

    @Test
    @Tag("REPL-3")
    void shouldTellARemoteCacheOwnerWhenTheLastGpuOwnerHasEvictedItsCopy()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final TestOwner.Member[] members = published("a");
        source.start(members);
        final long get = target.owner.sendGetStart("a");
        target.owner.readCodes(get);
        final long append = target.sendAppend(target.pulls().getFirst().taskId(), get, "a");
        assertThat(target.owner.readCodes(append)).containsOnly(0);
        final TestOwner reader = fixture.registered(3);
        final long read = reader.sendGetStart("a");
        reader.readCodes(read);
        final long done = reader.sendDone(read, 0, "a");
        assertThat(reader.readCodes(done)).containsOnly(0);
        target.copied();

        assertThat(owner.evict(members)[0]).isZero();
        assertThat(target.copied(false)).as("the reader has one yet").isEmpty();
        assertThat(reader.evict(members[0].backing(TestOwner.doneBacking(done)))[0]).isZero();
        assertThat(target.copied(false)).containsExactly((int)TestOwner.doneBacking(append));
        assertThat(fixture.get(MasterCounter.LAST_COPIES_NOTED)).isOne();
    }

    @Test
    @Tag("REPL-1")
    @Tag("REPL-4")
    void shouldNeverChooseAGpuOwnerNorOneWithoutRoomNorOneThatHasNotSpoken()
    {
        final TestOwner gpu = fixture.registered(2);
        gpu.freeBytes = ROOM;
        gpu.sendHeartbeat();
        final TestOwner.Member[] members = published("a", "b");
        assertThat(source.start(members)).isEqualTo(ReplicaResult.NO_SPACE);

        final ReplicaOwner small = ReplicaOwner.remote(fixture, 3, 2 * TestOwner.LENGTH - 1);
        assertThat(source.start(members)).isEqualTo(ReplicaResult.NO_SPACE);
        small.owner.freeBytes = 2 * TestOwner.LENGTH;
        small.owner.sendHeartbeat();
        fixture.settle();
        assertThat(source.start(members)).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(source.start(published("c"))).as("the room is taken").isEqualTo(ReplicaResult.NO_SPACE);
    }

    @Test
    @Tag("REPL-4")
    void shouldRefuseASuspect()
    {
        final ReplicaOwner target = ReplicaOwner.remote(fixture, 2, ROOM);
        final TestOwner.Member[] members = published("a");
        fixture.run(TimeUnit.SECONDS.toNanos(3), owner);
        assertThat(source.start(members)).isEqualTo(ReplicaResult.NO_SPACE);
        target.owner.sendHeartbeat();
        fixture.settle();
        assertThat(source.start(members)).isEqualTo(ReplicaResult.SCHEDULED);
    }

    @Test
    @Tag("REPL-4")
    void shouldPreferWhoHasAPart()
    {
        final ReplicaOwner large = ReplicaOwner.remote(fixture, 2, 100 * ROOM);
        final ReplicaOwner small = ReplicaOwner.remote(fixture, 3, ROOM);
        final TestOwner.Member[] members = published("a", "b");
        final long get = small.owner.sendGetStart("a");
        assertThat(small.owner.done(get, 0, "a")).isZero();

        assertThat(source.start(members)).isEqualTo(ReplicaResult.SCHEDULED);
        assertThat(source.lastTarget).isEqualTo(3);
        assertThat(large.pulls()).isEmpty();
        assertThat(List.of(small.pulls().getFirst().keys())).containsExactly(List.of("a", "b"));
    }
}
