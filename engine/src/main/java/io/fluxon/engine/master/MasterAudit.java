package io.fluxon.engine.master;

import static io.fluxon.engine.master.MasterCounter.AUDITS;
import static io.fluxon.engine.master.MasterCounter.AUDIT_DIFFERENCES;

/**
 * Looks at every record of the tables, in slices, and compares what it finds with the books. Changes behind the scan
 * are added to it, so the books are compared exactly although work goes on.
 */
final class MasterAudit
{
    private enum Stage
    {
        IDLE,
        ROUTES,
        GETS,
        RESERVATIONS
    }

    private static final int RECORDS_PER_SLICE = 512;

    private final AuditResult result = new AuditResult();
    private final MasterState state;
    private final MasterCounters counters;
    private Stage stage = Stage.IDLE;
    private boolean isRequested;

    MasterAudit(final MasterState state, final MasterCounters counters)
    {
        this.state = state;
        this.counters = counters;
    }

    void request()
    {
        isRequested = true;
    }

    boolean isRunning()
    {
        return isRequested || Stage.IDLE != stage;
    }

    AuditResult result()
    {
        return result;
    }

    int doWork()
    {
        if (!isRunning())
        {
            return 0;
        }

        switch (stage)
        {
            case IDLE -> begin();
            case ROUTES -> routes();
            case GETS -> gets();
            case RESERVATIONS -> reservations();
        }

        return 1;
    }

    private void begin()
    {
        isRequested = false;
        result.reset();
        state.routes.beginCount();
        stage = Stage.ROUTES;
    }

    private void routes()
    {
        if (!state.routes.count(RECORDS_PER_SLICE, result))
        {
            state.routes.endCount(result);
            state.gets.beginCount();
            stage = Stage.GETS;
        }
    }

    private void gets()
    {
        if (!state.gets.count(RECORDS_PER_SLICE))
        {
            state.gets.endCount(result);
            state.reservations.beginCount();
            stage = Stage.RESERVATIONS;
        }
    }

    private void reservations()
    {
        if (!state.reservations.count(RECORDS_PER_SLICE))
        {
            state.reservations.endCount(result);
            counters.set(AUDIT_DIFFERENCES, result.differences());
            counters.increment(AUDITS);
            stage = Stage.IDLE;
        }
    }
}
