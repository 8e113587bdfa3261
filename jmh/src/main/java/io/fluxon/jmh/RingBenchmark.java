package io.fluxon.jmh;

import io.fluxon.codecs.data.TransferDescriptorEncoder;
import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.checksum.ChecksumAgent;
import io.fluxon.engine.checksum.ChecksumProxy;
import io.fluxon.engine.transfer.Submission;
import io.fluxon.engine.transfer.Transfer;
import io.fluxon.engine.transfer.TransferAgent;
import io.fluxon.engine.transfer.TransferCounters;
import io.fluxon.engine.transfer.TransferProxy;
import io.fluxon.engine.transfer.Transport;
import io.fluxon.engine.transfer.TransportListener;
import io.fluxon.jmh.cluster.Counters;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A descriptor's way from the owner core to the agent beside it and back as a completion, through both rings and the
 * flyweights of {@code data.xml}, on one thread: what the hop costs beyond the work itself and the wait for the other
 * thread. The transport moves nothing and completes at once. The reference is a bare record through both rings.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RingBenchmark implements TransferListener, ChecksumListener
{
    private static final int RING_BYTES = 1 << 16;
    private static final int BATCH = 32;
    private static final int PEER = 2;
    private static final long GENERATION = 1;
    private static final long VALUE_BYTES = 8;

    private final OneToOneRingBuffer there = newRing();
    private final OneToOneRingBuffer back = newRing();
    private final UnsafeBuffer record = new UnsafeBuffer(
        ByteBuffer.allocateDirect(TransferDescriptorEncoder.BLOCK_LENGTH));
    private final MessageHandler onThere = this::turnAround;
    private final MessageHandler onBack = this::arrive;
    private final Arena arena = Arena.ofShared();

    private TransferProxy transferProxy;
    private TransferAgent transferAgent;
    private ChecksumProxy checksumProxy;
    private ChecksumAgent checksumAgent;
    private long completed;
    private long token;

    /** Makes both pairs of rings. */
    @Setup
    public void setup()
    {
        final OneToOneRingBuffer descriptors = newRing();
        final OneToOneRingBuffer arrivals = newRing();
        transferProxy = new TransferProxy(descriptors, arrivals);
        transferAgent = new TransferAgent(
            descriptors,
            arrivals,
            new InstantTransport(),
            new TransferCounters(
                Counters.newCounter(), Counters.newCounter(), Counters.newCounter(), Counters.newCounter()),
            2 * BATCH);
        final OneToOneRingBuffer requests = newRing();
        final OneToOneRingBuffer checksums = newRing();
        checksumProxy = new ChecksumProxy(requests, checksums);
        checksumAgent = new ChecksumAgent(requests, checksums, arena.allocate(VALUE_BYTES), Counters.newCounter());
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        arena.close();
    }

    /**
     * One descriptor there, one completion back.
     *
     * @return sum of the tokens that came back.
     */
    @Benchmark
    public long transferRoundTrip()
    {
        offerTransfer();
        transferProxy.poll(this, BATCH);
        transferAgent.doWork();
        transferProxy.poll(this, BATCH);
        return completed;
    }

    /**
     * Descriptors of one duty cycle: one submission (contract G8). Per descriptor.
     *
     * @return sum of the tokens that came back.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long transferRoundTripOf32()
    {
        for (int i = 0; i < BATCH; i++)
        {
            offerTransfer();
        }
        transferProxy.poll(this, BATCH);
        transferAgent.doWork();
        transferProxy.poll(this, BATCH);
        return completed;
    }

    /**
     * One checksum of eight bytes.
     *
     * @return sum of the tokens that came back.
     */
    @Benchmark
    public long checksumRoundTrip()
    {
        if (!checksumProxy.offer(++token, 0, VALUE_BYTES))
        {
            throw new IllegalStateException("the ring is full");
        }
        checksumAgent.doWork();
        checksumProxy.poll(this, BATCH);
        return completed;
    }

    /**
     * The reference.
     *
     * @return sum of the words that came back.
     */
    @Benchmark
    public long ringReference()
    {
        record.putLong(0, ++token);
        there.write(TransferDescriptorEncoder.TEMPLATE_ID, record, 0, TransferDescriptorEncoder.BLOCK_LENGTH);
        there.read(onThere, BATCH);
        back.read(onBack, BATCH);
        return completed;
    }

    @Override
    public void onTransferCompleted(final long completedToken, final int status)
    {
        completed += completedToken;
    }

    @Override
    public void onChecksumCompleted(final long completedToken, final long checksum)
    {
        completed += completedToken;
    }

    private void turnAround(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        back.write(type, buffer, index, length);
    }

    private void arrive(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        completed += buffer.getLong(index);
    }

    private void offerTransfer()
    {
        if (!transferProxy.offer(++token, 1, PEER, GENERATION, 0, 0, VALUE_BYTES))
        {
            throw new IllegalStateException("the ring is full");
        }
    }

    private static OneToOneRingBuffer newRing()
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** Completes everything at the next step without moving a byte. */
    private static final class InstantTransport implements Transport
    {
        private final Submission[] submissions = new Submission[BATCH];
        private int size;

        @Override
        public void onPeerAdded(
            final int ownerId,
            final long generation,
            final long segmentLength,
            final String segmentPath,
            final String transferAddress)
        {
        }

        @Override
        public void onPeerRemoved(final int ownerId, final long generation)
        {
        }

        @Override
        public void submit(final Submission submission)
        {
            submissions[size++] = submission;
        }

        @Override
        public int progress(final TransportListener listener)
        {
            final int count = size;
            for (int i = 0; i < count; i++)
            {
                Transfer transfer = submissions[i].first();
                while (null != transfer)
                {
                    final Transfer next = transfer.next();
                    listener.onTransferred(transfer, 0);
                    transfer = next;
                }
            }
            size = 0;
            return count;
        }

        @Override
        public void close()
        {
        }
    }
}
