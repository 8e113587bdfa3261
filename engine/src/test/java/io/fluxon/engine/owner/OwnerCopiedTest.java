package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.SlotTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values that another owner has got from here go first: sixteen slots, of which the window holds twelve.
 */
@Tag("REPL-3")
class OwnerCopiedTest
{
    private static final int WINDOW_SLOTS = 12;
    private static final long TASK = 77;

    private final EvictionStage stage = new EvictionStage(0.75);
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;
    private final SlotTable table = owner.pool.table();

    @BeforeEach
    void before()
    {
        master.sendPeers(1, 8, 9);
        owner.run();
    }

    @AfterEach
    void after()
    {
        stage.close();
    }

    private void copied(final String... keys)
    {
        final int[] slots = new int[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            slots[i] = stage.slotOf(keys[i]);
        }
        master.sendCopied(table, 0, slots);
        owner.run();
    }

    private long marked()
    {
        return owner.agent.core().evictions.copied().marked();
    }

    @Test
    void shouldEvictWhatAnotherOwnerHasGotBeforeWhatIsColder()
    {
        stage.fill(WINDOW_SLOTS);
        copied("k7", "k5");
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).as("nothing goes before room is needed").isZero();

        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k7");
        assertThat(stage.putAndSeeEvicted("x1")).containsExactly("k5");
        assertThat(stage.putAndSeeEvicted("x2")).containsExactly("k0");
        assertThat(owner.count(OwnerCounter.EVICT_COPIED)).isEqualTo(2);
        assertThat(marked()).isZero();
    }

    @Test
    @Tag("EVICT-1")
    void shouldPreferACohortOnlyWhenAllOfItIsCopied()
    {
        stage.worker.groups = new int[]{3};
        stage.worker.put("a", "b", "c");
        stage.worker.groups = new int[0];
        stage.fill(WINDOW_SLOTS - 3);
        copied("b", "a");
        stage.touch("a", "b", "c");
        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k0");

        copied("c");
        assertThat(stage.putAndSeeEvicted("x1")).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(owner.count(OwnerCounter.EVICT_COPIED)).isEqualTo(3);
    }

    @Test
    void shouldNotPreferWhatADemotionHasFoundHere()
    {
        stage.fill(WINDOW_SLOTS);
        copied("k7");
        master.sendPull(TASK, 1_000_000_000L, "k7", "k0");
        owner.run();
        master.answerAll();

        assertThat(marked()).isZero();
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isZero();
        assertThat(owner.count(OwnerCounter.REPLICA_PAGES_TRANSFERRED)).isZero();
        assertThat(stage.putAndSeeEvicted("x0")).as("k0 is renewed, too").containsExactly("k1");
    }

    @Test
    void shouldNotPreferAnythingWhenAnOwnerIsLostThatMayHaveTheCopies()
    {
        stage.fill(WINDOW_SLOTS);
        copied("k7");
        master.sendPeers(2, 8, 9, 10);
        owner.run();
        assertThat(marked()).isOne();
        master.sendPeers(3, 8, 10);
        owner.run();

        assertThat(marked()).isZero();
        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k0");
    }

    @Test
    void shouldNotPreferWhatNoOtherOwnerHasAnyMore()
    {
        stage.fill(WINDOW_SLOTS);
        copied("k7", "k5");
        master.sendCopied(false, table, 0, stage.slotOf("k7"));
        owner.run();

        assertThat(marked()).isOne();
        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k5");
        assertThat(stage.putAndSeeEvicted("x1")).containsExactly("k0");
    }

    @Test
    void shouldNotMarkWhatTheSlotHoldsNow()
    {
        stage.fill(WINDOW_SLOTS);
        master.sendCopied(table, 1, stage.slotOf("k7"));
        master.sendCopied(table, -1, stage.slotOf("k6"));
        owner.run();

        assertThat(marked()).isZero();
        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k0");
    }

    @Test
    void shouldForgetAMarkWithItsValue()
    {
        stage.fill(WINDOW_SLOTS);
        copied("k7");
        final int slotId = stage.slotOf("k7");
        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k7");
        stage.worker.commit(stage.worker.startedPut("k7"));
        owner.run();
        for (final TestMaster.Request request : stage.takeAll(PublishRequestDecoder.TEMPLATE_ID))
        {
            master.answer(request);
        }
        master.answerAll();

        assertThat(marked()).isZero();
        assertThat(table.useCounter(slotId)).isPositive();
        assertThat(owner.count(OwnerCounter.EVICT_COPIED)).isOne();
    }

    @Test
    void shouldPassOverAnyNumberOfValuesThatAreInTurnNoLonger()
    {
        stage.fill(WINDOW_SLOTS);
        for (int i = 0; i < 100; i++)
        {
            copied("k7");
            master.sendPull(TASK + i, 1_000_000_000L, "k7");
            owner.run();
            master.answerAll();
        }
        copied("k5");
        assertThat(marked()).isOne();

        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k5");
    }

    @Test
    @Tag("EVICT-2")
    void shouldPreferWhatAnotherJobHasShownAgain()
    {
        stage.overflow(WINDOW_SLOTS);
        master.sendCopied(table, 0, stage.hiddenSlot());
        owner.run();
        final List<TestMaster.Request> held = stage.takeAll(EvictSourceRequestDecoder.TEMPLATE_ID);
        assertThat(stage.putAndSeeEvicted("x0")).as("k0 is in a job").containsExactly("k1");
        master.answerEvict(held.getLast(), EvictResult.BUSY);
        owner.run();
        for (int i = 0; i < 50 && 0 == owner.count(OwnerCounter.EVICT_RESTORED); i++)
        {
            owner.pass(100);
            for (final TestMaster.Request request : stage.takeAll(EvictSourceRequestDecoder.TEMPLATE_ID))
            {
                master.answerEvict(request, EvictResult.BUSY);
            }
            owner.run();
        }

        assertThat(owner.count(OwnerCounter.EVICT_RESTORED)).isOne();
        final TestMaster.Request request = stage.takeEvict();
        assertThat(TestMaster.evictedKeys(request)).as("the window is over its capacity").containsExactly("k0");
        assertThat(owner.count(OwnerCounter.EVICT_COPIED)).isOne();
        master.answer(request);
        owner.run();
    }

    @Test
    @Tag("EVICT-2")
    void shouldLeaveAloneWhatAnotherJobHas()
    {
        stage.overflow(WINDOW_SLOTS);
        copied("k5");
        final int hidden = stage.hiddenSlot();
        master.sendCopied(table, 0, hidden);
        owner.run();
        master.answer(stage.takeEvict());
        owner.run();
        master.answerAll();

        assertThat(stage.putAndSeeEvicted("x0")).containsExactly("k5");
        assertThat(marked()).isZero();
    }
}
