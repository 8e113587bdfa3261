package io.fluxon.tools.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that is known about a run at its end. Filled by the one who runs it; not thread-safe.
 */
public final class RunReport
{
    private final PageCounts pages = new PageCounts();
    private final Latencies latencies = new Latencies();
    private final SortedMap<Integer, Long> errors = new TreeMap<>();
    private final Balance balance = new Balance();
    private final List<String> incidents = new ArrayList<>();
    private long requests;
    private long failed;
    private double seconds;
    private ControlCounts control = ControlCounts.NONE;
    private Leftover leftover = Leftover.NONE;
    private ChaosResult chaos;
    private DelayResult delay;
    private CapacityResult capacity;
    private LedgerResult ledger;
    private ReplicaFigures replicas;
    private RunReport withoutDemotion;
    private FullPeriod fullPeriod;
    private long slotBytes;
    private boolean isDemoting;

    /**
     * Counts a request that ended.
     *
     * @param code 0, or the error code that the caller was told.
     */
    public void onRequest(final int code)
    {
        requests++;
        if (0 != code)
        {
            failed++;
            errors.merge(Math.abs(code), 1L, Long::sum);
        }
    }

    /**
     * Notes something that makes the run a failed one and is not a count: a process that ended on its own, say.
     *
     * @param what happened, for the user.
     */
    public void incident(final String what)
    {
        incidents.add(what);
    }

    /**
     * Sets how long the requests took.
     *
     * @param value in seconds.
     */
    public void seconds(final double value)
    {
        seconds = value;
    }

    /**
     * Sets the work between owners and master.
     *
     * @param value of all owners together.
     */
    public void control(final ControlCounts value)
    {
        control = value;
    }

    /**
     * Sets the temporary state after the run.
     *
     * @param value of all owners and the master.
     */
    public void leftover(final Leftover value)
    {
        leftover = value;
    }

    /**
     * Sets what happened around a killed process.
     *
     * @param value of the run.
     */
    public void chaos(final ChaosResult value)
    {
        chaos = value;
    }

    /**
     * Sets what delayed master messages changed.
     *
     * @param value of the run.
     */
    public void delay(final DelayResult value)
    {
        delay = value;
    }

    /**
     * Sets what a full store served, held, evicted and copied.
     *
     * @param newPeriod    in which it was full.
     * @param newCapacity  at the end of the requests.
     * @param newLedger    after the run.
     * @param newReplicas  after the run.
     * @param newSlotBytes of the slot of a page.
     * @param newDemoting  true if what gpu owners evicted could be copied first.
     */
    public void pressure(
        final FullPeriod newPeriod,
        final CapacityResult newCapacity,
        final LedgerResult newLedger,
        final ReplicaFigures newReplicas,
        final long newSlotBytes,
        final boolean newDemoting)
    {
        fullPeriod = newPeriod;
        capacity = newCapacity;
        ledger = newLedger;
        replicas = newReplicas;
        slotBytes = newSlotBytes;
        isDemoting = newDemoting;
    }

    /**
     * Requests that ended, failed ones too.
     *
     * @return number of requests.
     */
    public long requests()
    {
        return requests;
    }

    /**
     * Requests that ended with an error that the caller was told.
     *
     * @return number of requests.
     */
    public long failed()
    {
        return failed;
    }

    /**
     * How long the requests took.
     *
     * @return seconds.
     */
    public double seconds()
    {
        return seconds;
    }

    /**
     * Requests a second.
     *
     * @return rate, 0 when no time was taken.
     */
    public double requestsPerSecond()
    {
        return seconds > 0 ? requests / seconds : 0;
    }

    /**
     * Counts of pages, to be added to.
     *
     * @return the counts.
     */
    public PageCounts pages()
    {
        return pages;
    }

    /**
     * Durations of calls, to be added to.
     *
     * @return the durations.
     */
    public Latencies latencies()
    {
        return latencies;
    }

    /**
     * Failed requests by error code.
     *
     * @return the map itself, by positive code.
     */
    public SortedMap<Integer, Long> errors()
    {
        return errors;
    }

    /**
     * Checks of the run, to be added to.
     *
     * @return the checks.
     */
    public Balance balance()
    {
        return balance;
    }

    /**
     * Work between owners and master.
     *
     * @return counts of all owners together.
     */
    public ControlCounts control()
    {
        return control;
    }

    /**
     * Temporary state after the run.
     *
     * @return counts of all owners and the master.
     */
    public Leftover leftover()
    {
        return leftover;
    }

    /**
     * What happened around a killed process.
     *
     * @return the result, or null if none was to be killed.
     */
    public ChaosResult chaos()
    {
        return chaos;
    }

    /**
     * What delayed master messages changed.
     *
     * @return the result, or null if none were delayed.
     */
    public DelayResult delay()
    {
        return delay;
    }

    /**
     * What a full store served.
     *
     * @return the result, or null if the run was not to fill one.
     */
    public FullPeriod fullPeriod()
    {
        return fullPeriod;
    }

    /**
     * What the memory of a full store held.
     *
     * @return the result, or null if the run was not to fill one.
     */
    public CapacityResult capacity()
    {
        return capacity;
    }

    /**
     * What a full store evicted.
     *
     * @return the result, or null if the run was not to fill one.
     */
    public LedgerResult ledger()
    {
        return ledger;
    }

    /**
     * What a full store copied.
     *
     * @return the result, or null if the run was not to fill one.
     */
    public ReplicaFigures replicas()
    {
        return replicas;
    }

    /**
     * Sets the same run on a store that copies nothing that it evicts, to be compared with this one.
     *
     * @param value its report.
     */
    public void withoutDemotion(final RunReport value)
    {
        withoutDemotion = value;
    }

    /**
     * The same run on a store that copies nothing that it evicts.
     *
     * @return its report, or null if there was none.
     */
    public RunReport withoutDemotion()
    {
        return withoutDemotion;
    }

    /**
     * Could what gpu owners evicted be copied to remote_cache owners first?
     *
     * @return true if it could.
     */
    public boolean isDemoting()
    {
        return isDemoting;
    }

    /**
     * Length of a page's slot in a full store.
     *
     * @return number of bytes, 0 if the run was not to fill one.
     */
    public long slotBytes()
    {
        return slotBytes;
    }

    /**
     * Why the run is a failed one.
     *
     * @return reasons for the user; none when the run passed.
     */
    public List<String> faults()
    {
        final List<String> faults = new ArrayList<>(incidents);
        if (failed > 0 && null == chaos)
        {
            faults.add(failed + " failed requests");
        }
        if (pages.corrupt > 0)
        {
            faults.add(pages.corrupt + " corrupt pages");
        }
        for (int i = 0; i < Leftover.names().length; i++)
        {
            if (0 != leftover.values()[i])
            {
                faults.add("left over: " + leftover.values()[i] + " " + Leftover.names()[i]);
            }
        }
        for (final Balance.Check check : balance.checks())
        {
            if (!check.isOk())
            {
                faults.add("out of balance: " + check.name() + ": " + check.left() + " and " + check.right());
            }
        }
        addResultFaults(faults);
        return faults;
    }

    private void addResultFaults(final List<String> faults)
    {
        if (balance.checks().isEmpty())
        {
            faults.add("nothing was checked");
        }
        if (null != chaos && !chaos.isHealed())
        {
            faults.add("the killed process did not rejoin, or something of it stayed longer than " +
                chaos.limitSeconds() + " s");
        }
        if (null != delay && !delay.isUnchanged())
        {
            faults.add("delayed master messages changed local work");
        }
        if (null != withoutDemotion)
        {
            withoutDemotion.faults().forEach((fault) -> faults.add("without demotion: " + fault));
        }
    }

    /**
     * Did the run pass?
     *
     * @return true if there is nothing to say against it.
     */
    public boolean isPassed()
    {
        return faults().isEmpty();
    }
}
