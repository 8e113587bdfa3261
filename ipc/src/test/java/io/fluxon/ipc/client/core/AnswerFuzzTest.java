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
import io.fluxon.testing.MessageMutator;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerFuzzTest extends WorkerClientTestBase
{
    private static final int KEY_COUNT = 3;
    private static final long MUTANTS = 1_000_000;
    private static final long ALL_MUTANTS = 10_000_000;
    private static final long MAX_GROWTH_BYTES = 24L << 20;

    private final PutPlan[] puts = {new PutPlan(4), new PutPlan(4), new PutPlan(4)};
    private final GetHandle[] gets = {new GetHandle(4), new GetHandle(4), new GetHandle(4)};
    private final ExistsCall exists = new ExistsCall(4);
    private MessageMutator mutator;
    private SplittableRandom random;
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
        final long mutants = all ? ALL_MUTANTS : MUTANTS;
        mutator = new MessageMutator(seed, ScriptedOwner.SEGMENT_LENGTH, ScriptedOwner.SEGMENT_LENGTH - 99,
            ScriptedOwner.ARENA_OFFSET, ErrorCode.BACK_PRESSURED, ErrorCode.OWNER_GENERATION_MISMATCH,
            ErrorCode.INVALID_ARGUMENT);
        random = mutator.random();
        final long startNs = cpuNs();
        long usedBytes = 0;
        int steps = 0;
        for (; mutator.mutants() < mutants; steps++)
        {
            if (null == client || WorkerClient.State.CLOSED == client.state())
            {
                reconnect();
            }
            call();
            mutateAnAnswer();
            nowNs += random.nextInt(20_000_000);
            client.poll();
            checkReadable(seed, steps);
            if (0 == steps % 1_000)
            {
                drain(seed, steps);
            }
            if (100_000 == steps)
            {
                usedBytes = usedBytes();
            }
        }
        System.out.printf("fuzz, owner to worker: %,d mutants among %,d steps in %.1f s of processor time; " +
            "%,d refused, %,d sessions, %,d puts, %,d gets%n", mutator.mutants(), steps, (cpuNs() - startNs) / 1e9,
            refusedAnswers, sessions, done, readable);
        assertThat(sessions).isGreaterThan(1);
        assertThat(refusedAnswers).isGreaterThan(mutants / 1_000);
        assertThat(readable).isGreaterThan(mutants / 1_000);
        assertThat(done).isGreaterThan(mutants / 1_000);
        assertThat(usedBytes() - usedBytes).as("growth of the heap").isLessThan(MAX_GROWTH_BYTES);
        assertWorks();
    }

    private static long cpuNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long usedBytes()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void assertWorks()
    {
        client.close();
        for (int i = 0; i < 10 && WorkerClient.State.CLOSED != client.state(); i++)
        {
            nowNs += 2_000_000_000L;
            client.poll();
        }
        reconnect();
        final PutPlan put = new PutPlan(KEY_COUNT);
        final GetHandle get = new GetHandle(KEY_COUNT);
        assertThat(client.putStart(put, keys(KEY_COUNT), 100, null)).isZero();
        pump();
        assertThat(client.putCommit(put)).isZero();
        pump();
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(client.getStart(get, keys(KEY_COUNT), false, null)).isZero();
        pump();
        if (GetHandle.State.STARTED == get.state())
        {
            assertThat(client.getTransfer(get, -1)).isZero();
            pump();
        }
        assertThat(get.state()).isEqualTo(GetHandle.State.READABLE);
        client.releaseViews(get);
    }

    private void pump()
    {
        for (int i = 0; i < 5; i++)
        {
            client.poll();
            for (UnsafeBuffer request = owner.received.poll(); null != request; request = owner.received.poll())
            {
                answer(request, true);
            }
        }
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
        mutator.mutate(valid, 0, valid.capacity());
        final UnsafeBuffer mutant = new UnsafeBuffer(new byte[mutator.length()]);
        mutant.putBytes(0, mutator.mutant(), 0, mutator.length());
        owner.toSend.add(mutant);
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
