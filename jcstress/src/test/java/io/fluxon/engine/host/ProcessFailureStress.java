package io.fluxon.engine.host;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Failure of a process: two of its threads fail at once, the main thread waits. It hears of one, and of the same ever
 * after.
 */
@JCStressTest
@Outcome(id = "[01], 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the first one's")
@Outcome(id = "[02], 2", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the second one's")
@Outcome(expect = Expect.FORBIDDEN, desc = "none, or first one and then the other")
@State
public class ProcessFailureStress
{
    private final ProcessHost host = new ProcessHost();

    @Actor
    public void first(final II_Result result)
    {
        host.onFailure(new Failure(1));
        result.r1 = heard();
    }

    @Actor
    public void second()
    {
        host.onFailure(new Failure(2));
    }

    @Arbiter
    public void afterwards(final II_Result result)
    {
        result.r2 = heard();
    }

    private int heard()
    {
        try
        {
            return host.awaitFailure(0) instanceof Failure failure ? failure.number : 0;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static final class Failure extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        private final int number;

        Failure(final int number)
        {
            super(null, null, false, false);
            this.number = number;
        }

        /** Nobody is to read a million of them. */
        @Override
        public void printStackTrace()
        {
            setStackTrace(new StackTraceElement[0]);
        }
    }
}
