package io.fluxon.tools.fault;

import static io.fluxon.tools.fault.HostValues.KEYS;
import static io.fluxon.tools.fault.HostValues.VALUE_BYTES;
import static io.fluxon.tools.fault.HostValues.isOffered;
import static io.fluxon.tools.fault.HostValues.isRead;
import static io.fluxon.tools.fault.HostValues.keys;
import static io.fluxon.tools.fault.HostValues.put;
import static io.fluxon.tools.fault.HostValues.putLocally;
import static io.fluxon.tools.fault.HostValues.read;
import static io.fluxon.tools.fault.HostValues.results;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fluxon.engine.host.HostCounter;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.HostNetwork;
import io.fluxon.tools.cluster.ProcessCounters;
import io.fluxon.tools.cluster.RequiresHosts;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.report.RunReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Hosts whose network goes and comes back, with real processes in network namespaces that read each other over UCX. All
 * liveness timeouts are short, so that an outage of seconds is longer than each of them. They judge times of the clock
 * on the wall, so they are among the long variants only.
 */
@Timeout(600)
@RequiresHosts
@EnabledIfSystemProperty(named = "fluxon.test.all", matches = "true")
class HostFaultTest
{
    private static final int READER = 0;
    private static final int LOST = 1;
    private static final int OTHER = 2;
    private static final int MASTER_HOST = 0;
    private static final int LIVENESS_MS = 4_000;
    private static final int IMAGE_LIVENESS_MS = 2_000;
    private static final int GET_TIMEOUT_MS = 1_500;
    private static final int MEGABITS = 160;
    private static final long MAX_STILL_MS = 500;
    private static final int ROUNDS = 4;
    private static final int PAGES = (2 * ROUNDS + 8) * KEYS;
    private static final int PAGES_OF_CLUSTER = 100_000;
    private static final long OUTAGE_MS = 2L * LIVENESS_MS;
    private static final long WAIT_NS = SECONDS.toNanos(90);

    private final HostNetwork network = new HostNetwork();
    private WorkDirectory directory;
    private Cluster cluster;
    private ClusterCounters counters;
    private ProcessCounters readerCounters;
    private Accounts accounts;

    @BeforeEach
    void launch()
    {
        network.open(List.of("master", "owner-1", "owner-2", "owner-3"), 0);
        network.rate(LOST + 1, MEGABITS);
        directory = WorkDirectory.create();
        cluster = Cluster.create(
            ClusterPlan.of(3, 0, VALUE_BYTES, PAGES, PAGES_OF_CLUSTER, 0)
                .withLivenessMs(LIVENESS_MS).withNetworkTimes(IMAGE_LIVENESS_MS, GET_TIMEOUT_MS),
            directory.path(), network);
        cluster.start();
        counters = new ClusterCounters(cluster.ownerCountersFiles(), cluster.masterCountersFile());
        readerCounters = ProcessCounters.map(cluster.ownerCountersFiles().get(READER));
        accounts = new Accounts(counters, "");
    }

    @AfterEach
    void close() throws Exception
    {
        for (final AutoCloseable closeable :
            Stream.of(readerCounters, counters, cluster, network, directory).filter(it -> null != it).toList())
        {
            closeable.close();
        }
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    @Tag("LIFE-1")
    @Tag("GET-6")
    @Tag("SLOT-7")
    void shouldMissInTimeWhenAHostVanishesInTheMiddleOfReadsAndUseItAgain() throws Exception
    {
        try (FluxonClient reader = connect(READER); FluxonClient lost = connect(LOST);
            FluxonClient other = connect(OTHER))
        {
            put(other, "other");
            read(reader, "other");
            long socketsOfReader = Long.MAX_VALUE;
            long socketsOfLost = Long.MAX_VALUE;
            int judged = 0;
            for (int round = 0; round < ROUNDS; round++)
            {
                judged += loseInTheMiddle(reader, lost, "lost" + round) ? 1 : 0;
                put(reader, "back" + round);
                readInTime(lost, "back" + round);
                awaitAtMost(READER, socketsOfReader);
                awaitAtMost(LOST, socketsOfLost);
                socketsOfReader = sockets(READER);
                socketsOfLost = sockets(LOST);
            }
            assertNothingIsLeft();
            assumeTrue(judged > 0, "the machine stood still in each round: no time could be judged");
        }
    }

    /** Returns whether the machine ran all the time, so that times could be judged. */
    private boolean loseInTheMiddle(final FluxonClient reader, final FluxonClient lost, final String name)
        throws Exception
    {
        put(lost, name);
        final boolean isJudged;
        try (MachineWatch watch = new MachineWatch();
            Bystander bystander = new Bystander(connect(READER), connect(OTHER)))
        {
            final long before = bytesRead();
            final long failedBefore = failures();
            final GetHandle handle = reader.getStart(keys(name), true, null);
            await("values to come", () -> bytesRead() > before + 2 * VALUE_BYTES || 0 == handle.transferableLen());
            final boolean isInTheMiddle = handle.transferableLen() > 0;
            network.link(LOST + 1, false);
            final long failMs = timeToFail(reader, handle);
            await("the host to be given up", () -> 1 == counters.owner(READER, OwnerCounter.PEERS));
            final long missMs = timeToMiss(reader, name);
            await("all slots to be free", () -> 0 == counters.owner(READER, OwnerCounter.SLOTS_PENDING));

            isJudged = isInTheMiddle && watch.stoodStillMs() < MAX_STILL_MS;
            System.out.println(name + ": the read failed after " + failMs + " ms, the next one missed after " + missMs +
                " ms; the machine stood still for " + watch.stoodStillMs() + " ms, judged: " + isJudged);
            if (isJudged)
            {
                assertThat(failures() - failedBefore).isBetween(1L, KEYS - 2L);
                assertThat(failMs).isBetween(0L, 2L * GET_TIMEOUT_MS);
                assertThat(missMs).isBetween(0L, (long)GET_TIMEOUT_MS);
                bystander.assertNotDelayed(GET_TIMEOUT_MS * 2 / 3);
            }
        }
        MILLISECONDS.sleep(OUTAGE_MS);
        network.link(LOST + 1, true);
        awaitReady();
        await("the routes of the host", () -> isOffered(reader, name));
        readInTime(reader, name);
        return isJudged;
    }

    /** -1 if it does not. */
    private static long timeToFail(final FluxonClient reader, final GetHandle handle)
    {
        final long startNs = System.nanoTime();
        try
        {
            reader.releaseViews(reader.getTransfer(handle));
            return -1;
        }
        catch (final FluxonException ex)
        {
            return NANOSECONDS.toMillis(System.nanoTime() - startNs);
        }
    }

    /** -1 if it does not. */
    private static long timeToMiss(final FluxonClient reader, final String name)
    {
        final long startNs = System.nanoTime();
        return isOffered(reader, name) ? -1 : NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @Test
    @Tag("LIFE-1")
    @Tag("LIFE-3")
    @Tag("G8")
    void shouldGoOnWithoutTheMasterAndReconcileWhenItsLinkIsBack() throws Exception
    {
        outage((isOut) -> network.link(MASTER_HOST, !isOut));
    }

    @Test
    @Tag("LIFE-1")
    @Tag("LIFE-3")
    void shouldGoOnAndReconcileWhenTheMasterHearsNobodyForAWhile() throws Exception
    {
        outage((isOut) -> network.deafen(MASTER_HOST, isOut));
    }

    @Test
    @Tag("LIFE-1")
    @Tag("LIFE-3")
    void shouldGoOnAndReconcileWhenNobodyHearsTheMasterForAWhile() throws Exception
    {
        outage((isOut) ->
        {
            for (int i = 0; i < cluster.ownerCount(); i++)
            {
                network.deafen(i + 1, isOut);
            }
        });
    }

    /** Of the control network, for longer than every liveness timeout. */
    private void outage(final Consumer<Boolean> control) throws Exception
    {
        try (FluxonClient reader = connect(READER); FluxonClient other = connect(OTHER))
        {
            put(other, "before");
            readWithOneMessageOfEachKind(reader, "before");
            final long registrations = leastRegistrations();
            control.accept(true);
            final long startNs = System.nanoTime();
            final PutFuture future = putLocally(reader, "meanwhile");
            read(reader, "meanwhile");
            read(reader, "before");
            assertThat(isOffered(other, "meanwhile")).isFalse();
            MILLISECONDS.sleep(OUTAGE_MS);
            read(other, "before");
            assertThat(future.isDone()).isFalse();
            assertThat(NANOSECONDS.toMillis(System.nanoTime() - startNs)).isGreaterThan(OUTAGE_MS);
            control.accept(false);

            await("all owners to register again", () -> leastRegistrations() > registrations);
            assertThat(results(future)).containsOnly(0);
            awaitReady();
            await("the routes of what was put meanwhile", () -> isOffered(other, "meanwhile"));
            read(other, "meanwhile");
        }
        assertNothingIsLeft();
    }

    private void readWithOneMessageOfEachKind(final FluxonClient reader, final String name)
    {
        final List<OwnerCounter> messages =
            List.of(OwnerCounter.BATCH_GET_STARTS, OwnerCounter.SUBMISSIONS, OwnerCounter.BATCH_GET_DONES);
        final List<Long> before = messages.stream().map((counter) -> counters.owner(READER, counter)).toList();
        read(reader, name);
        assertThat(messages).extracting((counter) -> counters.owner(READER, counter))
            .isEqualTo(before.stream().map((count) -> count + 1).toList());
    }

    private void assertNothingIsLeft()
    {
        final RunReport report = new RunReport();
        accounts.settle(report, WAIT_NS);
        accounts.checkState(report.balance());
        assertThat(report.leftover().isZero()).as(report.leftover().toString()).isTrue();
        assertThat(report.balance().checks()).isNotEmpty().allMatch((check) -> check.isOk());
        cluster.checkAlive();
    }

    private FluxonClient connect(final int owner)
    {
        return FluxonClient.connect(new ClientContext()
            .ownerDirectory(cluster.ownerDirectory(owner).toString()).maxKeys(KEYS));
    }

    /** A read is free to miss; one of these must not. */
    private static void readInTime(final FluxonClient reader, final String name)
    {
        await("a read of the whole batch", () ->
        {
            try
            {
                return isRead(reader, name);
            }
            catch (final FluxonException ex)
            {
                return false;
            }
        });
    }

    private long failures()
    {
        return readerCounters.get(HostCounter.TRANSFER_FAILURES.typeId());
    }

    private long bytesRead()
    {
        return readerCounters.get(HostCounter.TRANSFER_BYTES.typeId());
    }

    private long leastRegistrations()
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < cluster.ownerCount(); i++)
        {
            least = Math.min(least, counters.owner(i, OwnerCounter.MASTER_REGISTRATIONS));
        }
        return least;
    }

    private void awaitReady()
    {
        await("all owners to know each other", () ->
            cluster.isOwnerReady(READER) && cluster.isOwnerReady(LOST) && cluster.isOwnerReady(OTHER) &&
            cluster.ownerCount() == counters.master(MasterCounter.OWNERS_LIVE));
    }

    /** UCX finds out in its own time that the one at the other end of a connection has gone. */
    private void awaitAtMost(final int owner, final long count)
    {
        await("sockets of former connections to be closed", () -> sockets(owner) <= count);
    }

    private long sockets(final int owner)
    {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + cluster.owner(owner).pid() + "/fd")))
        {
            return files.filter(HostFaultTest::isSocket).count();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static boolean isSocket(final Path file)
    {
        try
        {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as("waited for " + what).isNegative();
            try
            {
                MILLISECONDS.sleep(2);
            }
            catch (final InterruptedException ex)
            {
                throw new AssertionError(ex);
            }
        }
    }
}
