package io.fluxon.engine.memory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static io.fluxon.engine.memory.SlotState.COMMITTED;
import static io.fluxon.engine.memory.SlotState.FREE;
import static io.fluxon.engine.memory.SlotState.PENDING;
import static io.fluxon.engine.memory.SlotState.PENDING_LOCAL_VISIBLE;
import static io.fluxon.engine.memory.SlotState.PREPARED;
import static io.fluxon.engine.memory.SlotState.QUARANTINED;
import static io.fluxon.engine.memory.SlotTable.NONE;
import static org.assertj.core.api.Assertions.assertThat;

class SlotPoolModelTest
{
    private static final int GRANTS = 9;
    private static final int STEPS = 6000;
    private static final long[] VALUE_LENGTHS = {4096, 5000, 12_000, 30_000, 65_536};

    private final Map<Integer, Model> inUse = new TreeMap<>();
    private final long[] useCounters = new long[GRANTS * 16];
    private SlotPool pool;
    private SlotTable table;
    private SlotAudit audit;
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    @Tag("S1")
    @Tag("S2")
    @Tag("S5")
    @Tag("SLOT-2")
    @Tag("SLOT-3")
    @Tag("SLOT-5")
    @Tag("SLOT-6")
    void shouldAgreeWithASimpleModelAfterEveryStep(final long seed)
    {
        random = new Random(seed);
        final CapacityPlan plan = Pools.plan(GRANTS);
        if (0 == seed % 2)
        {
            plan.expect(4096, 2 * Pools.QUANTUM).expect(30_000, 1);
        }
        pool = Pools.pool(plan);
        table = pool.table();
        audit = new SlotAudit(pool);

        for (int step = 0; step < STEPS; step++)
        {
            final int appetite = 0 == step / 500 % 2 ? 60 : 25;
            if (inUse.isEmpty() || random.nextInt(100) < appetite)
            {
                take();
            }
            else
            {
                change();
            }
            stepAudit();
            check();
        }

        drain();
    }

    private void take()
    {
        final long valueLength = VALUE_LENGTHS[random.nextInt(VALUE_LENGTHS.length)];
        final int classIndex = pool.classFor(valueLength);
        final boolean isPossible = isPossible(classIndex);
        final int slotId = pool.takeNow(classIndex);

        assertThat(slotId != NONE).as("taking " + valueLength).isEqualTo(isPossible);
        if (NONE != slotId)
        {
            assertThat(inUse).doesNotContainKey(slotId);
            assertThat(table.useCounter(slotId)).isEqualTo(++useCounters[slotId]);
            assertThat(table.slotIndex(slotId)).isLessThan(pool.slotClass(classIndex).slotsPerGrant());
            inUse.put(slotId, new Model(CapacityPlan.slotSize(valueLength)));
        }
    }

    private boolean isPossible(final int classIndex)
    {
        final SlotClass slotClass = pool.slotClass(classIndex);
        final long used = inUse.values().stream().filter((model) -> model.slotSize == slotClass.slotSize()).count();
        if (used < slotClass.slots())
        {
            return true;
        }

        return slotClass.grants() < slotClass.maxGrants() && spareGrants(slotClass) > 0;
    }

    private long spareGrants(final SlotClass taker)
    {
        long spare = pool.unassignedGrants();
        for (int i = 0; i < pool.classCount(); i++)
        {
            final SlotClass donor = pool.slotClass(i);
            long unused = 0;
            for (int grantId = 0; grantId < GRANTS; grantId++)
            {
                final int id = grantId;
                unused += pool.grantClass(id) == i &&
                    inUse.keySet().stream().noneMatch((slotId) -> table.grantId(slotId) == id) ? 1 : 0;
            }
            spare += donor == taker ? 0 : Math.min(unused, donor.grants() - donor.minGrants());
        }

        return spare;
    }

    private void change()
    {
        final List<Integer> slots = new ArrayList<>(inUse.keySet());
        final int slotId = slots.get(random.nextInt(slots.size()));
        final Model model = inUse.get(slotId);
        switch (random.nextInt(8))
        {
            case 0 -> advance(slotId, model, PENDING_LOCAL_VISIBLE);
            case 1 -> advance(slotId, model, PENDING);
            case 2 -> advance(slotId, model, COMMITTED);
            case 3 -> quarantine(slotId, model);
            case 4 ->
            {
                pool.holderAdd(slotId);
                model.holders++;
            }
            case 5 -> routeChange(slotId, model);
            default -> release(slotId, model);
        }
    }

    private void advance(final int slotId, final Model model, final SlotState next)
    {
        if (QUARANTINED != model.state && model.state.canBecome(next))
        {
            pool.advance(slotId, next);
            model.state = next;
        }
    }

    private void quarantine(final int slotId, final Model model)
    {
        if (QUARANTINED == model.state)
        {
            pool.liftQuarantine(slotId);
            model.state = model.quarantinedFrom;
        }
        else if (!model.isRouteLive && (PREPARED == model.state || PENDING == model.state))
        {
            pool.quarantine(slotId);
            model.quarantinedFrom = model.state;
            model.state = QUARANTINED;
        }
    }

    private void routeChange(final int slotId, final Model model)
    {
        if (model.isRouteLive)
        {
            model.isRouteLive = false;
            settle(slotId, model, pool.routeRelease(slotId));
        }
        else if (PREPARED != model.state && QUARANTINED != model.state)
        {
            pool.routeAdd(slotId);
            model.isRouteLive = true;
        }
    }

    private void release(final int slotId, final Model model)
    {
        if (model.holders > 0)
        {
            model.holders--;
            settle(slotId, model, pool.holderRelease(slotId));
        }
    }

    private void settle(final int slotId, final Model model, final boolean isFreed)
    {
        assertThat(isFreed).isEqualTo(0 == model.holders && !model.isRouteLive);
        if (isFreed)
        {
            assertThat(table.state(slotId)).isSameAs(FREE);
            inUse.remove(slotId);
        }
    }

    private void stepAudit()
    {
        if (!audit.isRunning())
        {
            audit.begin();
        }
        audit.scan(random.nextInt(20));
        assertThat(audit.firstMismatch()).isNull();
    }

    private void check()
    {
        final long[][] counts = new long[pool.classCount()][SlotState.COUNT];
        long holders = 0;
        long routes = 0;
        long usedBytes = 0;
        for (final Map.Entry<Integer, Model> entry : inUse.entrySet())
        {
            final int slotId = entry.getKey();
            final Model model = entry.getValue();
            if (table.state(slotId) != model.state || table.holderCount(slotId) != model.holders ||
                table.isRouteLive(slotId) != model.isRouteLive || table.slotSize(slotId) != model.slotSize)
            {
                throw new AssertionError("slot " + slotId + " is not as in the model");
            }
            counts[pool.classIndex(slotId)][model.state.code()]++;
            holders += model.holders;
            routes += model.isRouteLive ? 1 : 0;
            usedBytes += model.slotSize;
        }

        assertThat(pool.holders()).isEqualTo(holders);
        assertThat(pool.liveRoutes()).isEqualTo(routes);
        assertThat(pool.usedBytes()).isEqualTo(usedBytes);
        checkClasses(counts);
    }

    private void checkClasses(final long[][] counts)
    {
        int grants = pool.unassignedGrants();
        for (int i = 0; i < pool.classCount(); i++)
        {
            final SlotClass slotClass = pool.slotClass(i);
            grants += slotClass.grants();
            assertThat(slotClass.grants()).isBetween(slotClass.minGrants(), Math.max(slotClass.maxGrants(), 0));
            long used = 0;
            for (int code = 1; code < SlotState.COUNT; code++)
            {
                used += counts[i][code];
                assertThat(slotClass.count(SlotState.get(code))).isEqualTo(counts[i][code]);
            }
            assertThat(slotClass.used()).isEqualTo(used);
            assertThat(slotClass.count(FREE)).isEqualTo(slotClass.slots() - used);
        }
        assertThat(grants).isEqualTo(GRANTS);
    }

    private void drain()
    {
        for (final Map.Entry<Integer, Model> entry : List.copyOf(inUse.entrySet()))
        {
            final Model model = entry.getValue();
            if (model.isRouteLive)
            {
                routeChange(entry.getKey(), model);
            }
            while (model.holders > 0)
            {
                release(entry.getKey(), model);
            }
        }

        assertThat(inUse).isEmpty();
        check();
        assertThat(pool.freeBytes() + waste()).isEqualTo(GRANTS * Pools.QUANTUM);
        final int classIndex = pool.classFor(5000);
        final long possible = pool.slotClass(classIndex).maxSlots();
        for (long i = 0; i < possible; i++)
        {
            take();
        }
        check();
    }

    private long waste()
    {
        long waste = 0;
        for (int i = 0; i < pool.classCount(); i++)
        {
            final SlotClass slotClass = pool.slotClass(i);
            waste += slotClass.grants() * Pools.QUANTUM - slotClass.slots() * slotClass.slotSize();
        }

        return waste;
    }

    private static final class Model
    {
        private final long slotSize;
        private SlotState state = PREPARED;
        private SlotState quarantinedFrom;
        private int holders = 1;
        private boolean isRouteLive;

        Model(final long slotSize)
        {
            this.slotSize = slotSize;
        }
    }
}
