package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.RouteCheck;
import io.fluxon.sim.cluster.MessageTap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A full owner, of sixteen slots, that evicts: what may go, and who may see what meanwhile.
 */
class EvictionRulesTest extends RuleTest
{
    private static final int SLOTS = 16;
    private static final String[] VALUES = names("v", SLOTS - 1);

    private void startFull(final int owners, final int workers)
    {
        options.grantsPerOwner = 1;
        settings.hotWindowPolicy(WindowPolicyKind.LRU).pressureIntervalNs(10 * MILLISECOND_NS);
        startCluster(owners, workers);
        for (final String name : VALUES)
        {
            put(worker(0), name);
        }
        assertThat(owner(0).get(OwnerCounter.EVICT_SELECTED)).isZero();
    }

    private long evicted()
    {
        return owner(0).get(OwnerCounter.EVICT_FREED);
    }

    private void untilAsked()
    {
        assertThat(cluster.runUntil(() -> owner(0).get(OwnerCounter.EVICT_SOURCES) > 0, SECOND_NS)).isTrue();
    }

    private boolean isRouted(final String key)
    {
        return new MasterView(cluster.master().agent()).hasRoute(key);
    }

    @Test
    @Tag("S1")
    @Tag("S3")
    @Tag("HOT-1")
    void shouldTakePutsForEverAndMissWhatWasEvicted()
    {
        startFull(2, 2);
        for (int i = 0; i < 5 * SLOTS; i++)
        {
            put(worker(0), "more" + i);
        }

        cluster.runFor(SECOND_NS);
        assertThat(evicted()).isGreaterThanOrEqualTo(5 * SLOTS - 1);
        assertThat(reachable(worker(0), "v0")).isZero();
        assertThat(reachable(worker(1), "v0")).isZero();
        assertThat(existing(worker(1), "v0", "more79")).containsExactly(false, true);
        read(worker(1), "more79");
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("PRESS-2")
    void shouldEvictNothingThatAWorkerReads()
    {
        startFull(1, 2);
        final GetHandle get = readable(worker(1), got(worker(1), VALUES), VALUES);
        put(worker(0), "last");
        final PutPlan waiting = asked(worker(0), new PutOptions(), LENGTH, "one more", "and another");
        cluster.runFor(2 * SECOND_NS);

        assertThat(waiting.state()).isEqualTo(PutPlan.State.STARTING);
        assertThat(evicted()).isLessThanOrEqualTo(1);
        worker(1).verify(get, VALUES);
        release(worker(1), get);
        until(waiting, PutPlan.State.STARTED);
        commit(worker(0), waiting, "one more", "and another");
        until(waiting, PutPlan.State.DONE);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("GET-4")
    void shouldHideWhatTheMasterWasAskedAboutUntilItsAnswer()
    {
        startFull(1, 2);
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        put(worker(0), "last");
        untilAsked();
        cluster.runFor(SECOND_NS);

        assertThat(evicted()).isZero();
        final long startNs = cluster.clock().nanoTime();
        assertThat(reachable(worker(1), "v0")).isZero();
        assertThat(cluster.clock().nanoTime() - startNs).isBetween(10 * MILLISECOND_NS, 20 * MILLISECOND_NS);
        assertThat(existing(worker(1), "v0")).containsExactly(false);
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, 0);
        assertThat(cluster.runUntil(() -> evicted() > 0, 2 * SECOND_NS)).isTrue();
        assertThat(atMaster(MasterCounter.EVICTIONS_REMOVED)).isEqualTo(1);
        assertThat(isRouted("v0")).isFalse();
    }

    @Test
    @Tag("EVICT-2")
    void shouldShowItAgainWhenAnotherOwnerReadsFromIt()
    {
        startFull(2, 2);
        owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(1), true, alone(1), "v0");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.GETS_IN_FLIGHT) > 0, SECOND_NS)).isTrue();
        put(worker(0), "last");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.EVICTIONS_BUSY) > 0, SECOND_NS)).isTrue();
        cluster.runFor(10 * MILLISECOND_NS);

        assertThat(reachable(worker(0), "v0")).isEqualTo(1);
        owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);
        until(get, GetHandle.State.STARTED);
        release(worker(1), readable(worker(1), get, "v0"));
        assertThat(cluster.runUntil(() -> evicted() > 0, 5 * SECOND_NS)).isTrue();
        read(worker(1), "v0");
    }

    @Test
    @Tag("EVICT-2")
    @Tag("T1")
    void shouldKeepWhatIsShownAgainWhenACopyOfTheQuestionComesLate()
    {
        startFull(2, 2);
        owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        owner(0).toMaster.record(EvictSourceRequestDecoder.TEMPLATE_ID);
        final GetHandle get = asking(worker(1), true, alone(1), "v0");
        assertThat(cluster.runUntil(() -> atMaster(MasterCounter.GETS_IN_FLIGHT) > 0, SECOND_NS)).isTrue();
        put(worker(0), "last");
        assertThat(cluster.runUntil(() -> owner(0).get(OwnerCounter.EVICT_BUSY) > 0, SECOND_NS)).isTrue();
        owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);
        until(get, GetHandle.State.STARTED);
        cancel(worker(1), get);

        owner(0).toMaster.drop(EvictSourceRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        owner(0).toMaster.replay(EvictSourceRequestDecoder.TEMPLATE_ID);
        cluster.runFor(MILLISECOND_NS);
        assertThat(isRouted("v0")).isTrue();
        assertThat(atMaster(MasterCounter.EVICTIONS_REMOVED)).isZero();
        owner(0).toMaster.drop(EvictSourceRequestDecoder.TEMPLATE_ID, 0);
        assertThat(cluster.runUntil(() -> evicted() > 0, 5 * SECOND_NS)).isTrue();
    }

    @Test
    @Tag("PRESS-2")
    void shouldTakeTheOldestAlthoughItIsAskedForAllTheTime()
    {
        startFull(1, 2);
        for (int i = 0; i < SLOTS; i++)
        {
            assertThat(existing(worker(1), "v0", "nothing")).containsExactly(true, false);
        }
        put(worker(0), "last");
        put(worker(0), "one more");
        assertThat(cluster.runUntil(() -> evicted() > 0, SECOND_NS)).isTrue();

        assertThat(existing(worker(1), "v0", "v14", "last")).containsExactly(false, true, true);
        assertThat(reachable(worker(1), "v0")).isZero();
    }

    @Test
    @Tag("EVICT-1")
    @Tag("S4")
    void shouldEvictAWholeGroupAndCountEachOfItsSlots()
    {
        options.grantsPerOwner = 1;
        settings.hotWindowPolicy(WindowPolicyKind.LRU);
        startCluster(1, 2);
        put(worker(0), inGroups(3), "a", "b", "c");
        for (final String name : names("v", SLOTS - 3))
        {
            put(worker(0), name);
        }
        assertThat(cluster.runUntil(() -> evicted() > 0, SECOND_NS)).isTrue();

        final OwnerView.LedgerPicture ledger = new OwnerView(owner(0).agent()).ledger();
        assertThat(ledger).isEqualTo(new OwnerView.LedgerPicture(3, 0, 0, 3, 0, 0));
        assertThat(reachable(worker(1), "a")).isZero();
        assertThat(reachable(worker(1), "b")).isZero();
        assertThat(reachable(worker(1), "c")).isZero();
        assertThat(isRouted("a") || isRouted("b") || isRouted("c")).isFalse();
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-4")
    void shouldAskANewMasterAgainAfterTheReport()
    {
        startFull(2, 2);
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        put(worker(0), "last");
        untilAsked();
        cluster.runFor(100 * MILLISECOND_NS);
        assertThat(isRouted("v0")).isFalse();
        cluster.master().kill();
        cluster.master().restart();
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, 0);

        assertThat(cluster.runUntil(() -> evicted() > 0, 20 * SECOND_NS)).isTrue();
        assertThat(isRouted("v0")).isFalse();
        assertThat(isRouted("v1")).isTrue();
        RouteCheck.check(cluster);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("LIFE-3")
    void shouldHideNothingWhileTheMasterIsAway()
    {
        startFull(1, 1);
        isolate(owner(0), true);
        cluster.runFor(6 * SECOND_NS);
        final PutPlan put = localReady(worker(0), new PutOptions(), "last");
        final PutPlan waiting = asked(worker(0), new PutOptions(), LENGTH, "one more");
        cluster.runFor(SECOND_NS);

        assertThat(waiting.state()).isEqualTo(PutPlan.State.STARTING);
        assertThat(reachable(worker(0), VALUES)).isEqualTo(VALUES.length);
        isolate(owner(0), false);
        until(put, PutPlan.State.DONE);
        until(waiting, PutPlan.State.STARTED);
        commit(worker(0), waiting, "one more");
        until(waiting, PutPlan.State.DONE);
    }

    @Test
    @Tag("EVICT-2")
    @Tag("GET-4")
    void shouldPublishAPutOfAHiddenKeyWhenTheOldValueIsGone()
    {
        startFull(1, 2);
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        put(worker(0), "last");
        untilAsked();
        cluster.runFor(MILLISECOND_NS);
        release(worker(1), readable(worker(1), got(worker(1), VALUES[14]), VALUES[14]));
        final PutPlan again = asked(worker(0), new PutOptions(), LENGTH, "v0");
        owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, 0);
        until(again, PutPlan.State.STARTED);
        commit(worker(0), again, "v0");
        until(again, PutPlan.State.DONE);

        assertThat(again.failedCount()).isZero();
        assertThat(isRouted("v0")).isTrue();
        read(worker(1), "v0");
        cluster.runFor(SECOND_NS);
        RouteCheck.check(cluster);
    }
}
