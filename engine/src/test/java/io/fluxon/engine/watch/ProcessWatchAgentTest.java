package io.fluxon.engine.watch;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.ring.Rings;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessWatchAgentTest
{
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(ProcessWatchAgent.INTERVAL_MS);

    private final OneToOneRingBuffer requests = Rings.ring(1024);
    private final OneToOneRingBuffer reports = Rings.ring(1024);
    private final CachedNanoClock clock = new CachedNanoClock();
    private final FakeProbe probe = new FakeProbe();
    private final ProcessWatchProxy proxy = new ProcessWatchProxy(requests, reports);
    private final LongArrayList gone = new LongArrayList();
    private final LongArrayList seen = new LongArrayList();
    private final LongArrayList unseen = new LongArrayList();
    private final ProcessListener listener = new ProcessListener()
    {
        @Override
        public void onProcessSeen(final long sessionId)
        {
            seen.addLong(sessionId);
        }

        @Override
        public void onProcessUnseen(final long sessionId)
        {
            unseen.addLong(sessionId);
        }

        @Override
        public void onProcessGone(final long sessionId)
        {
            gone.addLong(sessionId);
        }
    };
    private final ProcessWatchAgent agent = new ProcessWatchAgent(requests, reports, clock, probe);

    @Test
    @Tag("API-9")
    void shouldReportAProcessThatIsGoneExactlyOnce()
    {
        probe.startTimes.put(100, 5);
        proxy.watch(1, 100, 5);
        step();
        assertThat(gone).isEmpty();

        probe.startTimes.remove(100);
        step();
        step();

        assertThat(gone).containsExactly(1L);
    }

    @Test
    @Tag("SLOT-7")
    void shouldReportAProcessWhoseIdWasGivenToAnother()
    {
        probe.startTimes.put(100, 5);
        proxy.watch(1, 100, 5);
        step();
        assertThat(seen).containsExactly(1L);
        assertThat(gone).isEmpty();

        probe.startTimes.put(100, 6);
        step();

        assertThat(gone).containsExactly(1L);
    }

    @Test
    @Tag("SLOT-7")
    @Tag("API-9")
    void shouldTakeNothingForDeadThatItHasNeverSeen()
    {
        // as seen from another PID namespace: nothing, or somebody else's process, under the worker's id
        probe.startTimes.put(101, 6);
        probe.startTimes.put(102, ProcessProbe.UNKNOWN);
        probe.startTimes.put(103, 7);
        proxy.watch(1, 100, 5);
        proxy.watch(2, 101, 5);
        proxy.watch(3, 102, 5);
        proxy.watch(4, 103, 0);
        step();
        probe.startTimes.clear();
        step();

        assertThat(gone).isEmpty();
        assertThat(seen).isEmpty();
        assertThat(unseen).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    }

    @Test
    @Tag("SLOT-7")
    void shouldReportNothingThatIsNotProven()
    {
        probe.startTimes.put(100, 5);
        proxy.watch(1, 100, 5);
        step();
        probe.startTimes.put(100, ProcessProbe.UNKNOWN);
        step();

        assertThat(gone).isEmpty();
    }

    @Test
    void shouldReportNothingAboutASessionThatIsNoLongerWatched()
    {
        probe.startTimes.put(100, 5);
        proxy.watch(1, 100, 5);
        step();
        proxy.unwatch(1);
        probe.startTimes.remove(100);
        step();

        assertThat(gone).isEmpty();
    }

    @Test
    void shouldReportAtOnceAndLookAgainAfterTheInterval()
    {
        proxy.watch(1, 100, 5);
        agent.doWork();
        assertThat(proxy.poll(listener, 10)).isEqualTo(1);
        assertThat(unseen).containsExactly(1L);

        probe.startTimes.put(101, 5);
        proxy.watch(2, 101, 5);
        agent.doWork();
        assertThat(proxy.poll(listener, 10)).isEqualTo(1);
        assertThat(seen).containsExactly(2L);
        probe.startTimes.remove(101);
        assertThat(agent.doWork()).isZero();
        clock.advance(INTERVAL_NS);
        assertThat(agent.doWork()).isPositive();
        assertThat(proxy.poll(listener, 10)).isEqualTo(1);
        assertThat(gone).containsExactly(2L);
    }

    @Test
    @Tag("BOUND-1")
    void shouldKeepReportsThatFindNoRoom()
    {
        int watched = 0;
        for (int i = 0; i < 10; i++)
        {
            probe.startTimes.put(watched, 1);
            while (proxy.watch(watched, watched, 1))
            {
                watched++;
                probe.startTimes.put(watched, 1);
            }
            agent.doWork();
        }
        for (int i = 0; i < 100; i++)
        {
            step();
        }
        assertThat(seen).hasSize(watched);

        probe.startTimes.clear();
        for (int i = 0; i < 100; i++)
        {
            step();
        }
        assertThat(gone).hasSize(watched);
        assertThat(unseen).isEmpty();
    }

    @Test
    @Tag("API-9")
    @Timeout(20)
    void shouldSeeAChildThatWasKilled() throws Exception
    {
        final ProcessProbe procProbe = ProcProbe.forThisMachine();
        final Process child = new ProcessBuilder("sleep", "60").start();
        final long startTime = procProbe.startTime(child.pid());
        assertThat(startTime).isPositive();
        final ProcessWatchAgent realAgent = new ProcessWatchAgent(requests, reports, clock, procProbe);
        proxy.watch(1, child.pid(), startTime);
        final long self = ProcessHandle.current().pid();
        proxy.watch(2, self, procProbe.startTime(self));
        realAgent.doWork();
        assertThat(proxy.poll(listener, 10)).isEqualTo(2);
        assertThat(seen).containsExactlyInAnyOrder(1L, 2L);

        child.destroyForcibly().waitFor();
        while (gone.isEmpty())
        {
            clock.advance(INTERVAL_NS);
            realAgent.doWork();
            proxy.poll(listener, 10);
            Thread.sleep(1);
        }

        assertThat(gone).containsExactly(1L);
    }

    @Test
    @Tag("API-9")
    @Timeout(20)
    void shouldCountAChildThatNobodyHasWaitedForAsGone() throws Exception
    {
        final ProcessProbe procProbe = new ProcProbe(Path.of("/proc"));
        final Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60").start();
        try
        {
            final long pid = Long.parseLong(
                new String(parent.getInputStream().readNBytes(1)) + parent.inputReader().readLine());
            assertThat(procProbe.startTime(pid)).isPositive();

            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            while (ProcessProbe.GONE != procProbe.startTime(pid))
            {
                Thread.sleep(1);
            }
        }
        finally
        {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldParseNamesWithBlanksAndParentheses()
    {
        final String rest = " 1 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 4 0 4711 1 1";

        assertThat(ProcProbe.parse("12 (a) b (c) S" + rest)).isEqualTo(4711);
        assertThat(ProcProbe.parse("12 (a) R (x) Z" + rest)).isEqualTo(4711);
        assertThat(ProcProbe.parse("12 (a) Z" + rest.replace(" 0 4 0 ", " 0 1 0 "))).isEqualTo(ProcessProbe.GONE);
        assertThat(ProcProbe.parse("12 (a)")).isEqualTo(ProcessProbe.UNKNOWN);
        assertThat(ProcProbe.parse("")).isEqualTo(ProcessProbe.UNKNOWN);
    }

    @Test
    void shouldProveNothingWhereProcCannotBeRead() throws IOException
    {
        final long self = ProcessHandle.current().pid();

        assertThat(new ProcProbe(Path.of("/proc/self/exe")).startTime(self)).isEqualTo(ProcessProbe.UNKNOWN);
        assertThat(new ProcProbe(Path.of("/nowhere")).startTime(self)).isEqualTo(ProcessProbe.UNKNOWN);
        assertThat(ProcProbe.forThisMachine().startTime(self)).isPositive();
    }

    private void step()
    {
        clock.advance(INTERVAL_NS);
        agent.doWork();
        proxy.poll(listener, 10);
    }

    private static final class FakeProbe implements ProcessProbe
    {
        private final Long2LongHashMap startTimes = new Long2LongHashMap(GONE);

        @Override
        public long startTime(final long processId)
        {
            return startTimes.get(processId);
        }
    }
}
