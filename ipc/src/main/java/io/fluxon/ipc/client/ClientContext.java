package io.fluxon.ipc.client;

import io.aeron.Aeron;

import io.fluxon.codecs.control.ClientRole;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.client.core.WorkerClientContext;

import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * Settings of a {@link FluxonClient}. Either {@link #ownerDirectory(String)} or {@link #aeronDirectoryName(String)}
 * names the owner.
 */
public final class ClientContext
{
    private String ownerDirectory;
    private String aeronDirectoryName;
    private Aeron aeron;
    private String clientName = "worker";
    private ClientRole role = ClientRole.WORKER;
    private String idleStrategy;
    private int maxKeys = 8192;
    private int maxOutstanding = WorkerClientContext.MAX_OUTSTANDING_DEFAULT;
    private long connectTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long resumeTimeoutNs = TimeUnit.SECONDS.toNanos(60);
    private long driverTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long putTimeoutNs = TimeUnit.SECONDS.toNanos(35);
    private long publishTimeoutNs = TimeUnit.SECONDS.toNanos(60);
    private long getTimeoutNs = TimeUnit.SECONDS.toNanos(10);

    /**
     * Checks the settings.
     *
     * @return this.
     */
    public ClientContext conclude()
    {
        requireNonNull(clientName, "clientName");
        requireNonNull(role, "role");
        if (null == ownerDirectory && null == aeronDirectoryName && null == aeron)
        {
            throw new IllegalArgumentException("one of ownerDirectory, aeronDirectoryName and aeron must be given");
        }
        if (null != idleStrategy)
        {
            IdleStrategies.byName(idleStrategy);
        }
        positive("maxKeys", maxKeys);
        positive("maxOutstanding", maxOutstanding);
        positive("connectTimeoutNs", connectTimeoutNs);
        positive("resumeTimeoutNs", resumeTimeoutNs);
        positive("driverTimeoutNs", driverTimeoutNs);
        positive("putTimeoutNs", putTimeoutNs);
        positive("publishTimeoutNs", publishTimeoutNs);
        positive("getTimeoutNs", getTimeoutNs);
        return this;
    }

    /**
     * Sets: directory of the owner that holds its owner.json; names the Aeron directory and the generation.
     *
     * @param value the directory.
     * @return this.
     */
    public ClientContext ownerDirectory(final String value)
    {
        ownerDirectory = value;
        return this;
    }

    /**
     * Directory of the owner that holds its owner.json; names the Aeron directory and the generation.
     *
     * @return the directory.
     */
    public String ownerDirectory()
    {
        return ownerDirectory;
    }

    /**
     * Sets: how long a session whose owner cannot be reached is tried to be resumed (contract API-10).
     *
     * @param value nanoseconds of own running time.
     * @return this.
     */
    public ClientContext resumeTimeoutNs(final long value)
    {
        resumeTimeoutNs = value;
        return this;
    }

    /**
     * How long a session whose owner cannot be reached is tried to be resumed (contract API-10).
     *
     * @return nanoseconds of own running time.
     */
    public long resumeTimeoutNs()
    {
        return resumeTimeoutNs;
    }

    /**
     * Sets: silence of the owner's media driver after which another connection to it is made.
     *
     * @param value nanoseconds.
     * @return this.
     */
    public ClientContext driverTimeoutNs(final long value)
    {
        driverTimeoutNs = value;
        return this;
    }

    /**
     * Silence of the owner's media driver after which another connection to it is made.
     *
     * @return nanoseconds.
     */
    public long driverTimeoutNs()
    {
        return driverTimeoutNs;
    }

    /**
     * Sets: directory of the owner's media driver; not needed when the owner's directory is given.
     *
     * @param value the directory.
     * @return this.
     */
    public ClientContext aeronDirectoryName(final String value)
    {
        aeronDirectoryName = value;
        return this;
    }

    /**
     * Directory of the owner's media driver; not needed when the owner's directory is given.
     *
     * @return the directory.
     */
    public String aeronDirectoryName()
    {
        return aeronDirectoryName;
    }

    /**
     * Sets: Aeron client to use; it is not closed with this client. One is made when it is null.
     *
     * @param value the Aeron client.
     * @return this.
     */
    public ClientContext aeron(final Aeron value)
    {
        aeron = value;
        return this;
    }

    /**
     * Aeron client to use; it is not closed with this client. One is made when it is null.
     *
     * @return the Aeron client.
     */
    public Aeron aeron()
    {
        return aeron;
    }

    /**
     * Sets: name for logs and counters.
     *
     * @param value the name.
     * @return this.
     */
    public ClientContext clientName(final String value)
    {
        clientName = value;
        return this;
    }

    /**
     * Name for logs and counters.
     *
     * @return the name.
     */
    public String clientName()
    {
        return clientName;
    }

    /**
     * Sets: role asked for.
     *
     * @param value the role.
     * @return this.
     */
    public ClientContext role(final ClientRole value)
    {
        role = value;
        return this;
    }

    /**
     * Role asked for.
     *
     * @return the role.
     */
    public ClientRole role()
    {
        return role;
    }

    /**
     * Sets: what a thread does that waits for an answer, one of {@link IdleStrategies}; null = backs off to 200 us.
     *
     * @param value name of the strategy, or null.
     * @return this.
     */
    public ClientContext idleStrategy(final String value)
    {
        idleStrategy = value;
        return this;
    }

    /**
     * What a thread does that waits for an answer, one of {@link IdleStrategies}; null = backs off to 200 us.
     *
     * @return name of the strategy, or null.
     */
    public String idleStrategy()
    {
        return idleStrategy;
    }

    /**
     * Sets: most keys of a call.
     *
     * @param value number of keys.
     * @return this.
     */
    public ClientContext maxKeys(final int value)
    {
        maxKeys = value;
        return this;
    }

    /**
     * Most keys of a call.
     *
     * @return number of keys.
     */
    public int maxKeys()
    {
        return maxKeys;
    }

    /**
     * Sets: most requests without an answer.
     *
     * @param value number of requests.
     * @return this.
     */
    public ClientContext maxOutstanding(final int value)
    {
        maxOutstanding = value;
        return this;
    }

    /**
     * Most requests without an answer.
     *
     * @return number of requests.
     */
    public int maxOutstanding()
    {
        return maxOutstanding;
    }

    /**
     * Sets: longest wait for the owner at connect.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public ClientContext connectTimeoutNs(final long value)
    {
        connectTimeoutNs = value;
        return this;
    }

    /**
     * Longest wait for the owner at connect.
     *
     * @return time in nanoseconds.
     */
    public long connectTimeoutNs()
    {
        return connectTimeoutNs;
    }

    /**
     * Sets: longest wait for the start, commit or abort of a put.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public ClientContext putTimeoutNs(final long value)
    {
        putTimeoutNs = value;
        return this;
    }

    /**
     * Longest wait for the start, commit or abort of a put.
     *
     * @return time in nanoseconds.
     */
    public long putTimeoutNs()
    {
        return putTimeoutNs;
    }

    /**
     * Sets: longest wait of put(key, value) for the global commit.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public ClientContext publishTimeoutNs(final long value)
    {
        publishTimeoutNs = value;
        return this;
    }

    /**
     * Longest wait of put(key, value) for the global commit.
     *
     * @return time in nanoseconds.
     */
    public long publishTimeoutNs()
    {
        return publishTimeoutNs;
    }

    /**
     * Sets: longest wait of the calls that read.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public ClientContext getTimeoutNs(final long value)
    {
        getTimeoutNs = value;
        return this;
    }

    /**
     * Longest wait of the calls that read.
     *
     * @return time in nanoseconds.
     */
    public long getTimeoutNs()
    {
        return getTimeoutNs;
    }

    private static void positive(final String name, final long value)
    {
        if (value < 1)
        {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
