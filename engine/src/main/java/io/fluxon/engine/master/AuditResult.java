package io.fluxon.engine.master;

/**
 * What an audit has found so far.
 */
final class AuditResult
{
    private long checks;
    private long differences;

    void reset()
    {
        checks = 0;
        differences = 0;
    }

    void compare(final long counted, final long booked)
    {
        check(counted == booked);
    }

    void check(final boolean holds)
    {
        checks++;
        if (!holds)
        {
            differences++;
        }
    }

    long checks()
    {
        return checks;
    }

    long differences()
    {
        return differences;
    }
}
