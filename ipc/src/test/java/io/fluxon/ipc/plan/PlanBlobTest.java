package io.fluxon.ipc.plan;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("PLAN-1")
class PlanBlobTest
{
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(1024, 8);
    private final PlanBlob plan = new PlanBlob();

    @AfterEach
    void free()
    {
        arena.close();
    }

    @Test
    void shouldBePlainMemoryOfMagicCountAndPointersInNativeOrder()
    {
        plan.init(memory.address(), 2).valuePtr(0, 0x1111_2222_3333_4444L).valuePtr(1, -1);

        assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x4658504C414E5631L);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(2);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(0x1111_2222_3333_4444L);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 24)).isEqualTo(-1);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 32)).isZero();
        assertThat(PlanBlob.length(2)).isEqualTo(32);
    }

    @Test
    void shouldReadWhatWasWritten()
    {
        plan.init(memory.address() + 64, 3).valuePtr(0, 10).valuePtr(1, 20).valuePtr(2, 30);
        final PlanBlob other = new PlanBlob().wrap(memory.address() + 64, PlanBlob.length(3));

        assertThat(other.address()).isEqualTo(memory.address() + 64);
        assertThat(other.count()).isEqualTo(3);
        assertThat(other.valuePtr(2)).isEqualTo(30);
    }

    @Test
    void shouldRefuseMemoryThatHoldsNoPlan()
    {
        assertThatThrownBy(() -> plan.wrap(memory.address(), 1024)).hasMessageContaining("magic 0");
        plan.init(memory.address(), 100);
        assertThatThrownBy(() -> plan.wrap(memory.address(), PlanBlob.length(99))).hasMessageContaining("count 100");
        assertThatThrownBy(() -> plan.wrap(memory.address() + 4, 1024)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plan.wrap(memory.address(), 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plan.init(memory.address() + 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plan.init(memory.address(), -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAnIndexOutsideThePlan()
    {
        plan.init(memory.address(), 2);

        assertThatThrownBy(() -> plan.valuePtr(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> plan.valuePtr(-1, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
