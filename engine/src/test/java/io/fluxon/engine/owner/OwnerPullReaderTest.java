package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A read that wants a page of a group before the group's copy has come as far, since that has a source for one key a
 * step.
 */
@Tag("REPL-1")
class OwnerPullReaderTest
{
    private static final long TASK = 77;
    private static final long TIMEOUT_NS = 1_000_000_000L;

    private final EvictionStage stage = new EvictionStage(0.99, new OwnerSettings().planSliceKeys(1));
    private final OwnerFixture owner = stage.owner;
    private final TestMaster master = owner.master;

    @BeforeEach
    void pull()
    {
        master.routes.addAll(List.of("a", "b", "c"));
        master.sendPull(TASK, TIMEOUT_NS, "a", "b", "c");
        owner.run();
        stage.worker.getStart(true, "a");
        owner.run();
    }

    @AfterEach
    void after()
    {
        owner.pass(2000);
        owner.run();
        master.answerAll();
        owner.run();
        assertThat(owner.count(OwnerCounter.REPLICA_PULLS)).isZero();
        assertThat(owner.count(OwnerCounter.FLIGHTS)).isZero();
        assertThat(owner.pool.count(SlotState.PENDING)).isZero();
        stage.close();
    }

    @Test
    @Tag("G8")
    void shouldConfirmTheWholeGroupByOneMessageAllTheSame()
    {
        master.answer(master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
        assertThat(owner.transfers.offered).hasSize(3);
        owner.transfers.completeAll();
        owner.run();

        final TestMaster.Request request = master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        final BatchGetDoneRequestDecoder done = request.as(new BatchGetDoneRequestDecoder());
        assertThat(done.replicaTaskId()).isEqualTo(TASK);
        assertThat(done.items().count()).isEqualTo(3);
        assertThat(master.has(BatchGetDoneRequestDecoder.TEMPLATE_ID)).isFalse();
        master.answer(request);
        owner.run();
        assertThat(stage.worker.getStartResponse().transferableLen()).isEqualTo(1);
        assertThat(stage.residence("c")).isEqualTo(Residence.HOT);
    }

    @Test
    @Tag("GET-5")
    void shouldHaveItsPageThoughTheGroupHasNoSourceForAnother()
    {
        master.routes.remove("c");
        master.answer(master.take(BatchGetStartRequestDecoder.TEMPLATE_ID));
        owner.run();
        owner.transfers.completeAll();
        owner.run();

        final TestMaster.Request request = master.take(BatchGetDoneRequestDecoder.TEMPLATE_ID);
        final BatchGetDoneRequestDecoder done = request.as(new BatchGetDoneRequestDecoder());
        assertThat(done.replicaTaskId()).isZero();
        assertThat(done.items().count()).isEqualTo(1);
        master.answer(request);
        owner.run();
        assertThat(stage.worker.getStartResponse().transferableLen()).isEqualTo(1);
        assertThat(stage.residence("a")).isEqualTo(Residence.HOT);
        assertThat(stage.find("b")).isEqualTo(SlotTable.NONE);
    }
}
