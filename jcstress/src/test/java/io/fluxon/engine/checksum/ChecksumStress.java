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
import org.openjdk.jcstress.infra.results.II_Result;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Checksum rings: the agent reads the bytes that were there when the owner asked.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "asked too late for this turn, then right")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "right")
@Outcome(expect = Expect.FORBIDDEN, desc = "of other bytes, with another token, twice, or never")
@State
public class ChecksumStress
{
    private static final int RING = 256;
    private static final int LENGTH = 64;
    private static final byte CONTENT = 0x5a;
    private static final long TOKEN = 0x1234_5678_9abcL;
    private static final int BROKEN = -100;
    private static final AtomicCounter BYTES = Memory.lastingCounters(1).newCounter("bytes");
    private static final long EXPECTED = expected();

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer completions = Memory.ring(RING);
    private final byte[] segment = new byte[LENGTH];
    private final ChecksumProxy owner = new ChecksumProxy(requests, completions);
    private final ChecksumAgent agent =
        new ChecksumAgent(requests, completions, MemorySegment.ofArray(segment), BYTES);
    private final ChecksumListener listener = this::onCompleted;
    private int completed;

    @Actor
    public void owner()
    {
        Arrays.fill(segment, CONTENT);
        owner.offer(TOKEN, 0, LENGTH);
    }

    @Actor
    public void agent(final II_Result result)
    {
        result.r1 = agent.doWork();
    }

    @Arbiter
    public void afterwards(final II_Result result)
    {
        agent.doWork();
        owner.poll(listener, 4);
        result.r2 = completed;
    }

    private void onCompleted(final long token, final long checksum)
    {
        completed += TOKEN == token && EXPECTED == checksum ? 1 : BROKEN;
    }

    private static long expected()
    {
        final byte[] bytes = new byte[LENGTH];
        Arrays.fill(bytes, CONTENT);
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, LENGTH);
        return crc.getValue();
    }
}
