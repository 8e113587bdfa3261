package io.fluxon.tools.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real processes that are killed and stopped at random instants. Property {@code fluxon.seed} repeats the choices of a
 * run, though not its instants to the microsecond.
 */
class ProcessFaultTest
{
    private static final boolean IS_ALL = Boolean.getBoolean("fluxon.test.all");
    private static final int ROUNDS = IS_ALL ? 4 : 1;

    @Test
    @Timeout(1_800)
    @Tag("LIFE-1")
    @Tag("LIFE-3")
    @Tag("LIFE-4")
    void shouldHealWhenProcessesAreKilledAtAnyInstant() throws IOException
    {
        run(List.of(Fault.KILL_WORKER, Fault.KILL_OWNER, Fault.KILL_MASTER), ROUNDS);
    }

    @Test
    @Timeout(1_800)
    @Tag("LIFE-1")
    @Tag("LIFE-2")
    @Tag("API-10")
    void shouldHealWhenProcessesAreStoppedForLongerThanEveryTimeout() throws IOException
    {
        run(IS_ALL ? List.of(Fault.STOP_WORKER, Fault.STOP_OWNER, Fault.STOP_MASTER) : List.of(Fault.STOP_WORKER),
            ROUNDS);
    }

    private static void run(final List<Fault> kinds, final int rounds) throws IOException
    {
        final long seed = Long.getLong("fluxon.seed", System.nanoTime());
        final List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < rounds; i++)
        {
            faults.addAll(kinds);
        }
        Collections.shuffle(faults, new Random(seed));
        FaultRun.run(faults, seed);
    }
}
