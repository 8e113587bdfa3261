package io.fluxon.engine.watch;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Process watch rings: an owner asks for a process and for another no more, and hears of the first one once.
 */
@JCStressTest
@Outcome(id = "[01], 1, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "seen once, no report of the other")
@Outcome(id = "[01], 1, 1", expect = Expect.ACCEPTABLE, desc = "the other was reported before it was taken back")
@Outcome(expect = Expect.FORBIDDEN, desc = "unseen, gone, twice, or of another session")
@State
public class ProcessWatchStress
{
    private static final int RING = 256;
    private static final long SESSION = 11;
    private static final long OTHER = 12;
    private static final long PID = 4321;
    private static final long START = 98_765;
    private static final int BROKEN = -100;

    private final OneToOneRingBuffer requests = Memory.ring(RING);
    private final OneToOneRingBuffer reports = Memory.ring(RING);
    private final ProcessWatchProxy owner = new ProcessWatchProxy(requests, reports);
    private final ProcessWatchAgent agent =
        new ProcessWatchAgent(requests, reports, () -> 0, pid -> PID == pid ? START : BROKEN);
    private final Reports heard = new Reports();

    @Actor
    public void owner()
    {
        owner.watch(SESSION, PID, START);
        owner.watch(OTHER, PID, START);
        owner.unwatch(OTHER);
    }

    @Actor
    public void agent(final III_Result result)
    {
        result.r1 = Math.min(agent.doWork(), 1);
    }

    @Arbiter
    public void afterwards(final III_Result result)
    {
        agent.doWork();
        agent.doWork();
        owner.poll(heard, 8);
        result.r2 = heard.seen;
        result.r3 = heard.seenOther;
    }

    private static final class Reports implements ProcessListener
    {
        private int seen;
        private int seenOther;

        @Override
        public void onProcessSeen(final long sessionId)
        {
            seen += SESSION == sessionId ? 1 : 0;
            seenOther += OTHER == sessionId ? 1 : 0;
        }

        @Override
        public void onProcessUnseen(final long sessionId)
        {
            seen = BROKEN;
        }

        @Override
        public void onProcessGone(final long sessionId)
        {
            seen = BROKEN;
        }
    }
}
