package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A value that was fetched while a group with its key was put, and stands for the one that was put: sixteen slots, of
 * which the window holds twelve.
 */
@Tag("EVICT-1")
@Tag("A2")
class OwnerStandInTest
{
    private static final int WINDOW_SLOTS = 12;

    private final EvictionStage stage = new EvictionStage(0.75);
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;
    private final TestWorker worker = stage.worker;

    @AfterEach
    void after()
    {
        stage.close();
    }

    private TestMaster.Request fetchUntilDone(final String key)
    {
        master.routes.add(key);
        worker.getStart(false, key);
        owner.run();
        master.answer(master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
        worker.getTransfer(worker.getStartResponse().handle(), -1);
        owner.run();
        owner.transfers.completeAll();
        owner.run();

        return master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
    }

    private TestMaster.Request putUntilPublish(final String... keys)
    {
        worker.groups = new int[]{keys.length};
        worker.commit(worker.startedPut(keys));
        worker.groups = new int[0];
        owner.run();
        assertThat(worker.commitLocal()).isZero();

        return master.take(PublishRequestDecoder.TEMPLATE_ID);
    }

    private List<String> ringOf(final String key)
    {
        final CohortRings rings = owner.agent.core().rings;
        final SlotTable table = owner.pool.table();
        final List<String> ring = new ArrayList<>();
        final int first = stage.slotOf(key);
        int slotId = first;
        do
        {
            final byte[] bytes = new byte[table.keyLength(slotId)];
            table.copyKey(slotId, new UnsafeBuffer(bytes), 0);
            ring.add(new String(bytes, StandardCharsets.UTF_8));
            slotId = rings.next(slotId);
        }
        while (first != slotId && ring.size() < WINDOW_SLOTS);

        return ring;
    }

    private void arrive(final TestMaster.Request done)
    {
        master.answer(done);
        owner.run();
        worker.release(worker.getTransferResponse().holdings().next().holdingId());
        owner.run();
        assertThat(worker.status()).isZero();
    }

    private void publish(final TestMaster.Request publish)
    {
        master.answer(publish);
        owner.run();
        assertThat(worker.commitResult()).containsOnly(0);
    }

    @Test
    void shouldGoWithTheGroupWhenItIsHereBeforeTheGroupIsPublished()
    {
        final TestMaster.Request done = fetchUntilDone("b");
        final TestMaster.Request publish = putUntilPublish("a", "b", "c");
        arrive(done);
        publish(publish);

        assertThat(ringOf("a")).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldGoWithTheGroupWhenItIsTheFirstOne()
    {
        final TestMaster.Request done = fetchUntilDone("a");
        final TestMaster.Request publish = putUntilPublish("a", "b", "c");
        arrive(done);
        publish(publish);

        assertThat(ringOf("a")).containsExactlyInAnyOrder("a", "b", "c");
        stage.fill(WINDOW_SLOTS - 3);
        assertThat(stage.putAndSeeEvicted("x")).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldWaitForTheRestOfAGroupThatIsBeingPublished()
    {
        final EvictionStage slow = new EvictionStage(0.99, new OwnerSettings().planSliceKeys(1).cycleKeys(1));
        slow.worker.groups = new int[]{4};
        slow.worker.commit(slow.worker.startedPut("a", "b", "c", "d"));
        slow.owner.run();
        slow.owner.master.answer(slow.owner.master.take(PublishRequestDecoder.TEMPLATE_ID));
        final EvictionService evictions = slow.owner.agent.core().evictions;
        for (int i = 0; i < 1000 && Residence.NONE == slow.residence("a"); i++)
        {
            slow.owner.agent.doWork();
        }
        assertThat(slow.residence("d")).as("not all are promoted").isEqualTo(Residence.NONE);
        evictions.selectWrong(slow.slotOf("a"));
        slow.owner.run();
        slow.owner.pass(26);

        final TestMaster.Request request = slow.takeEvict();
        assertThat(TestMaster.evictedKeys(request)).containsExactlyInAnyOrder("a", "b", "c", "d");
        slow.owner.master.answer(request);
        slow.owner.run();
        slow.close();
    }

    @Test
    @Tag("BOUND-1")
    void shouldNotMakeOneOfTwoGroupsThatAreTooLongForOneMessage()
    {
        final EvictionStage small = new EvictionStage(0.75, new OwnerSettings().maxKeysPerBatch(5));
        small.worker.groups = new int[]{3};
        small.worker.put("a", "b", "c");
        small.worker.put("d", "e", "f");
        small.worker.groups = new int[]{2};
        small.worker.put("g", "h");
        final CohortRings rings = small.owner.agent.core().rings;
        rings.joinGroup(small.slotOf("a"), small.slotOf("d"));
        assertThat(rings.next(rings.next(rings.next(small.slotOf("a"))))).isEqualTo(small.slotOf("a"));

        rings.joinGroup(small.slotOf("a"), small.slotOf("g"));
        int last = small.slotOf("a");
        for (int i = 0; i < 5; i++)
        {
            last = rings.next(last);
        }
        assertThat(last).isEqualTo(small.slotOf("a"));
        assertThat(rings.next(rings.next(small.slotOf("g")))).isNotEqualTo(small.slotOf("g"));
        small.close();
    }

    @Test
    void shouldGoWithTheGroupWhenItComesInThePlaceOfTheOneThatWasPut()
    {
        final TestMaster.Request done = fetchUntilDone("b");
        publish(putUntilPublish("a", "b", "c"));
        arrive(done);

        assertThat(ringOf("a")).containsExactlyInAnyOrder("a", "b", "c");
    }
}
