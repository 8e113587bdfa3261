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

    JobQueue(final ErrorHandler errorHandler, final OwnerCounters counters)
    {
        this.errorHandler = errorHandler;
        this.counters = counters;
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

    /** Does a job's first step at once, so that a small request is answered without a round of waiting. */
    void start(final Job job, final long nowNs)
    {
        if (step(job, nowNs))
        {
            resume(job);
        }
    }

    /** Steps the jobs that were there at the beginning of the round, until the limit of steps. */
    int doWork(final long nowNs, final int limit)
    {
        final int count = Math.min(limit, jobs.size());
        for (int i = 0; i < count; i++)
        {
            final Job job = jobs.pollFirst();
            job.isQueued(false);
            if (step(job, nowNs))
            {
                resume(job);
            }
        }

        return count;
    }

    int size()
    {
        return jobs.size();
    }

    private boolean step(final Job job, final long nowNs)
    {
        try
        {
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
