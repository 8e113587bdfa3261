package io.fluxon.ipc.counters;

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
 * Counters file: a process allocates a counter while a tool lists them.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "there and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "there with another type or label")
@State
public class CounterLabelStress
{
    private static final String LABEL = "pages that were written";
    private static final int TYPE_ID = 7042;

    private final CountersManager process = Memory.counters(1);
    private final CountersReader tool = new CountersReader(process.metaDataBuffer(), process.valuesBuffer());

    @Actor
    public void process()
    {
        process.allocate(LABEL, TYPE_ID);
    }

    @Actor
    public void tool(final I_Result result)
    {
        tool.forEach((counterId, typeId, key, label) -> result.r1 = TYPE_ID == typeId && LABEL.equals(label) ? 1 : -1);
    }
}
