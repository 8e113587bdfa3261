package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GroupSizeEncodingEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.ReportRequestEncoder;
import io.fluxon.codecs.control.ReportResponseDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Tells a master that does not know them all committed values of this owner (contract LIFE-4), in parts: one is
 * repeated under its number until it is answered, then the next one follows. Slots are scanned slice by slice. While
 * the report runs nothing is committed, since every commit is an answer of the master, and no answer is taken before
 * the report is complete; so what is reported is exact.
 */
final class BackingReport extends Job implements OwnerTimers.TimerListener
{
    /**
     * Where the report stands.
     */
    enum State
    {
        /** There is none. */
        IDLE,
        /** Slots are scanned for the next part. */
        SCANNING,
        /** A part is sent until it is answered. */
        ASKED,
        /** Values that the master has refused are dropped. */
        APPLYING
    }

    private static final int STEPS_PER_KEY = 4;
    private static final int ALL_GRANTS_SCANNED = -1;
    private static final int GROUP_COUNT_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH +
        ReportRequestEncoder.BLOCK_LENGTH + GroupSizeEncodingEncoder.numInGroupEncodingOffset();
    private static final int IS_LAST_OFFSET =
        MessageHeaderEncoder.ENCODED_LENGTH + ReportRequestEncoder.isLastEncodingOffset();

    private final OwnerCore core;
    private final OutboundQueue outbound;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1024);
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReportRequestEncoder request = new ReportRequestEncoder();
    private final ReportResponseDecoder response = new ReportResponseDecoder();
    private final int[] slots;
    private ReportRequestEncoder.ValuesEncoder values;
    private ReportResponseDecoder.ResultsDecoder results;
    private State state = State.IDLE;
    private long sessionId;
    private long tenureId;
    private long part;
    private long delayNs;
    private long timerId = OwnerTimers.NONE;
    private int nextSlot;
    private int count;
    private int applied;
    private int length;

    BackingReport(final OwnerCore core, final OutboundQueue outbound)
    {
        this.core = core;
        this.outbound = outbound;
        slots = new int[core.settings.reportKeys()];
    }

    /** Begins from the first slot. */
    void begin(final long ofSessionId, final long ofTenureId)
    {
        end();
        sessionId = ofSessionId;
        tenureId = ofTenureId;
        part = 0;
        nextSlot = 0;
        beginPart();
        core.resume(this);
    }

    /** Ends without a result: the session it was for is over. */
    void end()
    {
        state = State.IDLE;
        core.timers.cancel(timerId);
        timerId = OwnerTimers.NONE;
    }

    /** The master has carried out a part. */
    void onAnswer(final long ofPart, final DirectBuffer message)
    {
        if (State.ASKED != state || part != ofPart)
        {
            return;
        }

        answer.putBytes(0, message, 0, message.capacity());
        results = response.wrap(
            answer,
            MasterOperation.BLOCK_OFFSET,
            ReportResponseDecoder.BLOCK_LENGTH,
            ReportResponseDecoder.SCHEMA_VERSION).results();
        if (results.count() != count)
        {
            core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
            return;
        }

        core.timers.cancel(timerId);
        timerId = OwnerTimers.NONE;
        applied = 0;
        state = State.APPLYING;
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        send(nowNs);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case SCANNING -> scan(nowNs);
            case APPLYING -> apply();
            case IDLE, ASKED -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("report broke while " + state + ": " + cause);
    }

    private void beginPart()
    {
        part++;
        count = 0;
        values = request.wrapAndApplyHeader(buffer, 0, header)
            .generation(core.context.generation())
            .sessionId(sessionId)
            .correlationId(part)
            .valuesCount(slots.length);
        state = State.SCANNING;
    }

    private boolean scan(final long nowNs)
    {
        int budget = core.settings.planSliceKeys() * STEPS_PER_KEY;
        int keys = core.settings.planSliceKeys();
        while (count < slots.length && nextSlot >= 0 && budget-- > 0 && keys > 0)
        {
            keys -= visitNext();
        }

        if (count < slots.length && nextSlot >= 0)
        {
            return true;
        }

        length = request.limit();
        buffer.putShort(GROUP_COUNT_OFFSET, (short)count, LITTLE_ENDIAN);
        buffer.putByte(IS_LAST_OFFSET, (byte)(nextSlot < 0 ? 1 : 0));
        state = State.ASKED;
        delayNs = 0;
        send(nowNs);

        return false;
    }

    private int visitNext()
    {
        final SlotTable table = core.table;
        final int slotId = nextSlot;
        final int grantId = table.grantId(slotId);
        int found = 0;
        if (table.slotIndex(slotId) < core.pool.grantEnd(grantId))
        {
            nextSlot = slotId + 1;
            if (core.values.isRouted(slotId))
            {
                encode(slotId);
                found = 1;
            }
        }
        else
        {
            nextSlot = slotId - table.slotIndex(slotId) + table.maxSlotsPerGrant();
        }

        if (nextSlot >= table.capacity() || nextSlot < slotId)
        {
            nextSlot = ALL_GRANTS_SCANNED;
        }

        return found;
    }

    private void encode(final int slotId)
    {
        final SlotTable table = core.table;
        slots[count++] = slotId;
        values.next()
            .valueLength(table.valueLength(slotId))
            .checksum(table.checksum(slotId))
            .groupId(table.groupId(slotId))
            .groupLength(table.groupLength(slotId))
            .cohortRank(table.cohortRank(slotId))
            .cohortId(table.cohortId(slotId))
            .cohortSize(table.cohortSize(slotId));
        values.version()
            .ownerId(table.putOwnerId(slotId))
            .generation(table.putGeneration(slotId))
            .sequence(table.putSequence(slotId));
        values.backing()
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(core.pool.offset(slotId));
        table.wrapKey(slotId, keyView);
        values.putKey(keyView, 0, keyView.capacity());
    }

    private void send(final long nowNs)
    {
        if (!outbound.isBackPressured() && outbound.channel().isConnected())
        {
            outbound.send(buffer, 0, length);
            core.counters.increment(OwnerCounter.REPORTS);
        }
        delayNs = Limits.nextRetryDelayNs(delayNs);
        timerId = core.timers.schedule(nowNs + delayNs, this);
    }

    private boolean apply()
    {
        final int end = Math.min(count, applied + core.settings.planSliceKeys());
        for (; applied < end; applied++)
        {
            if (ErrorCode.OK != results.next().code() && core.values.isRouted(slots[applied]))
            {
                core.values.retire(slots[applied]);
                core.counters.increment(OwnerCounter.VALUES_DROPPED);
            }
        }

        if (applied < count)
        {
            return true;
        }

        if (nextSlot >= 0)
        {
            beginPart();
            return true;
        }

        state = State.IDLE;
        core.master.onReconciled(tenureId);

        return false;
    }
}
