package io.fluxon.engine.checksum;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.lang.foreign.MemorySegment;

/**
 * Checksum rings at their bounds: more is offered than there is room for, while the agent takes. What was taken is
 * answered once and in order, what was not is refused (contract BOUND-1).
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE_INTERESTING, desc = "some were refused, none was lost")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the agent was quick enough for all")
@Outcome(expect = Expect.FORBIDDEN, desc = "one was lost, or answered twice")
@State
public class ChecksumBoundStress
{
    private static final int RING = 256;
    private static final int OFFERS = 24;
    private static final AtomicCounter BYTES = Memory.lastingCounters(1).newCounter("bytes");

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer completions = Memory.ring(RING);
    private final ChecksumProxy owner = new ChecksumProxy(requests, completions);
    private final ChecksumAgent agent =
        new ChecksumAgent(requests, completions, MemorySegment.ofArray(new byte[8]), BYTES);
    private final ChecksumListener listener = this::onCompleted;
    private int accepted;
    private int completed;
    private boolean isInOrder = true;

    @Actor
    public void owner()
    {
        for (int i = 0; i < OFFERS; i++)
        {
            accepted += owner.offer(accepted + 1, 0, 8) ? 1 : 0;
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

    private void onCompleted(final long token, final long checksum)
    {
        completed++;
        isInOrder &= token == completed;
    }
}
