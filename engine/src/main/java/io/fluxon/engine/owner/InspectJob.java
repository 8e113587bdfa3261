package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.codecs.control.InspectRequestDecoder;
import io.fluxon.codecs.control.InspectResponseEncoder;
import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.RouteInspectRequestEncoder;
import io.fluxon.codecs.control.RouteInspectResponseDecoder;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Shows what this owner has of a key, slot, grant or cohort, and what the master has of the key. It looks only: a value
 * is neither held nor renewed by it (contract PRESS-2). Slots are looked at in slices (contract G10), so those of a
 * grant or cohort are not all of one moment. Pooled.
 */
final class InspectJob extends Job implements OperationListener
{
    /** Most slots that one answer shows; it says how many there are. */
    static final int MAX_SHOWN = 256;

    /**
     * Life of a look.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** The slots are found. */
        LOOKING,
        /** The master is asked for the route of the key. */
        ASKING,
        /** Waits for the master. */
        ASKED,
        /** The slots are encoded. */
        ENCODING,
        /** Tells the worker. */
        ANSWERING
    }

    private final OwnerCore core;
    private final SlotTable table;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(512);
    private final ExpandableArrayBuffer route = new ExpandableArrayBuffer(512);
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(512);
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final IntArrayList shown = new IntArrayList(16, SlotTable.NONE);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final InspectRequestDecoder decoder = new InspectRequestDecoder();
    private final RouteInspectRequestEncoder request = new RouteInspectRequestEncoder();
    private final RouteInspectResponseDecoder response = new RouteInspectResponseDecoder();
    private final InspectResponseEncoder encoder = new InspectResponseEncoder();
    private InspectResponseEncoder.SlotsEncoder slots;
    private State state = State.FREE;
    private WorkerSession session;
    private long requestId;
    private long deadlineNs;
    private boolean isRouteKnown;
    private int cursor;
    private int first;
    private int members;

    InspectJob(final OwnerCore core)
    {
        this.core = core;
        table = core.table;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.ROUTE_INSPECTS;
        operation.hasWatermark = false;
    }

    void start(
        final WorkerSession ofSession, final long ofRequestId, final long timeoutNs, final DirectBuffer source)
    {
        session = ofSession;
        requestId = ofRequestId;
        deadlineNs = core.nowNs() +
            (timeoutNs > 0 ? Math.min(timeoutNs, core.settings.getTimeoutNs()) : core.settings.getTimeoutNs());
        message.putBytes(0, source, 0, source.capacity());
        decoder.wrap(
            message,
            MasterOperation.BLOCK_OFFSET,
            InspectRequestDecoder.BLOCK_LENGTH,
            InspectRequestDecoder.SCHEMA_VERSION);
        decoder.wrapKey(key);
        shown.clear();
        isRouteKnown = false;
        first = SlotTable.NONE;
        members = 0;
        state(State.LOOKING);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case LOOKING -> look();
            case ASKING -> ask();
            case ENCODING -> encode();
            case ANSWERING -> answer();
            case FREE, ASKED -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer source)
    {
        if (RouteInspectResponseDecoder.TEMPLATE_ID == templateId)
        {
            route.putBytes(0, source, 0, source.capacity());
            isRouteKnown = true;
        }
        else if (core.master.ackStatus(templateId, source) <= ErrorCode.OK)
        {
            return;
        }

        core.master.close(operation);
        state(State.ENCODING);
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        core.master.complete(givenUp.operationId);
        state(State.ENCODING);
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        core.master.close(operation);
        refuse(ErrorCode.UNKNOWN, "internal error");
    }

    private boolean look()
    {
        return switch (decoder.subject())
        {
            case KEY -> isKeyRefused() ? done() : lookAtKey();
            case COHORT -> isKeyRefused() ? done() : lookAtCohort();
            case SLOT -> isGrantRefused() ? done() : lookAtSlot();
            case GRANT -> isGrantRefused() ? done() : lookAtGrant();
            default -> refuse(ErrorCode.INVALID_ARGUMENT, "subject: is none of KEY, SLOT, GRANT, COHORT");
        };
    }

    private boolean isKeyRefused()
    {
        final boolean isKey = MessageCheck.isKey(key, 0, key.capacity(), Limits.MAX_KEY_BYTES);
        if (!isKey)
        {
            answerRefusal(ErrorCode.INVALID_ARGUMENT,
                "key: is not 1 to " + Limits.MAX_KEY_BYTES + " bytes of UTF-8");
        }

        return !isKey;
    }

    private boolean isGrantRefused()
    {
        final int grants = core.pool.grantCount();
        final boolean isGrant = decoder.grantId() >= 0 && decoder.grantId() < grants;
        if (!isGrant)
        {
            answerRefusal(ErrorCode.INVALID_ARGUMENT,
                "grant: " + decoder.grantId() + " is not within 0 to " + (grants - 1));
        }

        return !isGrant;
    }

    private boolean lookAtKey()
    {
        final int committed = committed();
        if (SlotTable.NONE != committed)
        {
            show(committed);
        }

        final int pending = core.values.findPending(
            core.digest.low(), core.digest.high(), key, 0, key.capacity());
        if (LocalValues.NONE != pending)
        {
            show(pending);
        }

        return state(core.master.isAvailable() ? State.ASKING : State.ENCODING);
    }

    /** The key's committed value, hidden or not. */
    private int committed()
    {
        core.digest.compute(key, 0, key.capacity());
        final long slotId = core.context.committedIndex().get(
            core.digest.low(), core.digest.high(), key, 0, key.capacity());

        return KeyIndex.NONE == slotId ? SlotTable.NONE : (int)slotId;
    }

    private boolean lookAtCohort()
    {
        if (SlotTable.NONE == first)
        {
            first = committed();
            cursor = first;
            if (SlotTable.NONE == first)
            {
                return refuse(ErrorCode.KEY_NOT_FOUND, "key: has no committed value on this owner");
            }
        }

        for (int i = 0; i < core.settings.planSliceKeys(); i++)
        {
            show(cursor);
            cursor = core.rings.next(cursor);
            if (first == cursor || SlotState.COMMITTED != table.state(cursor))
            {
                return state(State.ENCODING);
            }
        }
        core.budget.charge(core.settings.planSliceKeys());

        return true;
    }

    private boolean lookAtSlot()
    {
        final int slotsOfGrant = slotsOfGrant();
        final int index = decoder.slotIndex();
        if (index < 0 || index >= slotsOfGrant)
        {
            return refuse(ErrorCode.INVALID_ARGUMENT, 0 == slotsOfGrant ?
                "grant: " + decoder.grantId() + " serves no slot class yet, so it has no slots" :
                "slot: " + index + " is not within 0 to " + (slotsOfGrant - 1) + " of grant " + decoder.grantId());
        }
        if (index >= core.pool.grantEnd(decoder.grantId()))
        {
            return refuse(ErrorCode.KEY_NOT_FOUND,
                "slot: " + index + " of grant " + decoder.grantId() + " was never used");
        }
        show(table.slotId(decoder.grantId(), index));

        return state(State.ENCODING);
    }

    private boolean lookAtGrant()
    {
        final int end = core.sliceEnd(cursor, core.pool.grantEnd(decoder.grantId()));
        for (int i = cursor; i < end; i++)
        {
            final int slotId = table.slotId(decoder.grantId(), i);
            if (SlotState.FREE != table.state(slotId))
            {
                show(slotId);
            }
        }
        cursor = end;

        return end < core.pool.grantEnd(decoder.grantId()) || state(State.ENCODING);
    }

    private int slotsOfGrant()
    {
        final int classIndex = core.pool.grantClass(decoder.grantId());

        return classIndex < 0 ? 0 : core.pool.slotClass(classIndex).slotsPerGrant();
    }

    private void show(final int slotId)
    {
        members++;
        if (shown.size() < MAX_SHOWN)
        {
            shown.addInt(slotId);
        }
    }

    private boolean ask()
    {
        if (OperationIds.NONE == core.master.open(operation))
        {
            return state(State.ENCODING);
        }

        request.wrapAndApplyHeader(operation.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(operation.operationId)
            .putKey(key, 0, key.capacity());
        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.ASKED);
        core.master.send(operation, deadlineNs);

        return false;
    }

    private boolean encode()
    {
        if (0 == cursor)
        {
            begin();
        }

        final int end = core.sliceEnd(cursor, shown.size());
        for (int i = cursor; i < end; i++)
        {
            encode(shown.getInt(i));
        }
        cursor = end;

        return end < shown.size() || state(State.ANSWERING);
    }

    private void begin()
    {
        final boolean isGrant = decoder.grantId() >= 0 && 0 == key.capacity();
        final int classIndex = isGrant ? core.pool.grantClass(decoder.grantId()) : -1;
        encoder.wrapAndApplyHeader(answer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .ownerId(core.context.ownerId())
            .members(members)
            .grantId(isGrant ? decoder.grantId() : -1)
            .grantSlotSize(classIndex < 0 ? 0 : core.pool.slotClass(classIndex).slotSize())
            .grantSlots(isGrant ? slotsOfGrant() : 0)
            .grantUsed(isGrant ? core.pool.grantUsed(decoder.grantId()) : 0)
            .isRouteKnown((short)(isRouteKnown ? 1 : 0));
        if (isRouteKnown)
        {
            response.wrap(
                route,
                MasterOperation.BLOCK_OFFSET,
                RouteInspectResponseDecoder.BLOCK_LENGTH,
                RouteInspectResponseDecoder.SCHEMA_VERSION);
            encoder
                .hasRoute(response.hasRoute())
                .isBeingDeleted(response.isBeingDeleted())
                .routeValueLength(response.valueLength())
                .routeGroupLength(response.groupLength())
                .version()
                .ownerId(response.version().ownerId())
                .generation(response.version().generation())
                .sequence(response.version().sequence());
        }
        else
        {
            encoder.hasRoute((short)0).isBeingDeleted((short)0).routeValueLength(0).routeGroupLength(0)
                .version().ownerId(0).generation(0).sequence(0);
        }
        slots = encoder.slotsCount(shown.size());
    }

    private void encode(final int slotId)
    {
        slots.next()
            .state((short)table.state(slotId).code())
            .residence((short)table.residence(slotId).code())
            .isRouteLive((short)(table.isRouteLive(slotId) ? 1 : 0))
            .holders(table.holderCount(slotId))
            .valueLength(table.valueLength(slotId))
            .checksum(table.checksum(slotId))
            .groupId(table.groupId(slotId))
            .groupLength(table.groupLength(slotId))
            .cohortId(table.cohortId(slotId))
            .cohortRank(table.cohortRank(slotId))
            .cohortSize(table.cohortSize(slotId))
            .evictionJobId(table.evictionJobId(slotId));
        slots.version()
            .ownerId(table.putOwnerId(slotId))
            .generation(table.putGeneration(slotId))
            .sequence(table.putSequence(slotId));
        slots.backing()
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(core.pool.offset(slotId));
        if (SlotState.FREE == table.state(slotId))
        {
            slots.putKey(keyView, 0, 0);
        }
        else
        {
            table.wrapKey(slotId, keyView);
            slots.putKey(keyView, 0, keyView.capacity());
        }
    }

    private boolean answer()
    {
        final RouteInspectResponseDecoder.ReplicasDecoder replicas = isRouteKnown ? response.replicas() : null;
        final InspectResponseEncoder.ReplicasEncoder copies =
            encoder.replicasCount(null == replicas ? 0 : replicas.count());
        while (null != replicas && replicas.hasNext())
        {
            replicas.next();
            copies.next()
                .ownerId(replicas.ownerId())
                .ownerGeneration(replicas.ownerGeneration())
                .readers(replicas.readers());
            copy(replicas.backing(), copies.backing());
        }
        encoder.message(isRouteKnown || InspectSubject.KEY != decoder.subject() ? "" :
            "the master did not answer: what it has of the key is not known");
        if (session.isReachable())
        {
            session.outbound.send(answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
        }

        return done();
    }

    private static void copy(final BackingDecoder from, final BackingEncoder to)
    {
        to.grantId(from.grantId())
            .slotIndex(from.slotIndex())
            .slotSize(from.slotSize())
            .useCounter(from.useCounter())
            .slotOffset(from.slotOffset());
    }

    private boolean refuse(final int errorCode, final String text)
    {
        answerRefusal(errorCode, text);

        return done();
    }

    private void answerRefusal(final int errorCode, final String text)
    {
        if (session.isReachable())
        {
            core.workers.status(session, requestId, errorCode, text);
        }
    }

    private boolean done()
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.isAnswered = true;
        }
        session.outstanding--;
        session = null;
        slots = null;
        state(State.FREE);
        core.gets.free(this);

        return false;
    }

    private boolean state(final State next)
    {
        state = next;
        cursor = 0;

        return true;
    }
}
