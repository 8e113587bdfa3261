package io.fluxon.ipc.counters;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Distinct error log of a counters file: two threads of a process record the same error.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE_INTERESTING, desc = "one entry that counts both")
@Outcome(expect = Expect.FORBIDDEN, desc = "an entry twice, or one not counted")
@State
public class ErrorLogStress
{
    private static final Throwable ERROR = new IllegalStateException("the same");
    private static final int LOG_LENGTH = 4096;

    static
    {
        ERROR.setStackTrace(new StackTraceElement[]{new StackTraceElement("Some", "where", "Some.java", 1)});
    }

    private final UnsafeBuffer buffer = Memory.buffer(LOG_LENGTH);
    private final DistinctErrorLog log = new DistinctErrorLog(buffer, () -> 1);

    @Actor
    public void agent()
    {
        log.record(ERROR);
    }

    @Actor
    public void other()
    {
        log.record(ERROR);
    }

    @Arbiter
    public void afterwards(final II_Result result)
    {
        result.r1 = ErrorLogReader.read(buffer, (count, first, last, text) -> result.r2 += count);
    }
}
