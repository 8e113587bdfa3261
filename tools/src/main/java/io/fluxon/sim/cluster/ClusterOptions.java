package io.fluxon.sim.cluster;

import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.master.MasterContext;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.client.core.WorkerClientContext;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Shape of a {@link VirtualCluster}. Mutable, read once when the cluster is made.
 */
public final class ClusterOptions
{
    /** Seed of every choice in the run. */
    public long seed = 1;
    /** Every choice in the run; null = those of the seed. */
    public Choices choices;
    /** Do all meet before anything else happens? */
    public boolean settles = true;
    /** Number of owners. */
    public int owners = 2;
    /** How many of the owners are of role remote_cache: the last ones. */
    public int remoteOwners;
    /** Number of workers; worker j is attached to owner j mod owners. */
    public int workers = 2;
    /** Bytes of one grant. */
    public int grantQuantumBytes = 16 * 4096;
    /** Grants of each owner. */
    public int grantsPerOwner = 16;
    /** Grants of each owner that are expected to serve values of {@link #expectedValueLength}; 0 = nothing expected. */
    public int expectedGrants;
    /** Length of the expected values. */
    public int expectedValueLength;
    /** Bytes of the plan arena of each owner. */
    public int planArenaBytes = 1 << 20;
    /** Longest transport message. */
    public int maxMessageLength = 64 * 1024;
    /** How long a put waits for slots. */
    public long reserveHardTimeoutNs = 30_000_000_000L;
    /** How long a get waits for slots. */
    public long reserveSoftTimeoutNs = 10_000_000L;
    /** Claims that may wait for slots. */
    public int maxWaitingClaims = 1024;
    /** Settings of each owner. */
    public Supplier<OwnerSettings> ownerSettings = OwnerSettings::new;
    /** Changes the settings of the master. */
    public Consumer<MasterContext> masterSettings = (context) -> {};
    /** Changes the settings of each worker. */
    public Consumer<WorkerClientContext> workerSettings = (context) -> {};
    /** Digest of keys, at owners and master. */
    public Supplier<KeyDigest> digest = Xx128KeyDigest::new;
    /** Liveness timeout of the master for owners. */
    public long ownerLivenessTimeoutNs = 5_000_000_000L;
    /** Time to live of gets and reservations at the master. */
    public long inflightTtlNs = 60_000_000_000L;
}
