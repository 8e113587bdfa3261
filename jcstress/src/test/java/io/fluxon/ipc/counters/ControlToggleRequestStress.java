package io.fluxon.ipc.counters;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.status.CountersManager;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Control toggle: two tools ask at once.
 */
@JCStressTest
@Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the first one's stands")
@Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the second one's stands")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, none, or it does not stand")
@State
public class ControlToggleRequestStress
{
    private final CountersManager counters = Memory.counters(1);
    private final ControlToggle process = ControlToggle.allocate(counters);
    private final ControlToggle first = ControlToggle.find(counters);
    private final ControlToggle second = ControlToggle.find(counters);

    @Actor
    public void first(final ZZZ_Result result)
    {
        result.r1 = first.request(ControlToggle.State.AUDIT);
    }

    @Actor
    public void second(final ZZZ_Result result)
    {
        result.r2 = second.request(ControlToggle.State.AUDIT);
    }

    @Arbiter
    public void afterwards(final ZZZ_Result result)
    {
        result.r3 = ControlToggle.State.AUDIT == process.get();
    }
}
