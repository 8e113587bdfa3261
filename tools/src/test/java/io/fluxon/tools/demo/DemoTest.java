package io.fluxon.tools.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.tools.cluster.JavaCommand;
import io.fluxon.tools.cluster.ManagedProcess;
import io.fluxon.tools.cluster.RequiresHosts;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.report.RunReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main job with real processes, small.
 */
@Timeout(240)
class DemoTest
{
    private static final int HEAP_MEGABYTES = 192;

    @TempDir
    private Path directory;

    @Test
    void shouldCountExactlyWhatTheModelExpectsWhenRequestsFollowEachOther()
    {
        final RunReport report = run(settings(60, true, ChaosTarget.NONE), PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.requests()).isEqualTo(60);
        assertThat(report.pages().hit).isPositive();
        assertThat(report.pages().hitRemote).isPositive();
        assertThat(report.leftover().isZero()).isTrue();
        assertThat(report.balance().checks()).extracting("name").contains(
            "pages written - joins = routes", "holders held = holders found", "starts = done + revoked",
            "pages hit = pages verified", "pages verified = holdings opened", "pages hit = expected");
    }

    @Test
    @RequiresHosts
    void shouldCountTheSameOnHostsThatReadEachOtherOverTheNetwork() throws IOException
    {
        final RunReport local = run(settings(60, true, ChaosTarget.NONE), PlantedFault.NONE);
        final RunReport report = run(onHosts(60, true, 0), PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.pages()).usingRecursiveComparison().isEqualTo(local.pages());
        assertThat(report.pages().hitRemote).isPositive();
        assertThat(namespaces()).isEmpty();
    }

    @Test
    @Tag("LIFE-1")
    @RequiresHosts
    void shouldFailNoRequestWhenDatagramsBetweenHostsAreLost() throws IOException
    {
        final RunReport report = run(onHosts(200, false, 0.05), PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.requests()).isEqualTo(200);
        assertThat(report.failed()).isZero();
        assertThat(report.pages().hitRemote).isPositive();
        assertThat(namespaces()).isEmpty();
    }

    @Test
    @Tag("API-9")
    void shouldLeaveNothingOfAKilledWorkerAndGoOn()
    {
        final RunReport report = run(settings(300, false, ChaosTarget.WORKER), PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.requests()).isEqualTo(300);
        assertThat(report.failed()).isPositive();
        assertThat(report.chaos().rejoined()).isEqualTo(1);
        assertThat(report.pages().corrupt).isZero();
    }

    @Test
    @Tag("LIFE-1")
    void shouldLeaveNothingOfAKilledOwnerAndGoOn()
    {
        final RunReport report = run(settings(120, false, ChaosTarget.OWNER), PlantedFault.NONE);

        assertThat(report.faults()).isEmpty();
        assertThat(report.requests()).isEqualTo(120);
        assertThat(report.chaos().rejoined()).isEqualTo(1);
        assertThat(report.chaos().secondsToZero()).isBetween(0.0, report.chaos().limitSeconds());
        assertThat(report.pages().corrupt).isZero();
    }

    @Test
    void shouldFindALeakedHolding()
    {
        final RunReport report = run(settings(20, true, ChaosTarget.NONE), PlantedFault.LEAKED_HOLDING);

        assertThat(report.faults()).anyMatch(fault -> fault.startsWith("left over:") && fault.endsWith("holdings"));
    }

    @Test
    void shouldLeaveNoProcessAndNoFileWhenItIsToldToEnd() throws IOException, InterruptedException
    {
        final ManagedProcess demo = ManagedProcess.start("demo", JavaCommand.of(HEAP_MEGABYTES,
            List.of("demo", "--requests=100000", "--page-bytes=4096", "--owners=gpu=1", "--workers-per-owner=1")),
            directory.resolve("log"), false);
        final List<ProcessHandle> children = awaitChildren(demo, 3);
        demo.terminate();

        assertThat(demo.awaitEnd(SECONDS.toMillis(60))).isTrue();
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        assertThat(filesOf(demo.pid())).isEmpty();
    }

    @Test
    void shouldEndEveryProcessWhenItIsKilledItself() throws IOException, InterruptedException
    {
        final ManagedProcess demo = ManagedProcess.start("demo", JavaCommand.of(HEAP_MEGABYTES,
            List.of("demo", "--requests=100000", "--page-bytes=4096", "--owners=gpu=1", "--workers-per-owner=1")),
            directory.resolve("log"), false);
        final List<ProcessHandle> children = awaitChildren(demo, 3);
        demo.kill();

        final long deadlineNs = System.nanoTime() + SECONDS.toNanos(60);
        while (children.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - deadlineNs < 0)
        {
            SECONDS.sleep(1);
        }
        assertThat(children).noneMatch(ProcessHandle::isAlive);
        WorkDirectory.create().close();
        assertThat(filesOf(demo.pid())).isEmpty();
    }

    private static DemoSettings settings(final int requests, final boolean isSequential, final ChaosTarget chaos)
    {
        return new DemoSettings(null, requests, 42, 4096, 1, isSequential, 2, 0, 1, chaos, 0, false, 0,
            CopyPlace.HOST);
    }

    private static DemoSettings onHosts(final int requests, final boolean isSequential, final double loss)
    {
        return new DemoSettings(
            null, requests, 42, 4096, 1, isSequential, 2, 0, 1, ChaosTarget.NONE, 0, true, loss, CopyPlace.HOST);
    }

    private static List<Path> namespaces() throws IOException
    {
        try (Stream<Path> entries = Files.list(Path.of("/run/netns")))
        {
            return entries.filter(entry -> entry.getFileName().toString()
                .startsWith("fluxon-" + ProcessHandle.current().pid() + "-")).toList();
        }
    }

    private static RunReport run(final DemoSettings settings, final PlantedFault fault)
    {
        return new DemoRun(settings, fault, SECONDS.toNanos(PlantedFault.NONE == fault ? 60 : 2),
            new Progress(System.err, false)).run();
    }

    private static List<ProcessHandle> awaitChildren(final ManagedProcess demo, final int count)
        throws InterruptedException
    {
        final ProcessHandle handle = ProcessHandle.of(demo.pid()).orElseThrow();
        final long deadlineNs = System.nanoTime() + SECONDS.toNanos(120);
        while (handle.children().count() < count && System.nanoTime() - deadlineNs < 0)
        {
            assertThat(demo.isAlive()).as(demo.logTail()).isTrue();
            SECONDS.sleep(1);
        }
        SECONDS.sleep(1);
        return handle.children().toList();
    }

    private static List<Path> filesOf(final long pid) throws IOException
    {
        try (Stream<Path> entries = Files.list(Path.of("/dev/shm")))
        {
            return entries
                .filter(entry -> entry.getFileName().toString().startsWith("fluxon-demo-" + pid + "-"))
                .toList();
        }
    }
}
