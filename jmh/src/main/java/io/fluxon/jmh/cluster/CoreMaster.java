package io.fluxon.jmh.cluster;

import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterContext;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterCounters;
import io.fluxon.ipc.channel.ControlChannel;

import java.util.ArrayList;

/**
 * A master core in memory. Owners name the channel on which they listen by the number that {@link #listen} gave them.
 */
public final class CoreMaster implements AutoCloseable
{
    private final ArrayList<ControlChannel> answers = new ArrayList<>();
    private final MemoryInbox inbox = new MemoryInbox();
    private final MasterCounters counters = new MasterCounters(Counters.newManager());
    private final MasterAgent agent;

    /**
     * A master that knows nobody.
     *
     * @param clock     of the run.
     * @param maxRoutes most keys.
     */
    public CoreMaster(final StepClock clock, final int maxRoutes)
    {
        agent = new MasterAgent(new MasterContext()
            .epoch(1)
            .nanoClock(clock)
            .source(inbox)
            .ownerChannels((channel) -> answers.get(Integer.parseInt(channel)))
            .counters(counters)
            .maxRoutes(maxRoutes));
    }

    /**
     * What the master hears.
     *
     * @return the inbox.
     */
    public MemoryInbox inbox()
    {
        return inbox;
    }

    /**
     * Makes an owner known.
     *
     * @param channel to the owner.
     * @return name of the channel, for the owner's registration.
     */
    public String listen(final ControlChannel channel)
    {
        answers.add(channel);
        return Integer.toString(answers.size() - 1);
    }

    /**
     * One duty cycle.
     *
     * @return work count.
     */
    public int doWork()
    {
        return agent.doWork();
    }

    /**
     * Value of a counter.
     *
     * @param counter which.
     * @return its value.
     */
    public long get(final MasterCounter counter)
    {
        return counters.get(counter);
    }

    @Override
    public void close()
    {
        agent.onClose();
    }
}
