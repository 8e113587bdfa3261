package io.fluxon.engine.harness;

import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterContext;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.master.MasterCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * The master of a run.
 */
public final class VirtualMaster
{
    private final VirtualNetwork.Inbox inbox;
    private final MasterAgent agent;
    private final MasterCounters counters;
    private final Map<String, VirtualOwner> owners = new HashMap<>();
    private boolean paused;

    VirtualMaster(final VirtualCluster cluster, final long epoch)
    {
        inbox = cluster.network().inbox();
        counters = new MasterCounters(VirtualCluster.countersManager());
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

    VirtualNetwork.Inbox inbox()
    {
        return inbox;
    }

    void listen(final String channel, final VirtualOwner owner)
    {
        owners.put(channel, owner);
    }

    int doWork()
    {
        return paused ? 0 : agent.doWork();
    }

    void close()
    {
        agent.onClose();
    }

    /**
     * Stops or continues the master's thread.
     *
     * @param value true to stop it.
     */
    public void paused(final boolean value)
    {
        paused = value;
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
     * The core.
     *
     * @return the agent.
     */
    public MasterAgent agent()
    {
        return agent;
    }
}
