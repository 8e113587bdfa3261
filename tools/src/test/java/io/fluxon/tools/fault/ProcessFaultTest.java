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
    private static final List<Fault> KILLS = List.of(Fault.KILL_WORKER, Fault.KILL_OWNER, Fault.KILL_MASTER);
    private static final int ROUNDS_OF_ALL = 3;

    @Test
    @Timeout(1_800)
    @Tag("LIFE-1")
    @Tag("LIFE-3")
    @Tag("LIFE-4")
    void shouldHealWhenProcessesAreKilledOrStoppedAtAnyInstant() throws IOException
    {
        final long seed = Long.getLong("fluxon.seed", System.nanoTime());
        final List<Fault> faults = new ArrayList<>(KILLS);
        if (IS_ALL)
        {
            faults.clear();
            for (int i = 0; i < ROUNDS_OF_ALL; i++)
            {
                faults.addAll(List.of(Fault.values()));
            }
        }
        Collections.shuffle(faults, new Random(seed));
        FaultRun.run(faults, 0, seed);
    }

    @Test
    @Timeout(600)
    @Tag("LIFE-1")
    @Tag("LIFE-2")
    @Tag("API-10")
    void shouldResumeSessionsOfStoppedWorkersOverNewAeronClients() throws IOException
    {
        final long seed = Long.getLong("fluxon.seed", System.nanoTime());
        FaultRun.run(Collections.nCopies(IS_ALL ? ROUNDS_OF_ALL : 1, Fault.STOP_WORKER), FaultRun.LIVENESS_MS, seed);
    }
}
