package io.fluxon.engine.memory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import static io.fluxon.engine.memory.SlotState.COMMITTED;
import static io.fluxon.engine.memory.SlotState.FREE;
import static io.fluxon.engine.memory.SlotState.PENDING;
import static io.fluxon.engine.memory.SlotState.PENDING_LOCAL_VISIBLE;
import static io.fluxon.engine.memory.SlotState.PREPARED;
import static io.fluxon.engine.memory.SlotState.QUARANTINED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("SLOT-2")
class SlotStateTest
{
    private static final Map<SlotState, Set<SlotState>> ALLOWED = Map.of(
        FREE, EnumSet.of(PREPARED),
        PREPARED, EnumSet.of(FREE, PENDING_LOCAL_VISIBLE, PENDING, QUARANTINED),
        PENDING_LOCAL_VISIBLE, EnumSet.of(FREE, COMMITTED),
        PENDING, EnumSet.of(FREE, COMMITTED, QUARANTINED),
        COMMITTED, EnumSet.of(FREE),
        QUARANTINED, EnumSet.of(FREE, PREPARED, PENDING));

    @Test
    void shouldAllowExactlyTheTransitionsOfTheContract()
    {
        for (final SlotState from : SlotState.values())
        {
            for (final SlotState to : SlotState.values())
            {
                assertThat(from.canBecome(to)).as(from + " to " + to).isEqualTo(ALLOWED.get(from).contains(to));
            }
        }
    }

    @Test
    void shouldFindEachStateByItsCode()
    {
        assertThat(SlotState.values()).hasSize(SlotState.COUNT);
        for (final SlotState state : SlotState.values())
        {
            assertThat(SlotState.get(state.code())).isSameAs(state);
        }
    }

    @Test
    void shouldStopWhenARecordHasAnUnknownState()
    {
        assertThatThrownBy(() -> SlotState.get(6)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> SlotState.get(-1)).isInstanceOf(InvariantViolation.class);
    }
}
