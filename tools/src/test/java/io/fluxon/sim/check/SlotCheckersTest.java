package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.FaultKind;
import java.nio.charset.StandardCharsets;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SlotCheckersTest extends CheckerTest
{
    private SlotTable table;

    @BeforeEach
    void before()
    {
        start(2, 2);
        table = owner(0).table();
    }

    @Test
    @Tag("SLOT-2")
    void shouldSeeAnErrorThatACoreReports()
    {
        cluster.owner(0).errors().add(new IllegalStateException("broken"));
        assertBroken(OwnerErrors.class, "SLOT-2", () -> checker(OwnerErrors.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("SLOT-2")
    void shouldSeeATransitionThatIsNotAllowed()
    {
        done(0, "a");
        state(0, slot(0, "a"), SlotState.PENDING);
        owner(0).look();
        assertBroken(SlotTransitions.class, "SLOT-2", () -> checker(SlotTransitions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("S2")
    void shouldSeeAReuseWithoutANewUseCounter()
    {
        state(0, 3, SlotState.PREPARED);
        owner(0).look();
        assertBroken(SlotTransitions.class, "S2", () -> checker(SlotTransitions.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("S2")
    void shouldSeeAUseCounterThatFalls()
    {
        done(0, "a");
        final int slotId = slot(0, "a");
        call(table, "startUse", new Class<?>[]{int.class, long.class}, slotId, 4096L);
        owner(0).look();
        call(table, "startUse", new Class<?>[]{int.class, long.class}, slotId, 4096L);
        owner(0).look();
        lowerUse(slotId);
        owner(0).look();
        assertBroken(SlotTransitions.class, "S2", () -> checker(SlotTransitions.class).afterOwner(owner(0)));
    }

    private void lowerUse(final int slotId)
    {
        call(table, "longAt", new Class<?>[]{int.class, int.class, long.class}, slotId, 16, 0L);
        for (int offset = 0; table.useCounter(slotId) > 0; offset += Long.BYTES)
        {
            call(table, "longAt", new Class<?>[]{int.class, int.class, long.class}, slotId, offset, 0L);
        }
    }

    @Test
    @Tag("S2")
    void shouldSeeAFreeSlotWithAHolder()
    {
        done(0, "a");
        state(0, slot(0, "a"), SlotState.FREE);
        assertBroken(SlotReferences.class, "S2", () -> checker(SlotReferences.class).full(owner(0)));
    }

    @Test
    @Tag("V3")
    void shouldSeeARouteOfASlotThatIsNotCommitted()
    {
        done(0, "a");
        state(0, slot(0, "a"), SlotState.PENDING_LOCAL_VISIBLE);
        assertBroken(SlotReferences.class, "V3", () -> checker(SlotReferences.class).full(owner(0)));
    }

    @Test
    @Tag("SLOT-1")
    void shouldSeeASlotThatNobodyCounts()
    {
        done(0, "a", "b");
        state(0, slot(0, "a"), SlotState.FREE);
        assertBroken(SlotAccounts.class, "SLOT-1", () -> checker(SlotAccounts.class).full(owner(0)));
    }

    @Test
    @Tag("S5")
    void shouldSeeMoreGrantsThanAreConfigured()
    {
        options.grantsPerOwner--;
        assertBroken(SlotAccounts.class, "S5", () -> checker(SlotAccounts.class).full(owner(0)));
    }

    @Test
    @Tag("S5")
    void shouldSeeAUsedSlotThatNoGrantHas()
    {
        done(0, "a");
        final int last = table.capacity() - 1;
        state(0, last, SlotState.PREPARED);
        assertBroken(SlotAccounts.class, "S5", () -> checker(SlotAccounts.class).full(owner(0)));
    }

    @Test
    @Tag("SLOT-6")
    void shouldSeeASlotOfAnotherSizeThanItsValueAsksFor()
    {
        done(0, "a");
        table.valueLength(slot(0, "a"), 5_000);
        assertBroken(SlotAccounts.class, "SLOT-6", () -> checker(SlotAccounts.class).full(owner(0)));
    }

    @Test
    @Tag("S2")
    void shouldSeeAHolderThatIsNobodys()
    {
        done(0, "a");
        owner(0).pool().holderAdd(slot(0, "a"));
        assertBroken(HolderScan.class, "S2", () -> checker(HolderScan.class).full(owner(0)));
    }

    @Test
    @Tag("S2")
    void shouldSeeAHolderThatIsReleasedTwice()
    {
        readable(0, name(done(0, "a")));
        owner(0).pool().holderRelease(slot(0, "a"));
        assertBroken(HolderScan.class, "S2", () -> checker(HolderScan.class).full(owner(0)));
    }

    private static String name(final PutAttempt put)
    {
        return put.names[0];
    }

    @Test
    @Tag("V1")
    void shouldSeeAReadableValueThatIsNotCommittedByItsWorker()
    {
        cluster.owner(0).toMaster.cut(true);
        localReady(0, "a");
        state(0, slot(0, "a"), SlotState.PREPARED);
        assertBroken(IndexEntries.class, "V1", () -> checker(IndexEntries.class).full(owner(0)));
    }

    @Test
    @Tag("V3")
    void shouldSeeACommittedSlotThatIsInNoIndex()
    {
        done(0, "a");
        key(slot(0, "a"), 7, 7, "a");
        assertBroken(IndexEntries.class, "V3", () -> checker(IndexEntries.class).full(owner(0)));
    }

    @Test
    @Tag("T2")
    void shouldSeeASlotThatIsReachableUnderAnothersKey()
    {
        done(0, "a", "b");
        final int slotId = slot(0, "b");
        key(slotId, table.digestLow(slotId), table.digestHigh(slotId), "a");
        assertBroken(IndexEntries.class, "T2", () -> checker(IndexEntries.class).full(owner(0)));
    }

    private void key(final int slotId, final long low, final long high, final String key)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        table.key(slotId, low, high, new UnsafeBuffer(bytes), 0, bytes.length);
    }

    @Test
    @Tag("ID-1")
    void shouldSeeAnEntryOfASlotThatIsNotThere()
    {
        done(0, "a", "b");
        state(0, slot(0, "a"), SlotState.FREE);
        assertBroken(IndexEntries.class, "ID-1", () -> checker(IndexEntries.class).full(owner(0)));
    }

    @Test
    @Tag("API-3")
    void shouldSeeASlotThatARefusedStartHasKept()
    {
        done(0, "a");
        owner(0).pool().takeNow(owner(0).pool().classIndex(slot(0, "a")));
        assertBroken(RunningPuts.class, "API-3", () -> checker(RunningPuts.class).full(owner(0)));
    }

    @Test
    @Tag("LIFE-1")
    void shouldSeeASlotThatIsLeftAside()
    {
        done(0, "a");
        call(owner(0).pool(), "setAside", new Class<?>[]{int.class, int.class, long.class, boolean.class},
            owner(0).pool().classIndex(slot(0, "a")), 1, Long.MAX_VALUE, true);
        assertBroken(Leftovers.class, "LIFE-1", () -> checker(Leftovers.class).atQuiet());
    }

    @Test
    @Tag("BOUND-1")
    void shouldSeeABoundThatIsPassed()
    {
        started(0, "a");
        started(0, "b");
        final ClusterOptions narrow = new ClusterOptions();
        narrow.ownerSettings = () -> new OwnerSettings().maxPlansPerSession(1);
        assertBroken(Bounds.class, "BOUND-1", () -> new Bounds(narrow).full(owner(0)));
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeAMismatchThatNoTransferHasMade()
    {
        count(0, OwnerCounter.CHECKSUM_MISMATCHES);
        assertBroken(Mismatches.class, "CRC-1", () -> checker(Mismatches.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeAMismatchThatATransferOfAnotherOwnerHasMade()
    {
        set(cluster.owner(1).transfers(), "torn", 1);
        cluster.faults().count(FaultKind.TRANSFER_TORN, cluster.owner(1));
        count(0, OwnerCounter.CHECKSUM_MISMATCHES);
        assertBroken(Mismatches.class, "CRC-1", () -> checker(Mismatches.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeAMismatchAlthoughAnotherValueWasGivenUp()
    {
        fetchAndGiveUp("b");
        assertBroken(Mismatches.class, "CRC-1", () -> checker(Mismatches.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("CRC-1")
    void shouldAllowAMismatchOfAValueThatWasGivenUp()
    {
        fetchAndGiveUp("a");
        assertThatCode(() -> checker(Mismatches.class).afterOwner(owner(1))).doesNotThrowAnyException();
    }

    /** A value is on its way when its source, or that of another, is given up, and does not match then. */
    private void fetchAndGiveUp(final String key)
    {
        done(0, "a", "b");
        cluster.owner(1).transfers().hold(1, true);
        worker(1).getStart(new GetHandle(1), true, null, "a");
        cluster.runFor(10_000_000);
        state(0, slot(0, key), SlotState.FREE);
        owner(0).look();
        checker(Mismatches.class).afterOwner(owner(0));
        count(1, OwnerCounter.CHECKSUM_MISMATCHES);
    }

    @Test
    @Tag("S2")
    void shouldSeeHoldersThatAddUpWhileASessionEnds()
    {
        close();
        options.ownerSettings = () -> new OwnerSettings().planSliceKeys(1);
        start(2, 2);
        table = owner(0).table();
        done(0, "a", "b", "c", "d");
        got(0, "a", "b", "c", "d");
        final Object session = call(get(core(0), "sessions"), "get", new Class<?>[]{int.class}, 0);
        worker(0).client().close();
        final Long2LongHashMap holdings = (Long2LongHashMap)get(session, "holdings");
        while (holdings.size() > 2)
        {
            cluster.step(cluster.clock().nanoTime() + SECOND_NS);
        }
        assertThat(holdings.size()).isEqualTo(2);
        checker(HolderScan.class).full(owner(0));
        final int[] slots = holdings.values().stream().mapToInt(Long::intValue).toArray();
        holders(slots[0], table.holderCount(slots[0]) + 1);
        holders(slots[1], table.holderCount(slots[1]) - 1);
        assertBroken(HolderScan.class, "S2", () -> checker(HolderScan.class).full(owner(0)));
    }

    private void holders(final int slotId, final int count)
    {
        call(table, "holderCount", new Class<?>[]{int.class, int.class}, slotId, count);
    }

    @Test
    @Tag("V3")
    void shouldSeeACommittedSlotThatTheMasterHasNotConfirmed()
    {
        cluster.owner(0).toMaster.cut(true);
        localReady(0, "a");
        state(0, slot(0, "a"), SlotState.COMMITTED);
        owner(0).look();
        assertBroken(Confirmations.class, "V3", () -> checker(Confirmations.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("PUT-1")
    void shouldSeeACommittedSlotWithAnotherPutIdThanItsRoute()
    {
        done(0, "a");
        final int slotId = slot(0, "a");
        state(0, slotId, SlotState.PENDING_LOCAL_VISIBLE);
        owner(0).look();
        state(0, slotId, SlotState.COMMITTED);
        table.putId(slotId, 9, 9, 9);
        owner(0).look();
        assertBroken(Confirmations.class, "PUT-1", () -> checker(Confirmations.class).afterOwner(owner(0)));
    }
}
