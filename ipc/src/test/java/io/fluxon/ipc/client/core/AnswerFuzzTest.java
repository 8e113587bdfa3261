package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerFuzzTest extends WorkerClientTestBase
{
    private static final int KEY_COUNT = 3;
    private static final int PREAMBLE_END = 32;
    private static final long[] EXTREMES = {
        0, 1, -1, 2, 3, 4, 64, 65, 255, 65534, 65535, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE,
        Long.MIN_VALUE, ScriptedOwner.SEGMENT_LENGTH, ScriptedOwner.SEGMENT_LENGTH - 99, ScriptedOwner.ARENA_OFFSET,
        ErrorCode.BACK_PRESSURED, ErrorCode.OWNER_GENERATION_MISMATCH, ErrorCode.INVALID_ARGUMENT};

    private final PutPlan[] puts = {new PutPlan(4), new PutPlan(4), new PutPlan(4)};
    private final GetHandle[] gets = {new GetHandle(4), new GetHandle(4), new GetHandle(4)};
    private final ExistsCall exists = new ExistsCall(4);
    private Random random;
    private long nextId = 1;
    private long refusedAnswers;
    private long readable;
    private long done;
    private int sessions;

    @Test
    @Tag("BOUND-1")
    @Tag("API-8")
    void shouldNeitherFailNorLeakWhenAnswersAreMutated()
    {
        final boolean all = Boolean.getBoolean("fluxon.test.all");
        final long seed = Long.getLong("fluxon.test.seed", 20261129L);
        final int rounds = all ? 10_000_000 : 100_000;
        random = new Random(seed);
        for (int i = 0; i < rounds; i++)
        {
            if (null == client || WorkerClient.State.CLOSED == client.state())
            {
                reconnect();
            }
            call();
            mutateAnAnswer();
            nowNs += random.nextInt(20_000_000);
            client.poll();
            checkReadable(seed, i);
            if (0 == i % 1_000)
            {
                drain(seed, i);
            }
        }
        assertThat(sessions).isGreaterThan(1);
        assertThat(refusedAnswers).isGreaterThan(rounds / 1_000);
        assertThat(readable).isGreaterThan(rounds / 1_000);
        assertThat(done).isGreaterThan(rounds / 1_000);
    }

    private void reconnect()
    {
        if (null != client)
        {
            assertThat(client.liveOperations()).isZero();
            assertThat(client.outstanding()).isZero();
            refusedAnswers += client.protocolErrors();
        }
        sessions++;
        owner.received.clear();
        owner.toSend.clear();
        connect();
    }

    private void call()
    {
        final PutPlan plan = puts[random.nextInt(puts.length)];
        final GetHandle handle = gets[random.nextInt(gets.length)];
        switch (random.nextInt(4))
        {
            case 0 -> callPut(plan);
            case 1, 2 -> callGet(handle);
            default -> client.exists(exists, keys(KEY_COUNT));
        }
    }

    private void callPut(final PutPlan plan)
    {
        done += PutPlan.State.DONE == plan.state() ? 1 : 0;
        if (PutPlan.State.STARTED != plan.state())
        {
            client.putStart(plan, keys(KEY_COUNT), 100, null);
        }
        else if (random.nextBoolean())
        {
            client.putCommit(plan);
        }
        else
        {
            client.putAbort(plan);
        }
    }

    private void callGet(final GetHandle handle)
    {
        if (handle.isReusable() && random.nextBoolean())
        {
            client.getStart(handle, keys(KEY_COUNT), random.nextBoolean(), single(KEY_COUNT));
            return;
        }
        switch (handle.state())
        {
            case STARTED ->
            {
                if (0 == random.nextInt(4))
                {
                    client.cancelGetTransfer(handle);
                }
                else
                {
                    client.getTransfer(handle, random.nextInt(KEY_COUNT + 2) - 1);
                }
            }
            case READABLE ->
            {
                readable++;
                client.releaseViews(handle);
            }
            case STARTING, TRANSFERRING ->
            {
                if (0 == random.nextInt(20))
                {
                    client.cancelGetTransfer(handle);
                }
            }
            default -> client.getStart(handle, keys(KEY_COUNT), random.nextBoolean(), single(KEY_COUNT));
        }
    }

    private void mutateAnAnswer()
    {
        while (owner.received.size() > 32)
        {
            owner.received.poll();
        }
        final UnsafeBuffer request = owner.received.poll();
        if (null != request)
        {
            answer(request, random.nextInt(8) != 0);
        }
        if (0 == random.nextInt(8))
        {
            owner.keepAlive();
        }
        if (owner.toSend.isEmpty() || 0 == random.nextInt(5))
        {
            return;
        }
        final UnsafeBuffer valid = owner.toSend.pollLast();
        owner.toSend.add(mutate(valid));
        if (random.nextBoolean())
        {
            owner.toSend.add(valid);
        }
    }

    private void answer(final UnsafeBuffer request, final boolean isGood)
    {
        final long id = ScriptedOwner.correlationId(request);
        final int status = isGood ? 0 : ErrorCode.NO_SPACE;
        switch (ScriptedOwner.templateOf(request))
        {
            case PutStartRequestDecoder.TEMPLATE_ID -> owner.putStart(id, status, Stage.NONE, nextId++,
                ScriptedOwner.slot(0), ScriptedOwner.slot(1), ScriptedOwner.slot(2));
            case PutCommitRequestDecoder.TEMPLATE_ID ->
            {
                owner.commitLocal(id, 1, status);
                if (isGood)
                {
                    owner.commitResult(id, 1, 0, -1, 0);
                }
            }
            case GetStartRequestDecoder.TEMPLATE_ID ->
            {
                if (random.nextBoolean())
                {
                    owner.getStartInline(id, KEY_COUNT, KEY_COUNT, nextHoldings());
                }
                else
                {
                    owner.getStartRemote(id, nextId++, KEY_COUNT, KEY_COUNT);
                }
            }
            case GetTransferRequestDecoder.TEMPLATE_ID -> owner.getTransfer(id, status, Stage.NONE,
                handleOf(request), nextHoldings(),
                ScriptedOwner.slot(0), ScriptedOwner.slot(1), ScriptedOwner.slot(2));
            case GetCancelRequestDecoder.TEMPLATE_ID, PutAbortRequestDecoder.TEMPLATE_ID,
                ReleaseHoldingsDecoder.TEMPLATE_ID ->
                owner.status(id, status, "");
            case ExistsRequestDecoder.TEMPLATE_ID -> owner.exists(id, status, 1, 1, 0, 1);
            case ConnectRequestDecoder.TEMPLATE_ID -> owner.connectResponse(id, status, "");
            default ->
            {
            }
        }
    }

    private static long handleOf(final UnsafeBuffer request)
    {
        return new GetTransferRequestDecoder().wrapAndApplyHeader(request, 0, new MessageHeaderDecoder()).handle();
    }

    private long nextHoldings()
    {
        nextId += KEY_COUNT;
        return nextId;
    }

    private UnsafeBuffer mutate(final UnsafeBuffer valid)
    {
        final int length = switch (random.nextInt(8))
        {
            case 0 -> random.nextInt(valid.capacity() + 1);
            case 1 -> valid.capacity() + random.nextInt(64);
            default -> valid.capacity();
        };
        final UnsafeBuffer mutated = new UnsafeBuffer(new byte[length]);
        mutated.putBytes(0, valid, 0, Math.min(length, valid.capacity()));
        for (int count = random.nextInt(4); count >= 0 && length > 0; count--)
        {
            // the preamble is left alone mostly, or nothing would reach the code behind it
            final int from = length > PREAMBLE_END && 0 != random.nextInt(10) ? PREAMBLE_END : 0;
            mutateAt(mutated, from + random.nextInt(length - from));
        }
        return mutated;
    }

    private void mutateAt(final UnsafeBuffer message, final int index)
    {
        final long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
        final int room = message.capacity() - index;
        switch (random.nextInt(5))
        {
            case 0 -> message.putByte(index, (byte)random.nextInt());
            case 1 -> message.putByte(index, (byte)(message.getByte(index) ^ 1 << random.nextInt(8)));
            case 2 -> message.putByte(index, (byte)extreme);
            case 3 ->
            {
                if (room >= Integer.BYTES)
                {
                    message.putInt(index, (int)extreme, ByteOrder.LITTLE_ENDIAN);
                }
            }
            default ->
            {
                if (room >= Long.BYTES)
                {
                    message.putLong(index, extreme, ByteOrder.LITTLE_ENDIAN);
                }
            }
        }
    }

    private void checkReadable(final long seed, final int round)
    {
        final long start = segment.address() + ScriptedOwner.ARENA_OFFSET + ScriptedOwner.ARENA_LENGTH -
            ScriptedOwner.MAP_OFFSET;
        final long end = segment.address() + segment.byteSize();
        for (final GetHandle handle : gets)
        {
            for (int i = 0; i < handle.count(); i++)
            {
                final long address = handle.valueAddress(i);
                final long length = handle.valueLength(i);
                if (address < start || length <= 0 || length > end - address)
                {
                    throw new AssertionError("value outside the segment: seed " + seed + ", round " + round);
                }
            }
        }
    }

    private void drain(final long seed, final int round)
    {
        for (int i = 0; i < 400 && WorkerClient.State.READY == client.state() && !isEmpty(); i++)
        {
            for (final PutPlan plan : puts)
            {
                client.putAbort(plan);
            }
            for (final GetHandle handle : gets)
            {
                if (0 != client.cancelGetTransfer(handle))
                {
                    client.releaseViews(handle);
                }
            }
            for (UnsafeBuffer request = owner.received.poll(); null != request; request = owner.received.poll())
            {
                answer(request, true);
            }
            owner.keepAlive();
            nowNs += 50_000_000;
            client.poll();
        }
        if (WorkerClient.State.READY == client.state() && !isEmpty())
        {
            throw new AssertionError("leak: seed " + seed + ", round " + round + ": outstanding " +
                client.outstanding() + ", operations " + client.liveOperations() + ", plans " + client.planBlobs());
        }
    }

    private boolean isEmpty()
    {
        return 0 == client.outstanding() && 0 == client.liveOperations() && 0 == client.planBlobs() &&
            0 == client.unsentReleases() && 0 == client.unacknowledgedReleases();
    }
}
