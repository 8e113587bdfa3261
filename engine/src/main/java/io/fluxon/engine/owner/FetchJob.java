package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetRevokeRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * Executes the flights that a read has started, or several reads within a window (contract G8, G9): one batch get
 * start, then per source owner the transfers and one batch get done, and revokes in batches. It outlives the reads
 * (contract GET-5). Pooled.
 */
final class FetchJob extends Job implements OperationListener
{
    /** Index in a revoke that names the whole operation. */
    static final int WHOLE_OPERATION = -1;

    /** In the queue of revokes, beside an index: the bytes were wrong. */
    private static final int MISMATCH = 1 << 30;

    /**
     * Life of a fetch job.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Its read is being planned. */
        COLLECTING,
        /** Complete, and waits for leaders of other reads (contract G9). */
        GATHERING,
        /** The batch get start is encoded. */
        ENCODING,
        /** Waits for the master's answer. */
        ASKED,
        /** The answer is carried out. */
        SCATTERING,
        /** There is no answer: its flights end as misses. */
        FAILING,
        /** Transfers, confirmations and revokes. */
        RUNNING
    }

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BatchGetStartRequestEncoder request = new BatchGetStartRequestEncoder();
    private final BatchGetStartResponseDecoder response = new BatchGetStartResponseDecoder();
    private final BatchGetRevokeRequestEncoder revokeRequest = new BatchGetRevokeRequestEncoder();
    private final ArrayList<FetchPart> parts = new ArrayList<>();
    private final ArrayList<Flight> together = new ArrayList<>();
    private BatchGetStartRequestEncoder.KeysEncoder keys;
    private BatchGetStartResponseDecoder.ItemsDecoder items;
    private Flight[] flights = new Flight[64];
    private int[] transferQueue = new int[64];
    private int[] checksumQueue = new int[64];
    private int[] revokeQueue = new int[64];
    private State state = State.FREE;
    private String reason;
    private long startOperationId;
    private int count;
    private int live;
    private int cursor;
    private int transferHead;
    private int transferTail;
    private int checksumHead;
    private int checksumTail;
    private int revokeCount;
    private int submissions;
    private int holds;
    private boolean isWholeToRevoke;
    private ReplicaPull pull;

    FetchJob(final OwnerCore core)
    {
        this.core = core;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.BATCH_GET_STARTS;
        operation.hasWatermark = true;
    }

    /** A read of so many keys begins to collect its leaders. */
    FetchJob begin(final int maxKeys)
    {
        ensureCapacity(maxKeys);
        count = 0;
        live = 0;
        transferHead = 0;
        transferTail = 0;
        checksumHead = 0;
        checksumTail = 0;
        revokeCount = 0;
        isWholeToRevoke = false;
        pull = null;
        state(State.COLLECTING, "first leader");

        return this;
    }

    /** What arrives is confirmed by one message, all or nothing, as long as the pull wants it (contract REPL-1). */
    FetchJob together(final ReplicaPull ofPull)
    {
        pull = ofPull;

        return this;
    }

    /** The pull has given up: what other reads want is confirmed as for a read. */
    void notTogether()
    {
        pull = null;
        core.resume(this);
    }

    State state()
    {
        return state;
    }

    void add(final Flight flight)
    {
        flight.fetch = this;
        flight.index = count;
        flights[count++] = flight;
        live++;
    }

    /** Number of leaders. */
    int count()
    {
        return count;
    }

    /** Waits for leaders of other reads, so many in all at most. */
    void gather(final int maxLeaders)
    {
        ensureCapacity(maxLeaders);
        state(State.GATHERING, "another start is in flight");
    }

    /** Takes the leaders of another read, whose own job ends with that. */
    void takeOver(final FetchJob other)
    {
        for (int i = 0; i < other.count; i++)
        {
            add(other.flights[i]);
            other.flights[i] = null;
        }
        other.live = 0;
        other.free();
    }

    /** The leaders are complete: the master is asked. */
    void ask(final long nowNs)
    {
        state(State.ENCODING, "planned");
        core.jobs.start(this, nowNs);
    }

    /** The read ended before the master was asked: its flights are misses (contract GET-5). */
    void abandon()
    {
        state(State.FAILING, "read ended");
        core.resume(this);
    }

    void requestTransfer(final Flight flight)
    {
        flight.part.moving++;
        transferQueue[transferTail++] = flight.index;
        core.resume(this);
    }

    /** A read asks for more transfers than one step of it can: until {@link #release()} they wait for each other. */
    void hold()
    {
        holds++;
    }

    /** The read has asked for all. */
    void release()
    {
        holds--;
        core.resume(this);
    }

    void requestChecksum(final Flight flight)
    {
        checksumQueue[checksumTail++] = flight.index;
        core.resume(this);
    }

    /** The master is to end a get whose source it leased. */
    void revokeAtMaster(final Flight flight)
    {
        revokeQueue[revokeCount++] = flight.index;
        core.resume(this);
    }

    /** A transfer has not brought what is wanted: the get is ended with the others of its source (contract G8). */
    void revokeWithPart(final Flight flight)
    {
        flight.part.failed.addInt(flight.index);
    }

    /** A transfer has brought other bytes than the source published: likewise, and it is to look at them. */
    void revokeWrong(final Flight flight)
    {
        flight.part.wrong.addInt(flight.index);
    }

    void onFlightEnded(final Flight flight)
    {
        flights[flight.index] = null;
        live--;
        if (0 == live || null != pull)
        {
            core.resume(this);
        }
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case ENCODING -> encode(nowNs);
            case SCATTERING -> scatter();
            case FAILING -> failAll();
            case RUNNING -> run();
            case FREE, COLLECTING, GATHERING, ASKED -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer message)
    {
        if (BatchGetStartResponseDecoder.TEMPLATE_ID == templateId)
        {
            answer.putBytes(0, message, 0, message.capacity());
            items = response.wrap(
                answer,
                MasterOperation.BLOCK_OFFSET,
                BatchGetStartResponseDecoder.BLOCK_LENGTH,
                BatchGetStartResponseDecoder.SCHEMA_VERSION).items();
            if (items.count() != count)
            {
                core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
                return;
            }
            core.master.close(operation);
            asked(State.SCATTERING, "answered");
        }
        else if (core.master.ackStatus(templateId, message) > ErrorCode.OK)
        {
            core.master.close(operation);
            asked(State.FAILING, "refused");
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        isWholeToRevoke = true;
        asked(State.FAILING, "no answer in time");
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("fetch job broke while " + state + " after " + reason + ": " + cause);
    }

    private void ensureCapacity(final int maxKeys)
    {
        if (flights.length < maxKeys)
        {
            flights = Arrays.copyOf(flights, maxKeys);
            transferQueue = new int[maxKeys];
            checksumQueue = new int[maxKeys];
            revokeQueue = new int[maxKeys];
        }
    }

    private void asked(final State next, final String why)
    {
        core.flights.starts().onAsked(core.nowNs());
        state(next, why);
        core.resume(this);
    }

    private boolean encode(final long nowNs)
    {
        if (0 == cursor)
        {
            if (!core.master.isAvailable() || OperationIds.NONE == core.master.open(operation))
            {
                core.flights.starts().onAsked(nowNs);
                return state(State.FAILING, "master away");
            }

            startOperationId = operation.operationId;
            keys = request.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(startOperationId)
                .keysCount(count);
        }

        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            final Flight flight = flights[i];
            keys.next().putKey(flight.key, 0, flight.keyLength);
        }
        cursor = end;
        if (end < count)
        {
            return true;
        }

        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.ASKED, "request complete");
        core.master.send(operation, nowNs + core.settings.getTimeoutNs());

        return false;
    }

    private boolean scatter()
    {
        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            scatter(flights[i], items.next());
        }
        cursor = end;

        return end < count || state(State.RUNNING, "answer carried out");
    }

    private void scatter(final Flight flight, final BatchGetStartResponseDecoder.ItemsDecoder item)
    {
        if (ErrorCode.OK != item.code())
        {
            core.flights.fail(flight, "miss");
            return;
        }

        core.counters.increment(OwnerCounter.GETS_STARTED);
        final PutIdDecoder version = item.version();
        flight.putOwnerId = version.ownerId();
        flight.putGeneration = version.generation();
        flight.putSequence = version.sequence();
        flight.valueLength = item.valueLength();
        flight.checksum = item.checksum();
        flight.sourceOffset = item.sourceOffset();
        flight.part = part(item.sourceOwnerId(), item.sourceGeneration());
        if (core.context.ownerId() == item.sourceOwnerId())
        {
            revokeAtMaster(flight);
            core.flights.fail(flight, "own source");
        }
        else
        {
            core.flights.onSource(flight);
        }
    }

    private FetchPart part(final int ownerId, final long generation)
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final FetchPart part = parts.get(i);
            if (ownerId == part.ownerId && generation == part.generation)
            {
                return part;
            }
        }

        final FetchPart part = core.flights.takePart(ownerId, generation);
        parts.add(part);

        return part;
    }

    private boolean failAll()
    {
        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            if (null != flights[i])
            {
                core.flights.fail(flights[i], reason);
            }
        }
        cursor = end;

        return end < count || state(State.RUNNING, "flights failed");
    }

    private boolean run()
    {
        final int before = transferHead + checksumHead;
        final boolean isMore = runTransfers() | runChecksums();
        final boolean hasMoved = before != transferHead + checksumHead;
        settle();
        if ((revokeCount > 0 || isWholeToRevoke) && !revoke())
        {
            return hasMoved || stalled();
        }

        if (0 == live + submissions + holds)
        {
            free();
            return false;
        }

        return isMore && (hasMoved || stalled());
    }

    private void settle()
    {
        int moving = 0;
        int arrived = 0;
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final FetchPart part = parts.get(i);
            moving += part.moving;
            arrived += part.arrived.size();
            if (0 == part.moving)
            {
                settle(part);
            }
        }

        if (null != pull && 0 == moving && arrived > 0 && arrived == live)
        {
            confirmTogether();
        }
    }

    /** All that was not here has arrived: it is confirmed in the order of the group. */
    private void confirmTogether()
    {
        for (int i = 0; i < count; i++)
        {
            if (null != flights[i])
            {
                together.add(flights[i]);
            }
        }
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            parts.get(i).arrived.clear();
        }
        core.budget.charge(count);
        core.counters.add(OwnerCounter.REPLICA_PAGES_TRANSFERRED, together.size());
        pull.onAppending();
        core.flights.takeDone().start(together, startOperationId, pull, core.nowNs());
        together.clear();
    }

    private void settle(final FetchPart part)
    {
        if (null == pull && !part.arrived.isEmpty())
        {
            core.flights.takeDone().start(part.arrived, startOperationId, null, core.nowNs());
            part.arrived.clear();
        }

        for (int i = 0, size = part.failed.size(); i < size; i++)
        {
            revokeQueue[revokeCount++] = part.failed.getInt(i);
        }
        part.failed.clear();
        for (int i = 0, size = part.wrong.size(); i < size; i++)
        {
            revokeQueue[revokeCount++] = part.wrong.getInt(i) | MISMATCH;
        }
        part.wrong.clear();
    }

    /** Offers a slice of transfers; of a batch that needs several, they go out together (contract G8). */
    private boolean runTransfers()
    {
        int budget = core.settings.planSliceKeys();
        final boolean isLong = holds > 0 || transferTail - transferHead > budget;
        while (transferHead < transferTail && budget > 0)
        {
            final Flight flight = flights[transferQueue[transferHead]];
            if (null != flight && Flight.Phase.STARTED == flight.phase)
            {
                if (isLong && !beginSubmission(flight.part) || !offer(flight))
                {
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    return true;
                }
                flight.isInMotion = true;
                core.counters.increment(OwnerCounter.DESCRIPTORS);
            }
            transferHead++;
            core.budget.charge(1);
            budget--;
        }

        return transferHead < transferTail || 0 == holds && submissions > 0 && !endSubmissions();
    }

    private boolean offer(final Flight flight)
    {
        return core.context.transferQueue().offer(
            flight.flightId,
            flight.part.batchId,
            flight.part.ownerId,
            flight.part.generation,
            flight.sourceOffset,
            core.pool.offset(flight.slotId),
            flight.valueLength);
    }

    private boolean beginSubmission(final FetchPart part)
    {
        if (!part.isGathering &&
            core.context.transferQueue().gather(part.batchId, part.ownerId, part.generation))
        {
            part.isGathering = true;
            submissions++;
        }

        return part.isGathering;
    }

    /** Lets go what was gathered; false when the queue is full. */
    private boolean endSubmissions()
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final FetchPart part = parts.get(i);
            if (part.isGathering)
            {
                if (!core.context.transferQueue().submit(part.batchId, part.ownerId, part.generation))
                {
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    return false;
                }
                part.isGathering = false;
                submissions--;
            }
        }

        return true;
    }

    private boolean runChecksums()
    {
        int budget = core.settings.planSliceKeys();
        while (checksumHead < checksumTail && budget > 0)
        {
            final Flight flight = flights[checksumQueue[checksumHead]];
            if (!core.context.checksumQueue().offer(
                flight.flightId << OwnerCore.CHECKSUM_KIND_BITS | OwnerCore.CHECKSUM_OF_FLIGHT,
                core.pool.offset(flight.slotId),
                flight.valueLength))
            {
                core.counters.increment(OwnerCounter.QUEUE_FULL);
                return true;
            }
            checksumHead++;
            core.budget.charge(1);
            budget--;
        }

        return checksumHead < checksumTail;
    }

    /** Sends one revoke for all gets that are due; false when no operation id is free. */
    private boolean revoke()
    {
        final MasterOperation revoke = core.flights.takeRevoke();
        if (OperationIds.NONE == core.master.open(revoke))
        {
            core.flights.free(revoke);
            return false;
        }

        final int revokes = isWholeToRevoke ? 1 : revokeCount;
        final BatchGetRevokeRequestEncoder.ItemsEncoder encoder = revokeRequest
            .wrapAndApplyHeader(revoke.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(revoke.operationId)
            .itemsCount(revokes);
        for (int i = 0; i < revokes; i++)
        {
            encoder.next()
                .startOperationId(startOperationId)
                .index(isWholeToRevoke ? WHOLE_OPERATION : revokeQueue[i] & ~MISMATCH)
                .mismatch((short)(isWholeToRevoke || 0 == (revokeQueue[i] & MISMATCH) ? 0 : 1));
        }
        revoke.length = MessageHeaderEncoder.ENCODED_LENGTH + revokeRequest.encodedLength();
        core.counters.add(OwnerCounter.GETS_REVOKED, isWholeToRevoke ? 0 : revokes);
        isWholeToRevoke = false;
        revokeCount = 0;
        core.master.send(revoke, Long.MAX_VALUE);

        return true;
    }

    private void free()
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            core.flights.free(parts.get(i));
        }
        parts.clear();
        if (null != pull)
        {
            pull.onFetchEnded();
            pull = null;
        }
        keys = null;
        items = null;
        state(State.FREE, "done");
        core.flights.free(this);
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
