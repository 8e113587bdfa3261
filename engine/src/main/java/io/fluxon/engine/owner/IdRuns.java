package io.fluxon.engine.owner;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of ids, held as runs of ids that follow one another: it takes as much room as there are runs, however long
 * these are. Confined to one thread.
 */
final class IdRuns
{
    /** First id of each run, and the first after it; runs neither touch nor overlap. */
    private final TreeMap<Long, Long> runs = new TreeMap<>();

    /**
     * Adds a run of ids.
     *
     * @param first id.
     * @param count of ids; none are added when it is not positive, or goes beyond the last id there is.
     */
    void add(final long first, final int count)
    {
        long begin = first;
        long end = first + count;
        if (end <= begin)
        {
            return;
        }

        Map.Entry<Long, Long> met = runs.floorEntry(end);
        while (null != met && met.getValue() >= begin)
        {
            begin = Math.min(begin, met.getKey());
            end = Math.max(end, met.getValue());
            runs.remove(met.getKey());
            met = runs.floorEntry(end);
        }
        runs.put(begin, end);
    }

    boolean contains(final long id)
    {
        final Map.Entry<Long, Long> run = runs.floorEntry(id);

        return null != run && id < run.getValue();
    }

    /** Number of runs. */
    int size()
    {
        return runs.size();
    }
}
