package io.fluxon.sim.cluster;

import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterContext;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * The master of a run.
 */
public final class VirtualMaster extends VirtualProcess
{
    private final VirtualCluster cluster;
    private final VirtualNetwork.Inbox inbox;
    private final Map<String, VirtualOwner> owners = new HashMap<>();
    private final long[] past = new long[MasterCounter.values().length];
    private MasterAgent agent;
    private MasterCounters counters;
    private long epoch;

    VirtualMaster(final VirtualCluster cluster, final long epoch)
    {
        super(cluster, "master");
        this.cluster = cluster;
        inbox = cluster.network().inbox(this);
        start(epoch);
    }

    private void start(final long newEpoch)
    {
        epoch = newEpoch;
        counters = new MasterCounters(cluster.countersManager());
        final ClusterOptions options = cluster.options();
        final MasterContext context = new MasterContext()
            .epoch(epoch)
            .nanoClock(cluster.clock())
            .source(inbox)
            .ownerChannels((channel) -> owners.containsKey(channel) ? owners.get(channel).openFromMaster() : null)
            .counters(counters)
            .keyDigest(options.digest.get())
            .livenessTimeoutNs(options.ownerLivenessTimeoutNs)
            .inflightTtlNs(options.inflightTtlNs)
            .maxRoutes(10_000)
            .maxReplicas(20_000);
        options.masterSettings.accept(context);
        agent = new MasterAgent(context.conclude());
    }

    /** Ends the master's process at once; what is on its way to it is lost. */
    public void kill()
    {
        dead(true);
        inbox.close();
        agent.onClose();
        for (final MasterCounter counter : MasterCounter.values())
        {
            past[counter.ordinal()] += counters.get(counter);
        }
    }

    /** Starts a master with the next epoch where the last one was, which has been killed. */
    public void restart()
    {
        dead(false);
        inbox.open();
        start(epoch + 1);
    }

    VirtualNetwork.Inbox inbox()
    {
        return inbox;
    }

    void listen(final String channel, final VirtualOwner owner)
    {
        owners.put(channel, owner);
    }

    @Override
    int doWork()
    {
        return agent.doWork();
    }

    @Override
    long earliestNs()
    {
        return inbox.earliestNs();
    }

    void close()
    {
        if (!isDead())
        {
            agent.onClose();
        }
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

    /**
     * Sum of a counter that only rises, over all epochs.
     *
     * @param counter which.
     * @return the sum.
     */
    public long total(final MasterCounter counter)
    {
        return past[counter.ordinal()] + (isDead() ? 0 : counters.get(counter));
    }

    /**
     * Number of its start.
     *
     * @return the epoch.
     */
    public long epoch()
    {
        return epoch;
    }

    /**
     * The core.
     *
     * @return the agent.
     */
    public MasterAgent agent()
    {
        return agent;
    }
}
