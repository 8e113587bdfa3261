package io.fluxon.engine.owner;

/**
 * Lets leaders of concurrent reads share one batch get start (contract G9). A read whose leaders are complete asks the
 * master at once when nothing is being asked. Otherwise its leaders are gathered with those of others, until the master
 * answers or the window is over, whichever comes first; so nothing waits longer than the window, and what is local
 * never waits at all. Reads of more leaders than a slice ask for themselves: they share a message well enough.
 */
final class StartWindow
{
    private final OwnerCore core;
    private final int maxLeaders;
    private FetchJob gathering;
    private long deadlineNs;
    private int asking;

    StartWindow(final OwnerCore core)
    {
        this.core = core;
        maxLeaders = Math.min(core.settings.maxKeysPerBatch(), 4 * core.settings.planSliceKeys());
    }

    /** All leaders of a read are installed (contract G2): the master is asked now, or with those of other reads. */
    void start(final FetchJob fetch, final long nowNs)
    {
        if (0 == asking || 0 == core.settings.startWindowNs() || fetch.count() > core.settings.planSliceKeys())
        {
            ask(fetch, nowNs);
            return;
        }

        if (null != gathering && gathering.count() + fetch.count() > maxLeaders)
        {
            close(nowNs);
        }

        if (null == gathering)
        {
            fetch.gather(maxLeaders);
            gathering = fetch;
            deadlineNs = nowNs + core.settings.startWindowNs();
        }
        else
        {
            core.counters.add(OwnerCounter.LEADERS_GATHERED, fetch.count());
            core.budget.charge(fetch.count());
            gathering.takeOver(fetch);
        }
    }

    /** The leaders of a pull are asked for at once, and alone, since they are confirmed together (contract REPL-1). */
    void startAlone(final FetchJob fetch, final long nowNs)
    {
        ask(fetch, nowNs);
    }

    /** The master has answered a batch get start, or will not. */
    void onAsked(final long nowNs)
    {
        if (0 == --asking && null != gathering)
        {
            close(nowNs);
        }
    }

    /** Asks for what was gathered when its time has come; number of messages that are due. */
    int doWork(final long nowNs)
    {
        if (null == gathering || nowNs - deadlineNs < 0)
        {
            return 0;
        }
        close(nowNs);

        return 1;
    }

    /** Leaders that wait, for inspection. */
    int gathered()
    {
        return null == gathering ? 0 : gathering.count();
    }

    /** Until when they wait, for inspection. */
    long deadlineNs()
    {
        return deadlineNs;
    }

    /** Batch get starts that are being asked, for inspection. */
    int asking()
    {
        return asking;
    }

    private void close(final long nowNs)
    {
        final FetchJob fetch = gathering;
        gathering = null;
        ask(fetch, nowNs);
    }

    private void ask(final FetchJob fetch, final long nowNs)
    {
        asking++;
        fetch.ask(nowNs);
    }
}
