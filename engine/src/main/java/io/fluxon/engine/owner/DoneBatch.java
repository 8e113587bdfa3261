package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.ArrayList;

/**
 * Confirms to the master what has arrived from one source (contract G8), repeated until there is an answer (contract
 * T1), and then ends the flights. Pooled.
 */
final class DoneBatch extends Job implements OperationListener
{
    /**
     * Life of a confirmation.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** The request is encoded. */
        ENCODING,
        /** Waits for the master's answer. */
        ASKED,
        /** The answer is carried out. */
        APPLYING,
        /** What is committed now comes into the hot window (contract A1, V3). */
        ADMITTING
    }

    private static final int MIN_CAPACITY = 64;

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ArrayList<Flight> flights = new ArrayList<>();
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BatchGetDoneRequestEncoder request = new BatchGetDoneRequestEncoder();
    private final BatchGetDoneResponseDecoder response = new BatchGetDoneResponseDecoder();
    private BatchGetDoneRequestEncoder.ItemsEncoder encoder;
    private BatchGetDoneResponseDecoder.ItemsDecoder items;
    private int[] slots = new int[MIN_CAPACITY];
    private long[] uses = new long[MIN_CAPACITY];
    private int[] parents = new int[MIN_CAPACITY];
    private long[] parentUses = new long[MIN_CAPACITY];
    private boolean[] isBehindFlight = new boolean[MIN_CAPACITY];
    private State state = State.FREE;
    private ReplicaPull group;
    private int cursor;
    private boolean isRefused;

    DoneBatch(final OwnerCore core)
    {
        this.core = core;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.BATCH_GET_DONES;
        operation.hasWatermark = true;
    }

    /**
     * Begins.
     *
     * @param arrived flights.
     * @param ofGroup that wants all of them appended or none, null = each for itself.
     * @param nowNs   time.
     */
    void start(final ArrayList<Flight> arrived, final ReplicaPull ofGroup, final long nowNs)
    {
        group = ofGroup;
        final int count = arrived.size();
        for (int i = 0; i < count; i++)
        {
            flights.add(arrived.get(i));
        }
        if (slots.length < count)
        {
            slots = new int[count];
            uses = new long[count];
            parents = new int[count];
            parentUses = new long[count];
            isBehindFlight = new boolean[count];
        }
        state(State.ENCODING);
        core.jobs.start(this, nowNs);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case ENCODING -> encode();
            case APPLYING -> apply();
            case ADMITTING -> admit();
            case FREE, ASKED -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer message)
    {
        if (BatchGetDoneResponseDecoder.TEMPLATE_ID == templateId)
        {
            answer.putBytes(0, message, 0, message.capacity());
            items = response.wrap(
                answer,
                MasterOperation.BLOCK_OFFSET,
                BatchGetDoneResponseDecoder.BLOCK_LENGTH,
                BatchGetDoneResponseDecoder.SCHEMA_VERSION).items();
            if (items.count() != flights.size())
            {
                core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
                return;
            }
            isRefused = false;
        }
        else if (core.master.ackStatus(templateId, message) > ErrorCode.OK)
        {
            isRefused = true;
        }
        else
        {
            return;
        }

        core.master.close(operation);
        core.master.beginApplying();
        core.counters.add(OwnerCounter.GETS_DONE, flights.size());
        if (null != group)
        {
            group.onAnswered();
        }
        state(State.APPLYING);
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        throw new InvariantViolation("a get done was given up");
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("get done broke while " + state + ": " + cause);
    }

    private boolean encode()
    {
        if (0 == cursor)
        {
            if (OperationIds.NONE == core.master.open(operation))
            {
                return stalled();
            }

            encoder = request.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(operation.operationId)
                .replicaTaskId(null == group ? 0 : group.taskId())
                .itemsCount(flights.size());
        }

        final int end = core.sliceEnd(cursor, flights.size());
        for (int i = cursor; i < end; i++)
        {
            encode(flights.get(i));
        }
        cursor = end;
        if (end < flights.size())
        {
            return true;
        }

        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.ASKED);
        core.master.send(operation, Long.MAX_VALUE);

        return false;
    }

    private void encode(final Flight flight)
    {
        final int slotId = flight.slotId;
        final SlotTable table = core.table;
        encoder.next()
            .startOperationId(flight.fetch.startOperationId())
            .index(flight.index)
            .checksum(flight.checksum);
        encoder.backing()
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(core.pool.offset(slotId));
    }

    private boolean apply()
    {
        final int end = core.sliceEnd(cursor, flights.size());
        for (int i = cursor; i < end; i++)
        {
            final Flight flight = flights.get(i);
            note(i, flight);
            if (isRefused)
            {
                core.flights.fail(flight, "get done refused");
            }
            else
            {
                final BatchGetDoneResponseDecoder.ItemsDecoder item = items.next();
                final int code = item.code();
                core.counters.add(
                    OwnerCounter.REPLICA_PAGES_APPENDED, null != group && ErrorCode.OK == code ? 1 : 0);
                final PutIdDecoder canonical = item.canonical();
                core.flights.onDone(
                    flight, code, canonical.ownerId(), canonical.generation(), canonical.sequence());
            }
        }
        cursor = end;
        if (end < flights.size())
        {
            return true;
        }

        core.master.endApplying();
        state(State.ADMITTING);

        return true;
    }

    /** The flight is another one when its value is admitted. */
    private void note(final int index, final Flight flight)
    {
        slots[index] = flight.slotId;
        uses[index] = core.table.useCounter(flight.slotId);
        parents[index] = flight.parentSlot;
        parentUses[index] = flight.parentUse;
        isBehindFlight[index] = flight.isBehindFlight;
    }

    /**
     * The pages of each read as one run, with the page before them that was here. What has not been committed, or is
     * not any more, has its slot used otherwise, or not awaiting.
     */
    private boolean admit()
    {
        final int count = flights.size();
        core.budget.charge(count);
        core.windows.beginRun();
        for (int i = 0; i < count; i++)
        {
            if (!isBehindFlight[i] || core.windows.isRunFull())
            {
                core.windows.admitRun();
                core.windows.beginRun();
                appendIf(parents[i], parentUses[i], Residence.HOT);
            }
            appendIf(slots[i], uses[i], Residence.AWAITING);
        }
        core.windows.admitRun();

        flights.clear();
        group = null;
        encoder = null;
        items = null;
        state(State.FREE);
        core.flights.free(this);

        return false;
    }

    /** What stands for a value of a put that is running is admitted with the others of that put (contract A1). */
    private void appendIf(final int slotId, final long use, final Residence residence)
    {
        if (SlotTable.NONE != slotId && use == core.table.useCounter(slotId) &&
            residence == core.table.residence(slotId) && !core.publishes.isRunning(core.table.jobId(slotId)))
        {
            core.windows.append(slotId);
        }
    }

    private void state(final State next)
    {
        state = next;
        cursor = 0;
    }
}
