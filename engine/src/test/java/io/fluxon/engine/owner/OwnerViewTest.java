package io.fluxon.engine.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OwnerViewTest
{
    private static List<String> names(final Enum<?>[] values)
    {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    @Test
    @Tag("G7")
    void shouldHaveTheStatesOfTheCore()
    {
        assertThat(names(OwnerView.SessionState.values())).isEqualTo(names(WorkerSession.State.values()));
        assertThat(names(OwnerView.PutState.values())).isEqualTo(names(PutPlan.State.values()));
        assertThat(names(OwnerView.ReadState.values())).isEqualTo(names(ReadPlan.State.values()));
        assertThat(names(OwnerView.FlightPhase.values())).isEqualTo(names(Flight.Phase.values()));
    }
}
