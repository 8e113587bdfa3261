package io.fluxon.engine.owner;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Counters of a process, written by one thread: a tool that reads the later one first never sees more closed than
 * opened. They only rise, so one set serves all rounds.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "all that was opened is closed")
@Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "one is open")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "more were opened between the two reads")
@Outcome(expect = Expect.FORBIDDEN, desc = "closed before it was opened")
@State
public class OwnerCountersStress
{
    private static final CountersManager MANAGER = Memory.lastingCounters(
        OwnerCounter.values().length + ClassCounter.MAX_CLASSES * ClassCounter.values().length);
    private static final OwnerCounters OWNER = new OwnerCounters(MANAGER);
    private static final CountersReader TOOL = new CountersReader(MANAGER.metaDataBuffer(), MANAGER.valuesBuffer());
    private static final int OPENED = OWNER.counter(OwnerCounter.HOLDINGS_OPENED).id();
    private static final int CLOSED = OWNER.counter(OwnerCounter.HOLDINGS_CLOSED).id();

    @Actor
    public void owner()
    {
        OWNER.opened(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_OPENED);
        OWNER.closed(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_CLOSED);
    }

    @Actor
    public void tool(final I_Result result)
    {
        final long closed = TOOL.getCounterValue(CLOSED);
        final long opened = TOOL.getCounterValue(OPENED);
        result.r1 = Math.clamp(opened - closed, -1, 2);
    }
}
