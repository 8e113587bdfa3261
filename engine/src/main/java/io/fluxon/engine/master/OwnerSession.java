package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.ipc.channel.OutboundQueue;

/**
 * What the master knows of one generation of an owner. Live, it has a session and a tenure. When it is not heard from
 * it becomes gone: its tenure ends, its recorded outcomes are kept, since the same generation may come back.
 */
final class OwnerSession
{
    private final int ownerId;
    private final long generation;
    private final OutcomeLog outcomes;
    private long sessionId;
    private long connectionId;
    private int tenure = Tenures.NONE;
    private OwnerRole role;
    private long segmentLength;
    private String responseChannel;
    private String segmentPath;
    private String name;
    private String hostName;
    private OutboundQueue outbound;
    private long lastHeardNs;
    private long goneSinceNs;
    private long registerCorrelationId;
    private long knownPeerVersion;
    private long freeBytes;
    private long usedBytes;
    private Operation head;
    private Operation tail;
    private int queued;

    OwnerSession(final int ownerId, final long generation, final OutcomeLog outcomes)
    {
        this.ownerId = ownerId;
        this.generation = generation;
        this.outcomes = outcomes;
    }

    void registration(final Registration registration, final OutboundQueue outbound)
    {
        role = registration.role();
        segmentLength = registration.segmentLength();
        responseChannel = registration.responseChannel();
        segmentPath = registration.segmentPath();
        name = registration.name();
        hostName = registration.hostName();
        this.outbound = outbound;
    }

    void closeOutbound()
    {
        if (null != outbound)
        {
            outbound.close();
            outbound = null;
        }
    }

    void begin(
        final long sessionId,
        final long connectionId,
        final long registerCorrelationId,
        final int tenure,
        final long nowNs)
    {
        this.sessionId = sessionId;
        this.connectionId = connectionId;
        this.registerCorrelationId = registerCorrelationId;
        this.tenure = tenure;
        lastHeardNs = nowNs;
        knownPeerVersion = 0;
    }

    void gone(final long nowNs)
    {
        tenure = Tenures.NONE;
        goneSinceNs = nowNs;
    }

    boolean isSameProcess(final Registration registration)
    {
        return segmentPath.equals(registration.segmentPath()) && hostName.equals(registration.hostName());
    }

    boolean isLive()
    {
        return Tenures.NONE != tenure;
    }

    int ownerId()
    {
        return ownerId;
    }

    long generation()
    {
        return generation;
    }

    OutcomeLog outcomes()
    {
        return outcomes;
    }

    long sessionId()
    {
        return sessionId;
    }

    long connectionId()
    {
        return connectionId;
    }

    int tenure()
    {
        return tenure;
    }

    OwnerRole role()
    {
        return role;
    }

    long segmentLength()
    {
        return segmentLength;
    }

    String responseChannel()
    {
        return responseChannel;
    }

    String segmentPath()
    {
        return segmentPath;
    }

    String name()
    {
        return name;
    }

    String hostName()
    {
        return hostName;
    }

    /** Queue to the owner, null when its channel was closed after it had gone. */
    OutboundQueue outbound()
    {
        return outbound;
    }

    long registerCorrelationId()
    {
        return registerCorrelationId;
    }

    void heard(final long nowNs)
    {
        lastHeardNs = nowNs;
    }

    long lastHeardNs()
    {
        return lastHeardNs;
    }

    long goneSinceNs()
    {
        return goneSinceNs;
    }

    long knownPeerVersion()
    {
        return knownPeerVersion;
    }

    void knownPeerVersion(final long version)
    {
        knownPeerVersion = version;
    }

    void space(final long freeBytes, final long usedBytes)
    {
        this.freeBytes = freeBytes;
        this.usedBytes = usedBytes;
    }

    long freeBytes()
    {
        return freeBytes;
    }

    long usedBytes()
    {
        return usedBytes;
    }

    Operation head()
    {
        return head;
    }

    int queued()
    {
        return queued;
    }

    void enqueue(final Operation operation)
    {
        if (null == tail)
        {
            head = operation;
        }
        else
        {
            tail.next = operation;
        }
        tail = operation;
        queued++;
    }

    Operation dequeue()
    {
        final Operation operation = head;
        head = operation.next;
        if (null == head)
        {
            tail = null;
        }
        operation.next = null;
        queued--;

        return operation;
    }
}
