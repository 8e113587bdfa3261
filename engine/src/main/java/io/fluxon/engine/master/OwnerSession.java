package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the master knows of one generation of an owner. Live, it has a session and a tenure. When it is not heard from
 * it becomes gone: its tenure ends, its recorded outcomes are kept, since the same generation may come back.
 */
final class OwnerSession
{
    private final int ownerId;
    private final long generation;
    private final OutcomeLog outcomes;
    private final ExpandableArrayBuffer lastReport = new ExpandableArrayBuffer(64);
    private long sessionId;
    private long connectionId;
    private int tenure = Tenures.NONE;
    private long tenureId;
    private boolean isReconciled;
    private long partsReported;
    private long partPending;
    private int lastReportLength;
    private OwnerRole role;
    private long segmentLength;
    private String responseChannel;
    private String segmentPath;
    private String name;
    private String hostName;
    private String transferAddress;
    private OutboundQueue outbound;
    private long lastHeardNs;
    private long goneSinceNs;
    private long registerCorrelationId;
    private long knownPeerVersion;
    private long freeBytes;
    private long usedBytes;
    private long evictableBytes;
    private long expectedBytes;
    private long filledBytes;
    private long joinedNs;
    private long placementTurn;
    private boolean hasSpoken;
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
        transferAddress = registration.transferAddress();
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
        if (tenure != this.tenure)
        {
            tenureId = sessionId;
            joinedNs = nowNs;
            hasSpoken = false;
            placementTurn = 0;
            outcomes.tenure(sessionId);
        }
        this.sessionId = sessionId;
        this.connectionId = connectionId;
        this.registerCorrelationId = registerCorrelationId;
        this.tenure = tenure;
        lastHeardNs = nowNs;
        knownPeerVersion = 0;
    }

    /** A report is to begin, or none is needed. */
    void mustReport(final boolean isReportNeeded)
    {
        isReconciled = !isReportNeeded;
        partsReported = 0;
        partPending = 0;
        lastReportLength = 0;
    }

    /** Are all committed values of the owner known, so that its operations may be executed (contract LIFE-4)? */
    boolean isReconciled()
    {
        return isReconciled;
    }

    /** Names the time in which the owner is live without a break; never used again. */
    long tenureId()
    {
        return tenureId;
    }

    /** Parts of the report that are carried out. */
    long partsReported()
    {
        return partsReported;
    }

    /** Part of the report that is being carried out, 0 = none. */
    long partPending()
    {
        return partPending;
    }

    void partPending(final long part)
    {
        partPending = part;
    }

    /** A part of the report is carried out; its answer is kept until the next one is. */
    void reported(final long part, final boolean isLast, final DirectBuffer answer)
    {
        partsReported = part;
        partPending = 0;
        lastReportLength = answer.capacity();
        lastReport.putBytes(0, answer, 0, lastReportLength);
        isReconciled |= isLast;
    }

    /** Answer to the last part of the report that was carried out. */
    MutableDirectBuffer lastReport()
    {
        return lastReport;
    }

    int lastReportLength()
    {
        return lastReportLength;
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

    String transferAddress()
    {
        return transferAddress;
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

    void space(final long freeBytes, final long usedBytes, final long evictableBytes)
    {
        this.freeBytes = freeBytes;
        this.usedBytes = usedBytes;
        this.evictableBytes = evictableBytes;
        filledBytes = 0;
        hasSpoken = true;
    }

    /** Has the owner said in this tenure how much room it has? */
    boolean hasSpoken()
    {
        return hasSpoken;
    }

    /** Time at which the tenure began. */
    long joinedNs()
    {
        return joinedNs;
    }

    /** A replica task will bring bytes to this owner. */
    void expect(final long bytes)
    {
        expectedBytes += bytes;
    }

    /** A replica task has ended; what it has filled counts until the owner speaks of its room again. */
    void expectNoMore(final long bytes, final boolean isFilled)
    {
        expectedBytes -= bytes;
        filledBytes += isFilled ? bytes : 0;
    }

    /** Free bytes that nothing is on its way to, as far as is known; less than 0 when some are to be evicted for it. */
    long freeRoomBytes()
    {
        return freeBytes - expectedBytes - filledBytes;
    }

    /** Bytes that copies can have, in place of values that its hot windows give up for them (contract CAP-1). */
    long roomBytes()
    {
        return freeRoomBytes() + evictableBytes;
    }

    /** Credit of the owner in the turn of {@link Placement}. */
    long placementTurn()
    {
        return placementTurn;
    }

    void placementTurn(final long turn)
    {
        placementTurn = turn;
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

    /**
     * Takes out an operation that waits behind the one that is being executed.
     *
     * @return the operation, or null when none with this id waits.
     */
    Operation removeWaiting(final long operationId)
    {
        Operation previous = head;
        while (null != previous && null != previous.next &&
            (!previous.next.isRecorded || operationId != previous.next.operationId))
        {
            previous = previous.next;
        }
        if (null == previous || null == previous.next)
        {
            return null;
        }

        final Operation operation = previous.next;
        previous.next = operation.next;
        operation.next = null;
        tail = null == previous.next ? previous : tail;
        queued--;

        return operation;
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
