package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.MessageTap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Owners of sixteen slots whose windows take four values. */
class EvictionCheckersTest extends CheckerTest
{
    private static final int RESULT =
        MessageHeaderDecoder.ENCODED_LENGTH + EvictSourceResponseDecoder.resultEncodingOffset();
    private static final int NONE = -1;

    @BeforeEach
    void before()
    {
        options.grantsPerOwner = 1;
        options.ownerSettings = () -> new OwnerSettings()
            .hotWindowPolicy(WindowPolicyKind.LRU).hotCapacityRatio(0.3);
        start(2, 2);
    }

    private void evictFirst()
    {
        for (final String name : new String[]{"a", "b", "c", "d", "e"})
        {
            done(0, name);
        }
    }

    private void evictFirstWithoutAnswer()
    {
        cluster.owner(0).fromMaster.drop(EvictSourceResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        evictFirst();
        assertThat(cluster.runUntil(() -> cluster.owner(0).get(OwnerCounter.EVICT_SOURCES) > 0, SECOND_NS)).isTrue();
        cluster.runFor(SECOND_NS / 10);
    }

    private void untilEvicted()
    {
        assertThat(cluster.runUntil(() -> cluster.owner(0).get(OwnerCounter.EVICT_FREED) > 0, SECOND_NS)).isTrue();
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

    private Object routes()
    {
        return get(call(cluster.master().agent(), "state", new Class<?>[0]), "routes");
    }

    @Test
    @Tag("EVICT-2")
    void shouldSeeAValueThatIsShownBeforeTheAnswer()
    {
        evictFirstWithoutAnswer();
        final int slotId = slot(0, "a");
        assertThat(owner(0).table().residence(slotId)).isEqualTo(Residence.HIDDEN);
        owner(0).table().residence(slotId, Residence.SELECTED);
        assertBroken(Evictions.class, "EVICT-2", () -> checker(Evictions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("EVICT-2")
    void shouldSeeAReaderOfAHiddenValue()
    {
        evictFirstWithoutAnswer();
        call(owner(0).pool(), "holderAdd", new Class<?>[]{int.class}, slot(0, "a"));
        assertBroken(Evictions.class, "EVICT-2", () -> checker(Evictions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("EVICT-2")
    void shouldSeeBusyThatIsAnsweredFromARecordOrWithdrawn()
    {
        evictFirst();
        untilEvicted();
        final OperationBook book = checker(OperationBook.class);
        for (int i = 0; i < 3; i++)
        {
            again(book, EvictSourceRequestDecoder.TEMPLATE_ID, false, (message) -> {});
        }
        again(book, EvictSourceResponseDecoder.TEMPLATE_ID, true, EvictionCheckersTest::makeBusy);
        assertBroken(OperationBook.class, "EVICT-2", () -> again(
            book, EvictSourceResponseDecoder.TEMPLATE_ID, true, EvictionCheckersTest::makeBusy));
        assertBroken(OperationBook.class, "EVICT-2", () -> again(
            book, EvictSourceResponseDecoder.TEMPLATE_ID, true, (message) -> {}));
    }

    private static void makeBusy(final UnsafeBuffer message)
    {
        message.putByte(RESULT, (byte)EvictResult.BUSY.value());
    }

    @Test
    @Tag("EVICT-2")
    void shouldSeeAValueWhoseRouteAnOlderEvictionHasRemoved()
    {
        evictFirst();
        untilEvicted();
        cluster.owner(0).toMaster.drop(EvictSourceRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        done(0, "a");
        final Object routes = routes();
        int route = NONE;
        do
        {
            route = (int)call(routes, "nextRoute", new Class<?>[]{int.class}, route);
        }
        while (NONE != route && !isRouteOf(routes, route, "a"));
        final int replica = (int)call(routes, "firstReplica", new Class<?>[]{int.class}, route);
        call(routes, "removeReplica", new Class<?>[]{int.class}, replica);
        assertBroken(Evictions.class, "EVICT-2", () -> again(
            checker(Evictions.class), EvictSourceResponseDecoder.TEMPLATE_ID, true, (message) -> {}));
    }

    private static boolean isRouteOf(final Object routes, final int route, final String name)
    {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        call(routes, "wrapKey", new Class<?>[]{int.class, DirectBuffer.class}, route, key);
        return name.equals(key.getStringWithoutLengthAscii(0, key.capacity()));
    }

    @Test
    @Tag("EVICT-2")
    void shouldSeeThatTheMasterHasRemovedWhatAGetReadsFrom()
    {
        done(0, "a");
        cluster.owner(1).fromMaster.drop(BatchGetStartResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        final GetHandle handle = new GetHandle(1);
        assertThat(worker(1).getStart(handle, true, new AtomicGroups().add(1), "a")).isZero();
        assertThat(cluster.runUntil(
            () -> cluster.master().get(MasterCounter.GETS_IN_FLIGHT) > 0, SECOND_NS)).isTrue();
        final Object routes = routes();
        final int route = (int)call(routes, "nextRoute", new Class<?>[]{int.class}, NONE);
        final int replica = (int)call(routes, "firstReplica", new Class<?>[]{int.class}, route);
        call(routes, "removeReplica", new Class<?>[]{int.class}, replica);
        assertBroken(Evictions.class, "EVICT-2", () -> checker(Evictions.class).afterMaster());
    }

    @Test
    @Tag("EVICT-1")
    void shouldSeeAGroupThatIsEvictedInPart()
    {
        putGroup();
        call(get(core(0), "rings"), "leave", new Class<?>[]{int.class}, slot(0, "b"));
        for (final String name : new String[]{"c", "d"})
        {
            done(0, name);
        }
        assertBroken(Evictions.class, "EVICT-1", () ->
        {
            done(0, "e");
            cluster.runFor(SECOND_NS);
        });
    }

    @Test
    @Tag("S4")
    void shouldSeeBooksThatAreNotRight()
    {
        evictFirstWithoutAnswer();
        set(get(get(core(0), "evictions"), "ledger"), "freed", 1L);
        assertBroken(Evictions.class, "S4", () -> checker(Evictions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("S4")
    void shouldSeeASlotThatIsInNoJob()
    {
        done(0, "a");
        owner(0).table().residence(slot(0, "a"), Residence.SELECTED);
        assertBroken(Evictions.class, "S4", () -> checker(Evictions.class).full(owner(0)));
    }

    @Test
    @Tag("V3")
    void shouldSeeAValueInTheWindowThatHasNoRoute()
    {
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        localReady(0, "a");
        owner(0).table().residence(slot(0, "a"), Residence.HOT);
        assertBroken(HotAdmissions.class, "V3", () -> checker(HotAdmissions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("V3")
    void shouldSeeAValueInTheWindowThatTheMasterDoesNotKnow()
    {
        done(0, "a");
        final Object routes = routes();
        final int route = (int)call(routes, "nextRoute", new Class<?>[]{int.class}, NONE);
        final int replica = (int)call(routes, "firstReplica", new Class<?>[]{int.class}, route);
        call(routes, "removeReplica", new Class<?>[]{int.class}, replica);
        assertBroken(HotAdmissions.class, "V3", () -> checker(HotAdmissions.class).full(owner(0)));
    }

    @Test
    @Tag("A1")
    void shouldSeeAValueInTheWindowBeforeTheRestOfItsPut()
    {
        done(0, "a");
        final int slotId = slot(0, "a");
        cluster.owner(0).fromMaster.drop(PublishResponseDecoder.TEMPLATE_ID, MessageTap.ALL);
        localReady(0, "b");
        owner(0).table().jobId(slot(0, "b"), owner(0).table().jobId(slotId));
        owner(0).table().residence(slotId, Residence.AWAITING);
        checker(HotAdmissions.class).afterOwner(owner(0));
        owner(0).table().residence(slotId, Residence.HOT);
        assertBroken(HotAdmissions.class, "A1", () -> checker(HotAdmissions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("HOT-1")
    void shouldSeeAWindowThatIsMiscounted()
    {
        done(0, "a");
        owner(0).table().residence(slot(0, "a"), Residence.AWAITING);
        assertBroken(HotAdmissions.class, "HOT-1", () -> checker(HotAdmissions.class).full(owner(0)));
    }

    @Test
    @Tag("S3")
    void shouldKnowWhatWasEvictedAndIsNowhere()
    {
        evictFirst();
        untilEvicted();
        assertThat(checks.isEvicted("a")).isTrue();
        assertThat(checks.isEvicted("e")).isFalse();
        cluster.owner(0).toMaster.drop(EvictSourceRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        done(0, "a");
        assertThat(checks.isEvicted("a")).isFalse();
    }
}
