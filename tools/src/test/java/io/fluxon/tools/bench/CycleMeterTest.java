package io.fluxon.tools.bench;

import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CycleMeterTest implements Agent
{
    private static final long SOME_NS = 1_000;

    private final CycleMeter meter = new CycleMeter(this, () -> this.nowNs, this::readCpu);
    private long nowNs = 1;
    private long cpuNs = 1;
    private long cycleNs;
    private long cycleCpuNs;
    private int reads;

    @Test
    void shouldCountACycleThatTookLongToCompute() throws Exception
    {
        cycle(2 * CycleMeter.LONG_CYCLE_NS, CycleMeter.LONG_CYCLE_NS + 1);
        cycle(SOME_NS, SOME_NS);
        cycle(2 * CycleMeter.LONG_CYCLE_NS, CycleMeter.LONG_CYCLE_NS + 1);
        assertThat(meter.longCycles()).isEqualTo(2);
    }

    @Test
    void shouldNotCountACycleInWhichTheThreadWasKeptFromRunning() throws Exception
    {
        for (int i = 0; i < 100; i++)
        {
            cycle(3 * CycleMeter.LONG_CYCLE_NS, CycleMeter.LONG_CYCLE_NS / 2);
        }
        assertThat(meter.longCycles()).isZero();
    }

    @Test
    void shouldNotCountManyShortCyclesAsALongOne() throws Exception
    {
        for (int i = 0; i < 10_000; i++)
        {
            cycle(SOME_NS, SOME_NS);
        }
        cycle(2 * CycleMeter.LONG_CYCLE_NS, CycleMeter.LONG_CYCLE_NS - CycleMeter.MARK_NS);
        assertThat(meter.longCycles()).isZero();
        assertThat(reads).isLessThanOrEqualTo((int)(10_000 * SOME_NS / CycleMeter.MARK_NS) + 2);
    }

    @Override
    public int doWork()
    {
        nowNs += cycleNs;
        cpuNs += cycleCpuNs;
        return 1;
    }

    @Override
    public String roleName()
    {
        return "agent";
    }

    private void cycle(final long durationNs, final long durationCpuNs) throws Exception
    {
        cycleNs = durationNs;
        cycleCpuNs = durationCpuNs;
        assertThat(meter.doWork()).isOne();
        assertThat(meter.roleName()).isEqualTo("agent");
    }

    private long readCpu()
    {
        reads++;
        return cpuNs;
    }
}
