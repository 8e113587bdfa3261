package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.DeleteResponseDecoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.PrepareRemovalDecoder;
import io.fluxon.codecs.control.RemovalReportDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.DeleteCall;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.sim.check.RouteCheck;
import io.fluxon.sim.cluster.MessageTap;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.IntStream;

/**
 * Values that are deleted: from all owners or from none, whatever is lost, whoever is lost.
 */
class DeleteRulesTest extends RuleTest
{
    private static final int MISSING = -ErrorCode.KEY_NOT_FOUND;
    private static final int WRITTEN = -ErrorCode.KEY_BEING_WRITTEN;
    private static final int IN_USE = -ErrorCode.BACK_PRESSURED;

    private DeleteCall deleting(final VirtualWorker worker, final String... names)
    {
        final DeleteCall call = new DeleteCall(names.length);
        assertThat(worker.client().delete(call, worker.batch(names), 30 * SECOND_NS))
            .as(worker.client().refusal()).isZero();
        return call;
    }

    private int[] deleted(final VirtualWorker worker, final DeleteCall call)
    {
        worker.await(call, 40 * SECOND_NS);
        assertThat(call.state()).as(call.errorMessage()).isEqualTo(DeleteCall.State.DONE);
        return IntStream.range(0, call.count()).map(call::code).toArray();
    }

    private int[] delete(final VirtualWorker worker, final String... names)
    {
        return deleted(worker, deleting(worker, names));
    }

    private boolean isRouted(final String key)
    {
        return new MasterView(cluster.master().agent()).hasRoute(key);
    }

    private void putOnBoth(final String... names)
    {
        startCluster(2, 2);
        put(worker(0), names);
        read(worker(1), names);
        cluster.runFor(10 * MILLISECOND_NS);
    }

    private void assertGone(final String... names)
    {
        for (final String name : names)
        {
            assertThat(isRouted(name)).as(name).isFalse();
            assertThat(reachable(worker(0), name)).as(name).isZero();
            assertThat(reachable(worker(1), name)).as(name).isZero();
        }
        assertThat(existing(worker(1), names)).containsOnly(false);
    }

    private long hidden()
    {
        long hidden = 0;
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.agent().requestAudit();
        }
        cluster.runFor(10 * MILLISECOND_NS);
        for (final VirtualOwner owner : cluster.owners())
        {
            hidden += owner.get(OwnerCounter.HIDDEN_VALUES);
        }
        return hidden;
    }

    @Test
    @Tag("EVICT-2")
    void shouldTakeAValueFromAllOwnersBeforeItIsAnswered()
    {
        putOnBoth("a", "b");
        assertThat(delete(worker(1), "a")).containsExactly(0);

        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(1);
        assertThat(owner(1).pool().count(SlotState.COMMITTED)).isEqualTo(1);
        assertThat(atMaster(MasterCounter.KEYS_DELETED)).isEqualTo(1);
        assertThat(atMaster(MasterCounter.REMOVAL_ROUNDS)).isEqualTo(1);
        assertGone("a");
        read(worker(0), "b");
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("EVICT-2")
    void shouldSayForEachKeyWhatHasBecomeOfIt()
    {
        putOnBoth("a", "b");
        final PutPlan here = started(worker(0), new PutOptions(), "here");
        final PutPlan there = started(worker(1), new PutOptions(), "there");
        cluster.runFor(10 * MILLISECOND_NS);

        assertThat(delete(worker(0), "a", "nothing", "here", "there", "b", "a"))
            .containsExactly(0, MISSING, WRITTEN, WRITTEN, 0, MISSING);
        assertGone("a", "b", "nothing");
        commit(worker(0), here, "here");
        commit(worker(1), there, "there");
        until(here, PutPlan.State.DONE);
        until(there, PutPlan.State.DONE);
        assertThat(delete(worker(0), "here", "there")).containsExactly(0, 0);
    }

    @Test
    @Tag("EVICT-1")
    @Tag("S4")
    void shouldTakeTheWholeGroupWithOneOfItsKeys()
    {
        startCluster(2, 2);
        put(worker(0), inGroups(3, 1), "a", "b", "c", "d");
        assertThat(delete(worker(1), "b")).containsExactly(0);

        assertGone("a", "b", "c");
        read(worker(1), "d");
        assertThat(owner(0).get(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);
        assertThat(owner(0).get(OwnerCounter.EVICT_FREED)).isEqualTo(3);
    }

    @Test
    @Tag("EVICT-2")
    void shouldDeleteAllKeysOfAGroupThatAreNamedTogether()
    {
        startCluster(2, 2);
        put(worker(0), inGroups(4), "a", "b", "c", "d");
        read(worker(1), "a", "b", "c", "d");
        assertThat(delete(worker(1), "a", "b", "c", "d")).containsExactly(0, 0, 0, 0);
        assertGone("a", "b", "c", "d");
    }

    @Test
    @Tag("EVICT-2")
    @Tag("API-8")
    void shouldLeaveEverywhereWhatAWorkerReadsAnywhere()
    {
        putOnBoth("a");
        final GetHandle get = readable(worker(1), got(worker(1), "a"), "a");
        final long startNs = cluster.clock().nanoTime();

        assertThat(delete(worker(0), "a")).containsExactly(IN_USE);
        assertThat(cluster.clock().nanoTime() - startNs).isLessThan(10 * SECOND_NS);
        assertThat(atMaster(MasterCounter.REMOVAL_ROUNDS)).isEqualTo(8);
        worker(1).verify(get, "a");
        read(worker(0), "a");
        assertThat(isRouted("a")).isTrue();
        assertThat(hidden()).isZero();
        release(worker(1), get);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(delete(worker(0), "a")).containsExactly(0);
        assertGone("a");
    }

    @Test
    @Tag("EVICT-2")
    void shouldWaitForReadersThatEndAndLetNoOthersBegin()
    {
        startCluster(3, 3);
        put(worker(0), "a");
        owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(1), true, alone(1), "a");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.GETS_IN_FLIGHT) > 0, SECOND_NS)).isTrue();
        final DeleteCall call = deleting(worker(0), "a");
        cluster.runFor(100 * MILLISECOND_NS);

        assertThat(call.state()).isEqualTo(DeleteCall.State.ASKED);
        assertThat(reachable(worker(2), "a")).isZero();
        owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);
        until(get, GetHandle.State.STARTED);
        release(worker(1), readable(worker(1), get, "a"));
        assertThat(deleted(worker(0), call)).containsExactly(0);
        assertGone("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {
        PrepareRemovalDecoder.TEMPLATE_ID,
        EvictSourceRequestDecoder.TEMPLATE_ID,
        EvictSourceResponseDecoder.TEMPLATE_ID,
        RemovalReportDecoder.TEMPLATE_ID,
        RouteDeleteRequestDecoder.TEMPLATE_ID,
        RouteDeleteResponseDecoder.TEMPLATE_ID,
        DeleteRequestDecoder.TEMPLATE_ID,
        DeleteResponseDecoder.TEMPLATE_ID})
    @Tag("EVICT-2")
    @Tag("T1")
    @Tag("API-4")
    void shouldEndTheSameWhateverIsLostOrComesTwice(final int templateId)
    {
        putOnBoth("a");
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.toMaster.drop(templateId, 3);
            owner.fromMaster.drop(templateId, 3);
        }
        worker(1).toOwner.drop(templateId, 3);
        worker(1).fromOwner.drop(templateId, 3);
        assertThat(delete(worker(1), "a")).containsExactly(0);
        assertGone("a");

        put(worker(0), "a");
        read(worker(1), "a");
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.toMaster.duplicate(templateId, 3);
            owner.fromMaster.duplicate(templateId, 3);
        }
        worker(1).toOwner.duplicate(templateId, 3);
        worker(1).fromOwner.duplicate(templateId, 3);
        assertThat(delete(worker(1), "a")).containsExactly(0);
        assertGone("a");
        assertThat(atMaster(MasterCounter.KEYS_DELETED)).isEqualTo(2);
    }

    @Test
    @Tag("T1")
    @Tag("API-4")
    void shouldDeleteOnceWhenTheRequestComesAgainAfterANewPut()
    {
        putOnBoth("a");
        worker(1).toOwner.record(DeleteRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.record(RouteDeleteRequestDecoder.TEMPLATE_ID);
        assertThat(delete(worker(1), "a")).containsExactly(0);
        put(worker(0), "a");
        worker(1).toOwner.replay(DeleteRequestDecoder.TEMPLATE_ID);
        owner(1).toMaster.replay(RouteDeleteRequestDecoder.TEMPLATE_ID);
        cluster.runFor(SECOND_NS);

        assertThat(atMaster(MasterCounter.KEYS_DELETED)).isEqualTo(1);
        read(worker(1), "a");
    }

    @Test
    @Tag("EVICT-2")
    void shouldHideWhatIsPreparedUntilAllHoldersHaveAndShowItWhenOneCannot()
    {
        putOnBoth("a");
        owner(1).fromMaster.drop(PrepareRemovalDecoder.TEMPLATE_ID, MessageTap.ALL);
        final DeleteCall call = deleting(worker(0), "a");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.FENCES) > 0, SECOND_NS)).isTrue();

        assertThat(reachable(worker(0), "a")).isZero();
        assertThat(reachable(worker(1), "a")).isEqualTo(1);
        assertThat(isRouted("a")).isTrue();
        assertThat(cluster.runUntil(() -> 0 == atMaster(MasterCounter.FENCES), 2 * SECOND_NS)).isTrue();
        cluster.runFor(MILLISECOND_NS);
        assertThat(reachable(worker(0), "a")).isEqualTo(1);
        owner(1).fromMaster.drop(PrepareRemovalDecoder.TEMPLATE_ID, 0);
        assertThat(deleted(worker(0), call)).containsExactly(0);
        assertGone("a");
    }

    @Test
    @Tag("EVICT-2")
    void shouldAnswerWhenTheLastHolderHasGivenTheMemoryBack()
    {
        putOnBoth("a");
        owner(0).fromMaster.hold(EvictSourceResponseDecoder.TEMPLATE_ID);
        final DeleteCall call = deleting(worker(1), "a");
        cluster.runFor(2 * SECOND_NS);

        assertThat(isRouted("a")).isFalse();
        assertThat(call.state()).isEqualTo(DeleteCall.State.ASKED);
        assertThat(reachable(worker(0), "a")).isZero();
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(1);
        owner(0).fromMaster.release(EvictSourceResponseDecoder.TEMPLATE_ID);
        assertThat(deleted(worker(1), call)).containsExactly(0);
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isZero();
    }

    @Test
    @Tag("LIFE-4")
    void shouldNotTakeADeletedValueBackFromAnOwnerThatWasLost()
    {
        putOnBoth("a");
        isolate(owner(1), true);
        assertThat(delete(worker(0), "a")).containsExactly(0);
        assertThat(atMaster(MasterCounter.OWNERS_EXPIRED)).isEqualTo(1);
        assertThat(reachable(worker(1), "a")).isEqualTo(1);
        isolate(owner(1), false);
        cluster.runFor(10 * SECOND_NS);

        assertThat(owner(1).get(OwnerCounter.MASTER_AVAILABLE)).isEqualTo(1);
        assertThat(atMaster(MasterCounter.DELETED_REFUSED)).isEqualTo(1);
        assertGone("a");
        put(worker(1), "a");
        read(worker(0), "a");
    }

    @Test
    @Tag("LIFE-4")
    void shouldTakeItBackWhenItsTombstoneIsOver()
    {
        options.masterSettings = (context) -> context.tombstoneTtlNs(7 * SECOND_NS);
        putOnBoth("a");
        isolate(owner(1), true);
        assertThat(delete(worker(0), "a")).containsExactly(0);
        cluster.runFor(8 * SECOND_NS);
        assertThat(atMaster(MasterCounter.PUT_IDS_DELETED)).isZero();
        isolate(owner(1), false);
        cluster.runFor(10 * SECOND_NS);

        assertThat(atMaster(MasterCounter.DELETED_REFUSED)).isZero();
        read(worker(0), "a");
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-1")
    void shouldGoOnWithoutAHolderThatIsLostInTheMiddle()
    {
        startCluster(3, 3);
        put(worker(0), "a");
        read(worker(1), "a");
        owner(1).fromMaster.hold(EvictSourceResponseDecoder.TEMPLATE_ID);
        owner(0).fromMaster.drop(PrepareRemovalDecoder.TEMPLATE_ID, 1);
        final DeleteCall call = deleting(worker(2), "a");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.FENCES) > 0, SECOND_NS)).isTrue();
        owner(1).kill();

        assertThat(deleted(worker(2), call)).containsExactly(0);
        assertThat(isRouted("a")).isFalse();
        assertThat(reachable(worker(0), "a")).isZero();
        cluster.restartOwner(1);
        cluster.runFor(10 * SECOND_NS);
        assertThat(isRouted("a")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {
        PrepareRemovalDecoder.TEMPLATE_ID,
        EvictSourceResponseDecoder.TEMPLATE_ID,
        RouteDeleteResponseDecoder.TEMPLATE_ID})
    @Tag("EVICT-2")
    @Tag("LIFE-4")
    void shouldDeleteUnderItsIdWhenTheMasterIsStartedAgainInTheMiddle(final int templateId)
    {
        putOnBoth("a", "b");
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.fromMaster.drop(templateId, MessageTap.ALL);
        }
        final DeleteCall call = deleting(worker(1), "a");
        cluster.runFor(200 * MILLISECOND_NS);
        cluster.master().kill();
        cluster.master().restart();
        for (final VirtualOwner owner : cluster.owners())
        {
            owner.fromMaster.drop(templateId, 0);
        }

        final int code = deleted(worker(1), call)[0];
        assertThat(code).isIn(0, MISSING);
        cluster.runFor(5 * SECOND_NS);
        assertGone("a");
        assertThat(hidden()).isZero();
        read(worker(1), "b");
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("API-8")
    @Tag("LIFE-3")
    void shouldSayThatTheMasterIsAwayWhenItIs()
    {
        putOnBoth("a");
        isolate(owner(1), true);
        cluster.runFor(6 * SECOND_NS);
        final DeleteCall call = new DeleteCall(1);
        assertThat(worker(1).client().delete(call, worker(1).batch("a"), SECOND_NS)).isZero();
        worker(1).await(call, 2 * SECOND_NS);

        assertThat(call.state()).isEqualTo(DeleteCall.State.FAILED);
        assertThat(call.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(call.stage()).isEqualTo(WaitStage.MASTER_AWAY);
        assertThat(reachable(worker(1), "a")).isEqualTo(1);
        isolate(owner(1), false);
        cluster.runFor(10 * SECOND_NS);
    }

    @Test
    @Tag("EVICT-2")
    void shouldEndWhenTwoOwnersDeleteTheSameKeysAtOnce()
    {
        putOnBoth("a", "b", "c");
        final DeleteCall first = deleting(worker(0), "a", "b", "c");
        final DeleteCall second = deleting(worker(1), "c", "b", "a");
        final int[] codes = deleted(worker(0), first);
        final int[] others = deleted(worker(1), second);

        for (int i = 0; i < codes.length; i++)
        {
            assertThat(new int[]{codes[i], others[codes.length - 1 - i]}).containsExactlyInAnyOrder(0, MISSING);
        }
        assertGone("a", "b", "c");
    }

    @Test
    @Tag("EVICT-2")
    @Tag("S4")
    void shouldTakeOverWhatAnEvictionWaitsFor()
    {
        options.grantsPerOwner = 1;
        settings.hotWindowPolicy(WindowPolicyKind.LRU).hotCapacityRatio(0.3);
        startCluster(1, 2);
        put(worker(0), "v");
        final GetHandle get = readable(worker(1), got(worker(1), "v"), "v");
        put(worker(0), names("more", 4));
        assertThat(cluster.runUntil(() -> owner(0).get(OwnerCounter.EVICT_IN_RETRY) > 0, SECOND_NS)).isTrue();
        cluster.runFor(2 * SECOND_NS);
        release(worker(1), get);
        cluster.runFor(20 * MILLISECOND_NS);

        assertThat(owner(0).get(OwnerCounter.EVICT_IN_RETRY)).isPositive();
        final long startNs = cluster.clock().nanoTime();
        assertThat(delete(worker(0), "v")).containsExactly(0);
        assertThat(cluster.clock().nanoTime() - startNs).isLessThan(20 * MILLISECOND_NS);
        assertThat(isRouted("v")).isFalse();
    }

    @Test
    @Tag("EVICT-2")
    @Tag("BOUND-1")
    void shouldBeginNothingMoreWhenNobodyWaitsForIt()
    {
        putOnBoth("a", "b");
        final GetHandle get = readable(worker(1), got(worker(1), "a"), "a");
        final DeleteCall call = new DeleteCall(1);
        assertThat(worker(0).client().delete(call, worker(0).batch("a"), 100 * MILLISECOND_NS)).isZero();
        worker(0).await(call, SECOND_NS);
        assertThat(call.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(call.stage()).isEqualTo(WaitStage.REMOVAL);
        cluster.runFor(2 * SECOND_NS);

        assertThat(atMaster(MasterCounter.REMOVALS)).isZero();
        assertThat(atMaster(MasterCounter.REMOVAL_ROUNDS)).isLessThan(8);
        release(worker(1), get);
        read(worker(0), "a");
    }

    @Test
    @Tag("GET-4")
    void shouldTakeAPutOfAKeyThatIsBeingDeleted()
    {
        putOnBoth("a");
        owner(0).fromMaster.hold(EvictSourceResponseDecoder.TEMPLATE_ID);
        final DeleteCall call = deleting(worker(1), "a");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.KEYS_DELETED) > 0, SECOND_NS)).isTrue();
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        read(worker(0), "a");
        owner(0).fromMaster.release(EvictSourceResponseDecoder.TEMPLATE_ID);

        until(put, PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
        assertThat(deleted(worker(1), call)).containsExactly(0);
        read(worker(1), "a");
    }
}
