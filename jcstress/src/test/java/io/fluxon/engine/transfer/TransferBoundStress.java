package io.fluxon.engine.transfer;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Transfer rings at their bounds: more is offered than there is room for, while the agent takes. What was taken is
 * completed once and in order, what was not is refused (contract BOUND-1).
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE_INTERESTING, desc = "some were refused, none was lost")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the agent was quick enough for all")
@Outcome(expect = Expect.FORBIDDEN, desc = "one was lost, or completed twice")
@State
public class TransferBoundStress
{
    private static final int RING = 512;
    private static final int COMPLETIONS = 128;
    private static final int PEER = 7;
    private static final long GENERATION = 70;
    private static final int OFFERS = 24;

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer completions = Memory.ring(COMPLETIONS);
    private final TransferProxy owner = new TransferProxy(requests, completions);
    private final TransferAgent agent = new TransferAgent(requests, completions,
        new StubTransport(PEER, GENERATION).target(new long[2 * OFFERS + 2]), StubTransport.COUNTERS, 4);
    private final TransferListener listener = this::onCompleted;
    private int accepted;
    private int completed;
    private boolean isInOrder = true;

    @Actor
    public void owner()
    {
        for (int i = 0; i < OFFERS; i++)
        {
            final int token = accepted + 1;
            accepted += owner.offer(
                token, 9, PEER, GENERATION, StubTransport.remote(token), StubTransport.local(token), token) ? 1 : 0;
            if (3 == i % 4)
            {
                owner.poll(listener, 1);
            }
        }
    }

    @Actor
    public void agent()
    {
        agent.doWork();
        agent.doWork();
    }

    @Arbiter
    public void afterwards(final ZZ_Result result)
    {
        for (int i = 0; i < OFFERS; i++)
        {
            owner.poll(listener, OFFERS);
            agent.doWork();
        }
        result.r1 = isInOrder && accepted == completed;
        result.r2 = accepted < OFFERS;
    }

    private void onCompleted(final long token, final int status)
    {
        completed++;
        isInOrder &= token == completed && 0 == status;
    }
}
