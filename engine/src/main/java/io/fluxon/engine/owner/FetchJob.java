package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.Arrays;

/**
 * Asks the master for the flights that a read leads, or several reads within a window, with one batch get start
 * (contract G8, G9), and revokes those that nobody wants before their payload moves. What moves belongs to the {@link
 * PullJob} of the read that asks for it. It outlives the reads (contract GET-5). Pooled.
 */
final class FetchJob extends Job implements OperationListener
{
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
        /** Waits for the end of its flights, and revokes. */
        RUNNING
    }

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BatchGetStartRequestEncoder request = new BatchGetStartRequestEncoder();
    private final BatchGetStartResponseDecoder response = new BatchGetStartResponseDecoder();
    private final RevokeBatch revokes;
    private BatchGetStartRequestEncoder.KeysEncoder keys;
    private BatchGetStartResponseDecoder.ItemsDecoder items;
    private Flight[] flights = new Flight[64];
    private State state = State.FREE;
    private String reason;
    private long startOperationId;
    private int count;
    private int live;
    private int cursor;

    FetchJob(final OwnerCore core)
    {
        this.core = core;
        revokes = new RevokeBatch(core);
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
        state(State.COLLECTING, "first leader");

        return this;
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

    /** Operation that asked the master: with the index it names a get there. */
    long startOperationId()
    {
        return startOperationId;
    }

    /** The master is to end a get whose source it leased. */
    void revoke(final Flight flight)
    {
        revokes.add(startOperationId, flight.index, false);
        core.resume(this);
    }

    void onFlightEnded(final Flight flight)
    {
        flights[flight.index] = null;
        live--;
        if (0 == live)
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
        revokes.add(startOperationId, RevokeBatch.WHOLE_OPERATION, false);
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
        flight.sourceOwnerId = item.sourceOwnerId();
        flight.sourceGeneration = item.sourceGeneration();
        if (core.context.ownerId() == item.sourceOwnerId())
        {
            revoke(flight);
            core.flights.fail(flight, "own source");
        }
        else
        {
            core.flights.onSource(flight);
        }
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
        if (!revokes.isEmpty() && !revokes.send())
        {
            return stalled();
        }

        if (0 == live)
        {
            free();
        }

        return false;
    }

    private void free()
    {
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
