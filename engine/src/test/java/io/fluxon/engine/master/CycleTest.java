package io.fluxon.engine.master;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.fluxon.engine.master.MasterCounter.CYCLES_LONG;
import static io.fluxon.engine.master.MasterCounter.CYCLE_LONGEST_NS;
import static io.fluxon.engine.master.MasterFixture.MS;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("G10")
class CycleTest
{
    private final MasterFixture fixture = new MasterFixture();
    private TestOwner owner;

    @BeforeEach
    void register()
    {
        owner = fixture.registered(1);
        fixture.settle();
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldCountACycleOfMoreThanAMillisecond()
    {
        cycle(3 * MS);
        cycle(2 * MS);

        assertThat(fixture.get(CYCLES_LONG)).isEqualTo(2);
        assertThat(fixture.get(CYCLE_LONGEST_NS)).isEqualTo(3 * MS);
    }

    @Test
    void shouldNotCountACycleOfAMillisecond()
    {
        cycle(MS);

        assertThat(fixture.get(CYCLES_LONG)).isZero();
        assertThat(fixture.get(CYCLE_LONGEST_NS)).isEqualTo(MS);
    }

    @Test
    void shouldNotTakeIdlingForALongCycle()
    {
        fixture.nowNs += 5 * MS;
        fixture.tick();
        fixture.nowNs += 5 * MS;
        fixture.tick();

        assertThat(fixture.get(CYCLES_LONG)).isZero();
        assertThat(fixture.get(CYCLE_LONGEST_NS)).isZero();
    }

    private void cycle(final long lengthNs)
    {
        owner.sendHeartbeat();
        fixture.tick();
        fixture.nowNs += lengthNs;
        fixture.settle();
    }
}
