package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The two visibilities of a put: readable here, and known everywhere.
 */
class VisibilityRulesTest extends RuleTest
{
    @Test
    @Tag("V1")
    void shouldReadWhatWasCommittedHereThoughTheMasterIsCutOffForEver()
    {
        startCluster(1, 2);
        isolate(owner(0), true);
        cluster.runFor(60 * SECOND_NS);
        final PutPlan put = started(worker(0), new PutOptions(), "a", "b");
        commit(worker(0), put, "a", "b");
        assertThat(cluster.runUntil(() -> PutPlan.State.LOCAL_READY == put.state(), MILLISECOND_NS)).isTrue();

        final GetHandle get = got(worker(1), "a", "b", "c");
        assertThat(get.transferableLen()).isEqualTo(2);
        assertThat(get.remoteHits()).isZero();
        readable(worker(1), get, "a", "b");
        assertThat(worker(1).toOwner.count(GetTransferRequestDecoder.TEMPLATE_ID)).isZero();
        cluster.runFor(600 * SECOND_NS);
        worker(1).verify(get, "a", "b");
        release(worker(1), get);
        read(worker(0), "a", "b");
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);

        isolate(owner(0), false);
        until(put, PutPlan.State.DONE);
        assertThat(put.failedCount()).isZero();
    }

    @Test
    @Tag("V1")
    void shouldReadHereBeforeTheChecksumAndThePublishHaveBegun()
    {
        startCluster(1, 1);
        owner(0).checksumFaults.held = true;
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        read(worker(0), "a");
        assertThat(owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID)).isZero();

        owner(0).checksumFaults.held = false;
        until(put, PutPlan.State.DONE);
    }

    @Test
    @Tag("V2")
    void shouldNotBeSeenByOtherOwnersBeforeTheMasterHasTheRoute()
    {
        startCluster(2, 2);
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        cluster.runFor(5 * SECOND_NS);
        assertThat(reachable(worker(0), "a")).isEqualTo(1);
        assertThat(reachable(worker(1), "a")).isZero();
        assertThat(existing(worker(1), "a")).containsExactly(false);
        assertThat(existing(worker(0), "a")).containsExactly(true);

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(put, PutPlan.State.DONE);
        assertThat(existing(worker(1), "a")).containsExactly(true);
        read(worker(1), "a");
    }

    @Test
    @Tag("V2")
    void shouldNeverBeSeenByOtherOwnersWhenItsPublishIsRefused()
    {
        startCluster(2, 2);
        put(worker(1), "b");
        final PutOptions options = inGroups(2).rejectIfExistSameKey(true);
        final PutPlan put = put(worker(0), options, "a", "b");

        assertThat(results(put)).containsExactly(-ErrorCode.GROUP_ABORTED, -ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(reachable(worker(1), "a")).isZero();
        assertThat(existing(worker(1), "a")).containsExactly(false);
    }

    @Test
    @Tag("V3")
    void shouldCommitOnlyWhatTheMasterHasConfirmed()
    {
        startCluster(1, 1);
        owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, 3);
        final PutPlan put = localReady(worker(0), new PutOptions(), "a", "b");
        cluster.runUntil(() -> 1 == atMaster(MasterCounter.PUBLISHES), SECOND_NS);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).pool().count(SlotState.PENDING_LOCAL_VISIBLE)).isEqualTo(2);
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isZero();
        read(worker(0), "a", "b");

        until(put, PutPlan.State.DONE);
        assertThat(owner(0).pool().count(SlotState.PENDING_LOCAL_VISIBLE)).isZero();
        assertThat(owner(0).pool().count(SlotState.COMMITTED)).isEqualTo(2);
    }

    @Test
    @Tag("V3")
    @Tag("PUT-1")
    void shouldCommitUnderThePutIdOfTheRoute()
    {
        startCluster(2, 2);
        put(worker(0), "x", "y", "a");
        put(worker(1), "a");

        final VirtualOwner first = owner(0);
        final VirtualOwner second = owner(1);
        final int firstSlot = first.slotsOf("a").getFirst();
        final int secondSlot = second.slotsOf("a").getFirst();
        assertThat(first.table().putIdEquals(firstSlot, 1, first.generation(), 3)).isTrue();
        assertThat(second.table().putIdEquals(secondSlot, 1, first.generation(), 3)).isTrue();
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(3);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(4);
    }

    @Test
    @Tag("A1")
    void shouldOfferNoPartOfAGroupWhileItsMembersBecomeReadableOneByOne()
    {
        settings.planSliceKeys(1);
        startCluster(1, 2);
        fixedDelays(MICROSECOND_NS);
        isolate(owner(0), true);
        cluster.runFor(20 * SECOND_NS);
        boolean hasSeenAPart = false;
        for (int steps = 0; steps < 20; steps++)
        {
            final String[] names = names("page" + steps + "-", 6);
            final PutPlan put = started(worker(0), inGroups(6), names);
            final GetHandle get = asking(
                worker(1), true, groups(6), names[0], names[1], names[5], names[4], names[3], names[2]);
            for (int i = 0; i < steps; i++)
            {
                cluster.step();
            }
            commit(worker(0), put, names);
            worker(1).await(get, SECOND_NS);
            until(put, PutPlan.State.LOCAL_READY);
            assertThat(get.transferableLen()).isIn(0, 6);
            hasSeenAPart |= get.rawPrefixHitLen() > 0 && get.rawPrefixHitLen() < 6;
            giveBack(worker(1), get);
        }
        assertThat(hasSeenAPart).isTrue();
        isolate(owner(0), false);
        cluster.runFor(5 * SECOND_NS);
    }

    @Test
    @Tag("A1")
    @Tag("V2")
    void shouldShowTheRoutesOfAGroupTogether()
    {
        options.masterSettings = (context) -> context.sliceKeys(1);
        startCluster(2, 2);
        fixedDelays(MICROSECOND_NS);
        boolean hasSeenNone = false;
        boolean hasSeenAll = false;
        for (int steps = 0; steps < 20; steps++)
        {
            final String[] names = names("page" + steps + "-", 12);
            owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
            final PutPlan put = localReady(worker(0), inGroups(12), names);
            cluster.runUntil(() -> owner(0).toMaster.held() > 0, SECOND_NS);
            owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
            for (int i = 0; i < 2 * steps; i++)
            {
                cluster.step();
            }
            final GetHandle get = got(worker(1), names[0], names[11]);
            assertThat(get.transferableLen()).isIn(0, 2);
            hasSeenNone |= 0 == get.transferableLen();
            hasSeenAll |= 2 == get.transferableLen();
            until(put, PutPlan.State.DONE);
            giveBack(worker(1), get);
        }
        assertThat(hasSeenNone && hasSeenAll).isTrue();
    }

    @Test
    @Tag("PUT-2")
    void shouldReportSuccessOnlyWhenTheRouteIsLive()
    {
        startCluster(2, 2);
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        cluster.runFor(30 * SECOND_NS);
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        assertThat(worker(0).fromOwner.count(PutCommitResultDecoder.TEMPLATE_ID)).isZero();
        assertThat(atMaster(MasterCounter.ROUTES)).isZero();

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(put, PutPlan.State.DONE);
        assertThat(put.result(0)).isZero();
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(1);
    }

    @Test
    @Tag("PUT-4")
    @Tag("S2")
    void shouldFreeTheSlotOfAFailedPublishWhenItsLastReaderIsGone()
    {
        startCluster(2, 3);
        put(worker(1), "a");
        owner(0).toMaster.hold(PublishRequestDecoder.TEMPLATE_ID);
        final PutPlan put = localReady(worker(0), new PutOptions().rejectIfExistSameKey(true), "a");
        final GetHandle get = got(worker(2), "a");
        readable(worker(2), get, "a");
        final int slotId = owner(0).slotsOf("a").getFirst();

        owner(0).toMaster.release(PublishRequestDecoder.TEMPLATE_ID);
        until(put, PutPlan.State.DONE);
        assertThat(put.result(0)).isEqualTo(-ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(owner(0).slotsOf("a")).containsExactly(slotId);
        worker(2).verify(get, "a");
        isolate(owner(0), true);
        cluster.runFor(20 * SECOND_NS);
        assertThat(reachable(worker(0), "a")).isZero();

        release(worker(2), get);
        cluster.runFor(10 * MILLISECOND_NS);
        assertThat(owner(0).table().state(slotId)).isEqualTo(SlotState.FREE);
        isolate(owner(0), false);
        cluster.runFor(5 * SECOND_NS);
        assertThat(atMaster(MasterCounter.REPLICAS)).isEqualTo(1);
    }

    @Test
    @Tag("P1")
    void shouldNotSlowLocalWorkDownWhenTheMasterIsSlow()
    {
        startCluster(1, 1);
        fixedDelays(10 * MICROSECOND_NS);
        final long quickNs = localWorkNs("quick");
        owner(0).masterRequestFaults.delayNs(2 * SECOND_NS);
        owner(0).masterAnswerFaults.delayNs(2 * SECOND_NS);
        final long slowNs = localWorkNs("slow");
        assertThat(slowNs).isLessThan(quickNs + quickNs / 4);
        fixedDelays(10 * MICROSECOND_NS);
        cluster.runFor(20 * SECOND_NS);
    }

    @Test
    @Tag("P1")
    @Tag("BOUND-1")
    void shouldRefusePutsOnlyAtTheBoundOfUnpublishedKeys()
    {
        settings.publishLimit(4).maxPublishKeys(12);
        startCluster(1, 1);
        isolate(owner(0), true);
        cluster.runFor(20 * SECOND_NS);
        final PutPlan[] puts = new PutPlan[12];
        for (int i = 0; i < puts.length; i++)
        {
            puts[i] = localReady(worker(0), new PutOptions(), "page" + i);
        }
        cluster.runFor(MILLISECOND_NS);
        assertThat(owner(0).get(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED)).isEqualTo(4);
        final PutPlan refused = asked(worker(0), new PutOptions(), LENGTH, "more");
        until(refused, PutPlan.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.BACK_PRESSURED);
        read(worker(0), names("page", 12));

        isolate(owner(0), false);
        for (final PutPlan put : puts)
        {
            until(put, PutPlan.State.DONE);
            assertThat(put.failedCount()).isZero();
        }
        put(worker(0), "more");
    }

    private long localWorkNs(final String prefix)
    {
        final long startNs = cluster.clock().nanoTime();
        for (int i = 0; i < 100; i++)
        {
            localReady(worker(0), new PutOptions(), prefix + i);
            read(worker(0), prefix + i);
        }
        return cluster.clock().nanoTime() - startNs;
    }
}
