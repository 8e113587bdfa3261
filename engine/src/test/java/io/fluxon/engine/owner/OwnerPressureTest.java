package io.fluxon.engine.owner;

import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sixteen slots in one grant, of which the window may fill all but one.
 */
class OwnerPressureTest
{
    private static final int WINDOW_SLOTS = 15;

    private final EvictionStage stage = new EvictionStage(0.98);
    private final OwnerFixture owner = stage.owner;
    private final TestWorker worker = stage.worker;
    private final OwnerView view = stage.view;

    @AfterEach
    void after()
    {
        stage.close();
    }

    @Test
    @Tag("HOT-1")
    @Tag("SLOT-5")
    void shouldEvictWhatAGrantThatLeavesTheClassHadRoomFor()
    {
        try (EvictionStage wide = new EvictionStage(2, new OwnerSettings().hotCapacityRatio(0.75)))
        {
            final OwnerFixture roomy = wide.owner;
            final TestWorker writer = wide.worker;
            wide.fill(14);
            assertThat(roomy.pool.unassignedGrants()).isZero();
            assertThat(roomy.count(OwnerCounter.EVICT_SELECTED)).isZero();

            writer.valueLength = 2 * TestWorker.VALUE_LENGTH;
            writer.startedPut("other");
            roomy.run();
            roomy.master.answerAll();
            assertThat(roomy.pool.slotClass(0).grants()).isEqualTo(1);
            assertThat(roomy.count(OwnerCounter.EVICT_FREED)).isEqualTo(2);
        }
    }

    @Test
    @Tag("HOT-1")
    void shouldAddAGrantBeforeItEvicts()
    {
        try (EvictionStage wide = new EvictionStage(2, new OwnerSettings()))
        {
            final OwnerFixture roomy = wide.owner;
            final TestWorker writer = wide.worker;
            for (int i = 0; i < EvictionStage.SLOTS; i++)
            {
                writer.put("k" + i);
            }
            assertThat(roomy.pool.unassignedGrants()).isZero();
            assertThat(roomy.count(OwnerCounter.EVICT_SELECTED)).isZero();

            for (int i = EvictionStage.SLOTS; i < 2 * EvictionStage.SLOTS; i++)
            {
                writer.put("k" + i);
            }
            assertThat(roomy.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        }
    }

    @Test
    @Tag("PRESS-1")
    void shouldSelectForAClaimThatWaits()
    {
        stage.fill(14);
        final long planId = worker.startedPut("p", "q");
        worker.putStart("x", "y", "z");
        owner.run();
        assertThat(owner.count(OwnerCounter.PRESSURE_STEPS)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);

        owner.master.answerAll();
        assertThat(worker.putStartResponse().status()).isZero();
        worker.abort(planId);
        owner.run();
    }

    @Test
    @Tag("PRESS-1")
    void shouldCountWhatIsOnItsWayAndKeepTheInterval()
    {
        stage.fill(14);
        worker.startedPut("p", "q");
        worker.putStart("x", "y");
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(2);

        worker.putStart("z");
        owner.run();
        owner.pass(150);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(2);
        owner.pass(60);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);
        owner.pass(1_000);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(3);
        owner.master.answerAll();
    }

    @Test
    @Tag("PRESS-1")
    void shouldSelectNoMoreThanItsLimitAtATime()
    {
        owner.settings.pressureLimitBytes(2 * 4096);
        stage.fill(14);
        worker.startedPut("p", "q");
        worker.putStart("v", "w", "x", "y", "z");
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(2);
        owner.pass(210);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(4);
        owner.master.answerAll();
    }

    @Test
    @Tag("PRESS-1")
    void shouldSelectMoreWhenWhatWasSelectedIsInRetry()
    {
        final long holding = stage.hold("k0");
        stage.fillFrom(1, 14);
        stage.touchAllBut("k0");
        worker.startedPut("p", "q");
        worker.putStart("x");
        owner.run();
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(1);

        owner.pass(201);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(2);
        owner.master.answerAll();
        worker.release(holding);
        owner.run();
    }

    @Test
    @Tag("PRESS-2")
    @Tag("SLOT-4")
    void shouldSayThatEverythingIsPinnedWhenAClaimTimesOut()
    {
        final List<String> keys = new ArrayList<>();
        for (int i = 0; i < 14; i++)
        {
            keys.add("k" + i);
        }
        worker.put(keys.toArray(String[]::new));
        worker.getStart(false, keys.toArray(String[]::new));
        owner.run();
        assertThat(worker.getStartResponse().transferableLen()).isEqualTo(14);
        worker.startedPut("p", "q");
        worker.timeoutNs = 500_000_000;
        worker.putStart("x");
        owner.run();
        for (int i = 0; i < 10; i++)
        {
            owner.pass(51);
            worker.keepAlive();
            owner.master.answerAll();
        }

        final PutStartResponseDecoder failed = worker.putStartResponse();
        assertThat(failed.status()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        failed.slots();
        assertThat(failed.message()).contains("hot window").contains("in retry");
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isZero();
    }

    @Test
    @Tag("S5")
    @Tag("S1")
    void shouldKeepEverySlotUsableForEver()
    {
        for (int i = 0; i < 40 * EvictionStage.SLOTS; i++)
        {
            worker.put("k" + i);
        }

        assertThat(owner.pool.slotClass(0).slots()).isEqualTo(EvictionStage.SLOTS);
        assertThat(view.hotCount()).isEqualTo(WINDOW_SLOTS);
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(40 * EvictionStage.SLOTS - WINDOW_SLOTS);
    }
}
