package io.fluxon.engine.host;

import io.fluxon.engine.checksum.ChecksumAgent;
import io.fluxon.engine.checksum.ChecksumProxy;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.owner.OwnerContext;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerCounters;
import io.fluxon.engine.transfer.TransferAgent;
import io.fluxon.engine.transfer.TransferCounters;
import io.fluxon.engine.transfer.TransferProxy;
import io.fluxon.engine.transfer.Transport;
import io.fluxon.engine.watch.ProcProbe;
import io.fluxon.engine.watch.ProcessWatchAgent;
import io.fluxon.engine.watch.ProcessWatchProxy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;

import java.nio.ByteBuffer;

/**
 * The agents beside an owner core, and the rings to them.
 */
final class OwnerAgents
{
    private static final int TRANSFER_RING_BYTES = 1 << 21;
    private static final int CHECKSUM_RING_BYTES = 1 << 20;
    private static final int WATCH_RING_BYTES = 1 << 16;
    private static final int MAX_TRANSFERS_IN_FLIGHT = 1 << 14;
    private static final int WATCH_SLEEP_MS = 20;

    private final TransferAgent transferAgent;
    private final ChecksumAgent checksumAgent;
    private final ProcessWatchAgent watchAgent;

    private OwnerAgents(
        final TransferAgent transferAgent, final ChecksumAgent checksumAgent, final ProcessWatchAgent watchAgent)
    {
        this.transferAgent = transferAgent;
        this.checksumAgent = checksumAgent;
        this.watchAgent = watchAgent;
    }

    /**
     * Builds the agents and gives the near ends of their rings to the core.
     *
     * @param memory    of the owner.
     * @param transport to the other owners.
     * @param context   of the core.
     * @param manager   of the process's counters.
     * @param counters  of the core.
     * @return the agents, not yet started.
     */
    static OwnerAgents create(
        final OwnerMemory memory,
        final Transport transport,
        final OwnerContext context,
        final CountersManager manager,
        final OwnerCounters counters)
    {
        final OneToOneRingBuffer transfers = ring(TRANSFER_RING_BYTES);
        final OneToOneRingBuffer transferCompletions = ring(TRANSFER_RING_BYTES);
        final OneToOneRingBuffer checksums = ring(CHECKSUM_RING_BYTES);
        final OneToOneRingBuffer checksumCompletions = ring(CHECKSUM_RING_BYTES);
        final OneToOneRingBuffer watches = ring(WATCH_RING_BYTES);
        final OneToOneRingBuffer reports = ring(WATCH_RING_BYTES);
        context
            .transferQueue(new TransferProxy(transfers, transferCompletions))
            .checksumQueue(new ChecksumProxy(checksums, checksumCompletions))
            .processWatch(new ProcessWatchProxy(watches, reports));

        final TransferCounters transferCounters = new TransferCounters(
            HostCounter.TRANSFER_DESCRIPTORS.allocate(manager),
            counters.counter(OwnerCounter.SUBMISSIONS),
            HostCounter.TRANSFER_BYTES.allocate(manager),
            HostCounter.TRANSFER_FAILURES.allocate(manager));
        return new OwnerAgents(
            new TransferAgent(transfers, transferCompletions, transport, transferCounters, MAX_TRANSFERS_IN_FLIGHT),
            new ChecksumAgent(
                checksums, checksumCompletions, memory.bytes(), HostCounter.CHECKSUM_BYTES.allocate(manager)),
            new ProcessWatchAgent(watches, reports, SystemNanoClock.INSTANCE, ProcProbe.forThisMachine()));
    }

    void start(final ProcessHost host, final OwnerConfig config)
    {
        host.start(watchAgent, new SleepingMillisIdleStrategy(WATCH_SLEEP_MS));
        host.start(checksumAgent, config.idle().checksum().create());
        host.start(transferAgent, config.idle().transfer().create());
    }

    private static OneToOneRingBuffer ring(final int capacity)
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }
}
