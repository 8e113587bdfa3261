package io.fluxon.ipc.counters;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Control toggle: a process does what it was asked for and says so; the tool then reads what came of it.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "not done yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "done, and its results are there")
@Outcome(expect = Expect.FORBIDDEN, desc = "done without its results")
@State
public class ControlToggleResetStress
{
    private final CountersManager counters = Memory.counters(3);
    private final ControlToggle process = ControlToggle.allocate(counters);
    private final int found = CountersReader.counterOffset(counters.allocate("found"));
    private final int differences = CountersReader.counterOffset(counters.allocate("differences"));
    private final ControlToggle tool = ControlToggle.find(counters);

    {
        tool.request(ControlToggle.State.AUDIT);
    }

    @Actor
    public void process()
    {
        if (ControlToggle.State.AUDIT == process.get())
        {
            final AtomicBuffer values = counters.valuesBuffer();
            values.putLong(found, 4);
            values.putLong(differences, 5);
            process.reset();
        }
    }

    @Actor
    public void tool(final I_Result result)
    {
        if (ControlToggle.State.NEUTRAL == tool.get())
        {
            final AtomicBuffer values = counters.valuesBuffer();
            result.r1 = 5 == values.getLong(differences) && 4 == values.getLong(found) ? 1 : -1;
        }
    }
}
