package io.fluxon.ipc.counters;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Distinct error log of a counters file: a process records an error while a tool reads.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "there and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "there in part")
@State
public class ErrorLogReadStress
{
    private static final Throwable ERROR = new IllegalStateException("something went wrong");
    private static final int LOG_LENGTH = 4096;

    static
    {
        ERROR.setStackTrace(new StackTraceElement[]{new StackTraceElement("Some", "where", "Some.java", 1)});
    }

    private final UnsafeBuffer buffer = Memory.buffer(LOG_LENGTH);
    private final DistinctErrorLog log = new DistinctErrorLog(buffer, () -> 1);

    @Actor
    public void process()
    {
        log.record(ERROR);
    }

    @Actor
    public void tool(final I_Result result)
    {
        ErrorLogReader.read(buffer, (count, first, last, text) -> result.r1 =
            count <= 1 && text.contains("something went wrong") && text.contains("Some.java:1") ? 1 : -1);
    }
}
