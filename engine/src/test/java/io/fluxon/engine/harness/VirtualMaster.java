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
    /** Weather on the way from the owners to the master. */
    public final LinkFaults requestFaults = new LinkFaults();
    /** Weather on the way from the master to the owners. */
    public final LinkFaults answerFaults = new LinkFaults();

    private final VirtualNetwork.Inbox inbox;
    private final MasterAgent agent;
    private final MasterCounters counters;
    private final Map<String, VirtualNetwork.Inbox> owners = new HashMap<>();
    private boolean paused;

    VirtualMaster(final VirtualCluster cluster, final long epoch)
    {
        inbox = cluster.network().inbox();
        counters = new MasterCounters(VirtualCluster.countersManager());
        final ClusterOptions options = cluster.options();
        agent = new MasterAgent(new MasterContext()
            .epoch(epoch)
            .nanoClock(cluster.clock())
            .source(inbox)
            .ownerChannels((channel) -> owners.containsKey(channel) ?
                cluster.network().connect(owners.get(channel), answerFaults) : null)
            .counters(counters)
            .keyDigest(options.digest.get())
            .livenessTimeoutNs(options.ownerLivenessTimeoutNs)
            .inflightTtlNs(options.inflightTtlNs)
            .maxRoutes(100_000)
            .maxReplicas(200_000)
            .conclude());
    }

    VirtualNetwork.Inbox inbox()
    {
        return inbox;
    }

    void listen(final String channel, final VirtualNetwork.Inbox ownerInbox)
    {
        owners.put(channel, ownerInbox);
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
