package io.fluxon.engine.memory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static io.fluxon.engine.memory.SlotState.COMMITTED;
import static io.fluxon.engine.memory.SlotState.FREE;
import static io.fluxon.engine.memory.SlotState.PENDING;
import static io.fluxon.engine.memory.SlotState.PENDING_LOCAL_VISIBLE;
import static io.fluxon.engine.memory.SlotState.PREPARED;
import static io.fluxon.engine.memory.SlotState.QUARANTINED;
import static io.fluxon.engine.memory.SlotTable.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlotPoolTest
{
    private final SlotPool pool = Pools.pool(Pools.plan(4));
    private final SlotTable table = pool.table();

    @Test
    @Tag("S2")
    void shouldFreeACommittedSlotWhenHolderThenRouteAreReleased()
    {
        final int slotId = committed();

        assertThat(pool.holderRelease(slotId)).isFalse();
        assertThat(table.state(slotId)).isSameAs(COMMITTED);
        assertThat(pool.routeRelease(slotId)).isTrue();
        assertThat(table.state(slotId)).isSameAs(FREE);
        Pools.audit(pool);
    }

    @Test
    @Tag("S2")
    void shouldFreeACommittedSlotWhenRouteThenHoldersAreReleased()
    {
        final int slotId = committed();
        pool.holderAdd(slotId);

        assertThat(pool.routeRelease(slotId)).isFalse();
        assertThat(pool.holderRelease(slotId)).isFalse();
        assertThat(table.state(slotId)).isSameAs(COMMITTED);
        assertThat(pool.holderRelease(slotId)).isTrue();
        assertThat(table.state(slotId)).isSameAs(FREE);
        Pools.audit(pool);
    }

    @Test
    @Tag("S2")
    void shouldStopWhenAReferenceIsReleasedTwice()
    {
        final int slotId = committed();
        pool.routeRelease(slotId);

        assertThatThrownBy(() -> pool.routeRelease(slotId)).isInstanceOf(InvariantViolation.class)
            .hasMessageContaining("slot " + slotId).hasMessageContaining("COMMITTED");
        pool.holderRelease(slotId);
        assertThatThrownBy(() -> pool.holderRelease(slotId)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> pool.holderAdd(slotId)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> pool.routeAdd(slotId)).isInstanceOf(InvariantViolation.class);
        assertThat(pool.count(FREE)).isEqualTo(pool.slotClass(0).slots());
    }

    @Test
    @Tag("S2")
    void shouldRaiseTheUseCounterOnEachReuse()
    {
        final int first = take(4096);
        assertThat(table.useCounter(first)).isEqualTo(1);
        pool.holderRelease(first);
        final int second = take(4096);

        assertThat(second).isEqualTo(first);
        assertThat(table.useCounter(second)).isEqualTo(2);
    }

    @Test
    @Tag("S2")
    void shouldKeepTheUseCounterWhenTheGrantServesAnotherClass()
    {
        final List<Integer> small = takeAll(4096);
        small.forEach(pool::holderRelease);
        final List<Integer> large = takeAll(32_768);

        assertThat(large).isNotEmpty().allSatisfy((slotId) -> assertThat(table.useCounter(slotId)).isEqualTo(2));
        large.forEach((slotId) -> assertThat(table.slotSize(slotId)).isEqualTo(32_768));
    }

    @Test
    @Tag("S1")
    void shouldServeAPutFromAGrantWithOneFreeSlot()
    {
        final List<Integer> slots = takeAll(4096);
        assertThat(slots).hasSize(64);
        pool.holderRelease(slots.get(37));

        assertThat(take(4096)).isEqualTo(slots.get(37));
        assertThat(take(4096)).isEqualTo(NONE);
    }

    @Test
    @Tag("SLOT-2")
    void shouldWalkTheStatesOfALocalPut()
    {
        final int slotId = take(4096);
        assertThat(table.state(slotId)).isSameAs(PREPARED);
        pool.advance(slotId, PENDING_LOCAL_VISIBLE);
        pool.routeAdd(slotId);
        pool.advance(slotId, COMMITTED);

        assertThat(pool.count(COMMITTED)).isEqualTo(1);
        assertThat(pool.liveRoutes()).isEqualTo(1);
        assertThat(pool.holders()).isEqualTo(1);
        Pools.audit(pool);
    }

    @Test
    @Tag("SLOT-2")
    void shouldStopOnAnyOtherTransition()
    {
        final SlotState[] targets = {FREE, PREPARED, PENDING_LOCAL_VISIBLE, PENDING, COMMITTED, QUARANTINED};
        for (final SlotState from : new SlotState[]{PREPARED, PENDING_LOCAL_VISIBLE, PENDING, COMMITTED, QUARANTINED})
        {
            for (final SlotState to : targets)
            {
                final int slotId = in(from);
                if (!from.canBecome(to) || QUARANTINED == from || FREE == to || QUARANTINED == to)
                {
                    assertThatThrownBy(() -> pool.advance(slotId, to)).as(from + " to " + to)
                        .isInstanceOf(InvariantViolation.class);
                    assertThat(table.state(slotId)).isSameAs(from);
                }
                else
                {
                    pool.advance(slotId, to);
                    assertThat(table.state(slotId)).isSameAs(to);
                }
                Pools.audit(pool);
            }
        }
        assertThatThrownBy(() -> pool.advance(3 * 16 + 15, COMMITTED)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    @Tag("SLOT-2")
    void shouldRefuseARouteToASlotThatIsNotReadable()
    {
        final int prepared = take(4096);
        final int quarantined = in(QUARANTINED);

        assertThatThrownBy(() -> pool.routeAdd(prepared)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> pool.routeAdd(quarantined)).isInstanceOf(InvariantViolation.class);
        final int committed = committed();
        assertThatThrownBy(() -> pool.routeAdd(committed)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    @Tag("SLOT-7")
    void shouldCountQuarantinedSlotsAndFreeThemWithTheLastHolder()
    {
        final int prepared = take(4096);
        final int pending = in(PENDING);
        pool.quarantine(prepared);
        pool.quarantine(pending);

        assertThat(pool.count(QUARANTINED)).isEqualTo(2);
        assertThat(pool.slotClass(pool.classIndex(prepared)).count(QUARANTINED)).isEqualTo(2);
        Pools.audit(pool);
        pool.liftQuarantine(prepared);
        assertThat(table.state(prepared)).isSameAs(PREPARED);
        assertThat(pool.holderRelease(pending)).isTrue();
        assertThat(table.state(pending)).isSameAs(FREE);
        assertThat(pool.count(QUARANTINED)).isZero();
        Pools.audit(pool);
    }

    @Test
    @Tag("SLOT-7")
    void shouldQuarantineOnlySlotsThatAreBeingWritten()
    {
        for (final SlotState state : new SlotState[]{PENDING_LOCAL_VISIBLE, COMMITTED, QUARANTINED})
        {
            final int slotId = in(state);
            assertThatThrownBy(() -> pool.quarantine(slotId)).isInstanceOf(InvariantViolation.class);
        }
        final int prepared = take(4096);
        assertThatThrownBy(() -> pool.liftQuarantine(prepared)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    @Tag("S5")
    void shouldMakeExactlyTheConfiguredBytesUsable()
    {
        for (final long valueLength : new long[]{4096, 8192, 20_000, 65_536})
        {
            final SlotPool fresh = Pools.pool(Pools.plan(4));
            final int classIndex = fresh.classFor(valueLength);
            int taken = 0;
            while (NONE != fresh.takeNow(classIndex))
            {
                taken++;
            }

            assertThat(taken).isEqualTo(4 * (int) (65_536 / CapacityPlan.slotSize(valueLength)));
            assertThat(fresh.usedBytes()).isEqualTo(taken * CapacityPlan.slotSize(valueLength));
            assertThat(fresh.unassignedGrants()).isZero();
            Pools.audit(fresh);
        }
    }

    @Test
    @Tag("S5")
    void shouldPlaceSlotsWithinTheirGrantsWithoutOverlap()
    {
        final Set<Long> starts = new HashSet<>();
        for (final int slotId : takeAll(20_000))
        {
            final long offset = pool.offset(slotId);
            final long inGrant = (offset - Pools.GRANTS_OFFSET) % Pools.QUANTUM;
            assertThat(starts.add(offset)).isTrue();
            assertThat(inGrant % 20_480).isZero();
            assertThat(inGrant + 20_480).isLessThanOrEqualTo(Pools.QUANTUM);
            assertThat(offset).isBetween(Pools.GRANTS_OFFSET, Pools.GRANTS_OFFSET + 4 * Pools.QUANTUM - 20_480);
        }
        assertThat(starts).hasSize(12);
    }

    @Test
    @Tag("SLOT-3")
    void shouldReserveExpectedGrantsAndNeverGiveTheClassMore()
    {
        final SlotPool reserved = Pools.pool(Pools.plan(4).expect(4096, 2 * Pools.QUANTUM));
        final SlotClass expected = reserved.slotClass(0);
        assertThat(expected.grants()).isEqualTo(2);
        assertThat(expected.slots()).isEqualTo(32);
        assertThat(reserved.grantClass(0)).isZero();
        assertThat(reserved.grantClass(1)).isZero();
        assertThat(reserved.unassignedGrants()).isEqualTo(2);
        assertThat(reserved.classFor(4096)).isZero();

        int taken = 0;
        while (NONE != reserved.takeNow(0))
        {
            taken++;
        }
        assertThat(taken).isEqualTo(32);
        assertThat(reserved.unassignedGrants()).isEqualTo(2);
    }

    @Test
    @Tag("SLOT-3")
    void shouldServeOtherClassesFromTheRemainingBytesOnly()
    {
        final SlotPool reserved = Pools.pool(Pools.plan(4).expect(4096, 2 * Pools.QUANTUM));
        final int other = reserved.classFor(8192);
        int taken = 0;
        while (NONE != reserved.takeNow(other))
        {
            taken++;
        }

        assertThat(taken).isEqualTo(16);
        assertThat(reserved.slotClass(other).maxSlots()).isEqualTo(16);
        assertThat(reserved.slotClass(0).grants()).isEqualTo(2);
        assertThat(reserved.takeNow(0)).isNotEqualTo(NONE);
        Pools.audit(reserved);
    }

    @Test
    @Tag("SLOT-5")
    void shouldMoveAWhollyUnusedGrantToAnotherClass()
    {
        final List<Integer> small = takeAll(4096);
        assertThat(take(8192)).isEqualTo(NONE);
        small.subList(1, 16).forEach(pool::holderRelease);
        assertThat(take(8192)).isEqualTo(NONE);
        pool.holderRelease(small.get(0));

        final List<Integer> large = takeAll(8192);
        assertThat(large).hasSize(8);
        assertThat(take(4096)).isEqualTo(NONE);
        assertThat(pool.slotClass(pool.classFor(4096)).grants()).isEqualTo(3);
        Pools.audit(pool);
    }

    @Test
    @Tag("SLOT-5")
    void shouldServeSeveralClassesAtOnce()
    {
        final int a = take(4096);
        final int b = take(8192);
        final int c = take(65_536);

        assertThat(pool.activeClasses()).isEqualTo(3);
        assertThat(Set.of(pool.classIndex(a), pool.classIndex(b), pool.classIndex(c))).hasSize(3);
        assertThat(pool.unassignedGrants()).isEqualTo(1);
        assertThat(take(65_536)).isNotEqualTo(NONE);
        assertThat(take(65_536)).isEqualTo(NONE);
        assertThat(take(4096)).isNotEqualTo(NONE);
    }

    @Test
    @Tag("SLOT-6")
    void shouldWeighSlotsByTheirSize()
    {
        take(1);
        take(5000);
        assertThat(pool.usedBytes()).isEqualTo(4096 + 8192);
        assertThat(pool.freeBytes()).isEqualTo(15 * 4096 + 7 * 8192 + 2 * Pools.QUANTUM);
        assertThat(pool.usedBytes() + pool.freeBytes()).isEqualTo(4 * Pools.QUANTUM);
    }

    @Test
    @Tag("BOUND-1")
    void shouldReplaceAnUnusedClassAtTheBoundOfClasses()
    {
        final SlotPool few = Pools.pool(Pools.plan(4).maxSlotClasses(2).expect(4096, 1));
        final int held = few.takeNow(few.classFor(8192));

        assertThat(few.classFor(12_288)).isEqualTo(NONE);
        few.holderRelease(held);
        final int classIndex = few.classFor(12_288);
        assertThat(classIndex).isEqualTo(1);
        assertThat(few.slotClass(1).slotSize()).isEqualTo(12_288);
        assertThat(few.unassignedGrants()).isEqualTo(3);
        assertThat(few.classFor(4096)).isZero();
        Pools.audit(few);
    }

    @Test
    void shouldKnowNoClassForAValueThatFitsNoSlot()
    {
        assertThat(pool.classFor(0)).isEqualTo(NONE);
        assertThat(pool.classFor(-5)).isEqualTo(NONE);
        assertThat(pool.classFor(65_537)).isEqualTo(NONE);
        assertThat(pool.activeClasses()).isZero();
    }

    @Test
    void shouldFindWhatAnAuditMustFind()
    {
        final int slotId = committed();
        table.holderCount(slotId, 5);

        final SlotAudit audit = new SlotAudit(pool);
        audit.begin();
        audit.scan(1000);
        assertThat(audit.mismatches()).isEqualTo(1);
        assertThat(audit.firstMismatch()).isEqualTo("found 5 holders, counted 1");

        table.holderCount(slotId, 0);
        table.routeLive(slotId, false);
        audit.begin();
        audit.scan(1000);
        assertThat(audit.mismatches()).isEqualTo(3);
        assertThat(audit.firstMismatch()).contains("slot " + slotId).contains("references");
    }

    private int take(final long valueLength)
    {
        return pool.takeNow(pool.classFor(valueLength));
    }

    private List<Integer> takeAll(final long valueLength)
    {
        final List<Integer> slots = new ArrayList<>();
        for (int slotId = take(valueLength); NONE != slotId; slotId = take(valueLength))
        {
            slots.add(slotId);
        }

        return slots;
    }

    private int committed()
    {
        return in(COMMITTED);
    }

    private int in(final SlotState state)
    {
        final int slotId = take(4096);
        switch (state)
        {
            case PENDING, PENDING_LOCAL_VISIBLE -> pool.advance(slotId, state);
            case QUARANTINED -> pool.quarantine(slotId);
            case COMMITTED ->
            {
                pool.advance(slotId, PENDING);
                pool.routeAdd(slotId);
                pool.advance(slotId, COMMITTED);
            }
            default ->
            {
            }
        }

        return slotId;
    }
}
