package io.fluxon.tools.cluster;

import io.fluxon.ipc.counters.ControlToggle;
import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;

import java.nio.file.Path;

/**
 * The counters of one process by their type id. The file stays readable when the process has gone.
 */
public final class ProcessCounters implements AutoCloseable
{
    private final CountersView view;
    private final Int2IntHashMap counterIds = new Int2IntHashMap(CountersReader.NULL_COUNTER_ID);

    private ProcessCounters(final CountersView view)
    {
        this.view = view;
    }

    /**
     * Maps the counters of a process.
     *
     * @param file of the counters.
     * @return the counters.
     * @throws IllegalStateException if the file is none of that kind.
     */
    public static ProcessCounters map(final Path file)
    {
        return new ProcessCounters(CountersFile.map(file));
    }

    /**
     * Value of a counter.
     *
     * @param typeId of the counter.
     * @return the value, 0 if the process has no such counter.
     */
    public long get(final int typeId)
    {
        int counterId = counterIds.get(typeId);
        if (CountersReader.NULL_COUNTER_ID == counterId)
        {
            view.counters().forEach((id, type, key, label) -> counterIds.put(type, id));
            counterId = counterIds.get(typeId);
        }
        return CountersReader.NULL_COUNTER_ID == counterId ? 0 : view.counters().getCounterValue(counterId);
    }

    /**
     * Asks the process for an audit.
     *
     * @return true if it was asked, by this call or one before.
     */
    public boolean requestAudit()
    {
        final ControlToggle toggle = view.toggle();
        return null != toggle &&
            (toggle.request(ControlToggle.State.AUDIT) || ControlToggle.State.AUDIT == toggle.get());
    }

    /**
     * Entries of the process's log of distinct errors.
     *
     * @return number of entries.
     */
    public int distinctErrors()
    {
        return view.readErrors((count, first, last, error) ->
        {
        }, 0);
    }

    /**
     * The mapped file.
     *
     * @return the view of it.
     */
    public CountersView view()
    {
        return view;
    }

    @Override
    public void close()
    {
        view.close();
    }
}
