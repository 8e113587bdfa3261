package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.sim.cluster.FaultKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The transport to other owners fails in the middle of transfers.
 */
class EndpointRulesTest extends RuleTest
{
    @Test
    @Tag("SLOT-7")
    @Tag("LIFE-1")
    void shouldMissInTimeAndKeepTheSlotWhileACompletionIsLost()
    {
        settings.getTimeoutNs(SECOND_NS / 2);
        options.workerSettings = (context) -> context.getTimeoutNs(SECOND_NS / 2);
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.completionLostRate = 1;
        final GetHandle get = got(worker(1), "a");
        worker(1).client().getTransfer(get, -1);
        assertThat(cluster.runUntil(() -> GetHandle.State.FAILED == get.state(), SECOND_NS)).isTrue();

        assertThat(cluster.faults().get(FaultKind.COMPLETION_LOST)).isEqualTo(1);
        assertThat(owner(1).transfers().inMotion()).isEqualTo(1);
        assertThat(owner(1).pool().count(SlotState.PENDING) + owner(1).pool().count(SlotState.QUARANTINED))
            .isEqualTo(1);

        owner(1).transferFaults.completionLostRate = 0;
        assertThat(cluster.runUntil(() -> 0 == owner(1).transfers().inMotion(), SECOND_NS)).isTrue();
        read(worker(1), "a");
    }

    @Test
    @Tag("G8")
    @Tag("LIFE-1")
    void shouldFailOnlyWhatComesByTheEndpointThatIsReset()
    {
        startCluster(3, 3);
        put(worker(0), "a1", "a2");
        put(worker(1), "b");
        owner(2).transfers().hold(owner(1).ownerId(), true);
        final GetHandle other = got(worker(2), "b");
        cluster.runFor(10 * MILLISECOND_NS);
        owner(2).transferFaults.resetRate = 1;
        final GetHandle reset = got(worker(2), "a1", "a2");
        worker(2).client().getTransfer(reset, -1);
        until(reset, GetHandle.State.FAILED);

        assertThat(cluster.faults().get(FaultKind.ENDPOINT_RESET)).isEqualTo(1);
        assertThat(owner(2).transfers().inMotion()).isEqualTo(1);
        owner(2).transferFaults.resetRate = 0;
        owner(2).transfers().hold(owner(1).ownerId(), false);
        release(worker(2), readable(worker(2), other, "b"));
        read(worker(2), "a1", "a2");
    }
}
