package io.fluxon.engine.transfer;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Transfer ring, back: who sees a completion sees the bytes that the agent brought.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "not moved yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "one moved, its bytes are there")
@Outcome(id = "2", expect = Expect.ACCEPTABLE_INTERESTING, desc = "both moved, their bytes are there")
@Outcome(expect = Expect.FORBIDDEN, desc = "completed without its bytes, twice, or with another token")
@State
public class TransferCompletionStress
{
    private static final int RING = 512;
    private static final int PEER = 7;
    private static final long GENERATION = 70;
    private static final int POLLS = 16;
    private static final int BROKEN = -100;

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer completions = Memory.ring(RING);
    private final TransferProxy owner = new TransferProxy(requests, completions);
    private final long[] slots = new long[6];
    private final TransferAgent agent = new TransferAgent(
        requests, completions, new StubTransport(PEER, GENERATION).target(slots), StubTransport.COUNTERS, 4);
    private final TransferListener listener = this::onCompleted;
    private int completed;

    {
        owner.offer(1, 9, PEER, GENERATION, StubTransport.remote(1), StubTransport.local(1), 1);
        owner.offer(2, 9, PEER, GENERATION, StubTransport.remote(2), StubTransport.local(2), 2);
        owner.poll(listener, 1);
    }

    @Actor
    public void agent()
    {
        agent.doWork();
    }

    @Actor
    public void owner(final I_Result result)
    {
        for (int i = 0; i < POLLS; i++)
        {
            owner.poll(listener, 1);
        }
        result.r1 = completed;
    }

    private void onCompleted(final long token, final int status)
    {
        final int place = 2 * (int)token;
        completed += completed + 1 == token && 0 == status && token == slots[place] && token == slots[place + 1] ?
            1 : BROKEN;
    }
}
