package io.fluxon.engine.owner;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;

import java.util.ArrayDeque;

/**
 * The jobs that can go on, stepped in turn: one step a duty cycle each, in the order in which they were resumed. An
 * exception in one job ends that job only, unless it says that the engine itself is broken.
 */
final class JobQueue
{
    private static final int INITIAL_CAPACITY = 1024;

    private final ArrayDeque<Job> jobs = new ArrayDeque<>(INITIAL_CAPACITY);
    private final ErrorHandler errorHandler;
    private final OwnerCounters counters;
    private final KeyBudget budget;

    JobQueue(final ErrorHandler errorHandler, final OwnerCounters counters, final KeyBudget budget)
    {
        this.errorHandler = errorHandler;
        this.counters = counters;
        this.budget = budget;
    }

    /** Lets a job go on in the next round; does nothing when it is to do so already. */
    void resume(final Job job)
    {
        if (!job.isQueued())
        {
            job.isQueued(true);
            jobs.addLast(job);
        }
    }

    /**
     * Does a job's first step at once, so that a small request is answered without a round of waiting; not when the
     * duty cycle has much to do already.
     */
    void start(final Job job, final long nowNs)
    {
        if (budget.isHalfSpent() || step(job, nowNs))
        {
            resume(job);
        }
    }

    /**
     * Steps jobs that were there at the beginning of the round: at least one, until a limit of steps or of keys.
     *
     * @return number of steps that moved something.
     */
    int doWork(final long nowNs, final int limit)
    {
        final int count = Math.min(limit, jobs.size());
        int steps = 0;
        int work = 0;
        while (steps < count && (0 == steps || !budget.isSpent()))
        {
            steps++;
            final Job job = jobs.pollFirst();
            job.isQueued(false);
            if (step(job, nowNs))
            {
                resume(job);
            }
            work += job.isStalled() ? 0 : 1;
        }

        return work;
    }

    int size()
    {
        return jobs.size();
    }

    private boolean step(final Job job, final long nowNs)
    {
        try
        {
            job.clearStall();
            return job.step(nowNs);
        }
        catch (final AgentTerminationException ex)
        {
            throw ex;
        }
        catch (final RuntimeException ex)
        {
            counters.increment(OwnerCounter.EXCEPTIONS);
            errorHandler.onError(ex);
            job.onException(ex);
        }

        return false;
    }
}
