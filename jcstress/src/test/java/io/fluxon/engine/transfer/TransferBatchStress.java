package io.fluxon.engine.transfer;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Transfer ring, there: the descriptors of one duty cycle of the owner reach the agent together, or not yet.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "none yet")
@Outcome(id = "3, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "all, whole, in one submission")
@Outcome(expect = Expect.FORBIDDEN, desc = "some of them, in part, or apart")
@State
public class TransferBatchStress
{
    private static final int RING = 512;
    private static final int PEER = 7;
    private static final long GENERATION = 70;

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer completions = Memory.ring(RING);
    private final TransferProxy owner = new TransferProxy(requests, completions);
    private final StubTransport transport = new StubTransport(PEER, GENERATION);
    private final TransferAgent agent =
        new TransferAgent(requests, completions, transport, StubTransport.COUNTERS, 4);

    @Actor
    public void owner()
    {
        owner.offer(1, 9, PEER, GENERATION, StubTransport.remote(1), StubTransport.local(1), 1);
        owner.offer(2, 9, PEER, GENERATION, StubTransport.remote(2), StubTransport.local(2), 2);
        owner.offer(3, 9, PEER, GENERATION, StubTransport.remote(3), StubTransport.local(3), 3);
        owner.poll((token, status) -> {}, 1);
    }

    @Actor
    public void agent(final II_Result result)
    {
        agent.doWork();
        result.r1 = transport.descriptors();
        result.r2 = transport.submissions();
    }
}
