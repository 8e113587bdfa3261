package io.fluxon.engine.transfer;

import io.fluxon.engine.ring.Rings;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class AutoTransportTest
{
    private static final long QUANTUM = 1 << 20;
    private static final long OPEN = -1;

    @TempDir
    Path directory;

    private final OneToOneRingBuffer requests = Rings.ring(64 * 1024);
    private final OneToOneRingBuffer completions = Rings.ring(64 * 1024);
    private final TransferProxy proxy = new TransferProxy(requests, completions);
    private final TransferCounters counters = new TransferCounters(
        Rings.counter(), Rings.counter(), Rings.counter(), Rings.counter());
    private final Long2LongHashMap statuses = new Long2LongHashMap(OPEN);
    private final List<Throwable> errors = new ArrayList<>();
    private final RecordingTransport network = new RecordingTransport();
    private SegmentFile own;
    private SegmentFile peer;
    private long grants;
    private TransferAgent agent;

    @BeforeEach
    void createSegments()
    {
        own = segment("own", 1, 5);
        peer = segment("peer", 2, 6);
        grants = own.layout().grantsOffset();
        final MemorySegment memory =
            MemorySegment.ofAddress(own.baseAddress()).reinterpret(own.layout().totalLength());
        agent = new TransferAgent(
            requests, completions,
            new AutoTransport(new LoopbackTransport(memory, grants, errors::add), network), counters, 1024);
    }

    @AfterEach
    void closeSegments()
    {
        agent.onClose();
        own.close();
        peer.close();
        assertThat(network.isClosed).isTrue();
        assertThat(errors).isEmpty();
    }

    @Test
    @Tag("G8")
    void shouldCopyFromPeersOfThisHostAndAskTheNetworkForOthers()
    {
        add(2, 6, peer.path().toString());
        add(3, 6, "/elsewhere/peer-6.segment");
        add(4, 6, peer.path().toString());
        offer(1, 2, 6);
        offer(2, 3, 6);
        offer(3, 4, 6);
        work();

        assertThat(statuses.get(1)).isZero();
        assertThat(network.events).contains("submit 3/6 x1", "submit 4/6 x1").doesNotContain("submit 2/6 x1");
        assertThat(counters.submissions().get()).isEqualTo(3);
    }

    @Test
    void shouldChooseAnewForEachGeneration()
    {
        add(2, 4, "/elsewhere/peer-4.segment");
        offer(1, 2, 4);
        work();
        add(2, 6, peer.path().toString());
        add(2, 4, "/elsewhere/peer-4.segment");
        offer(2, 2, 6);
        work();
        proxy.peerRemoved(2, 6);
        add(2, 7, "/elsewhere/peer-7.segment");
        offer(3, 2, 7);
        work();

        assertThat(statuses.get(2)).isZero();
        assertThat(network.events).contains("submit 2/4 x1", "submit 2/7 x1").doesNotContain("submit 2/6 x1");
    }

    private SegmentFile segment(final String instance, final int ownerId, final long generation)
    {
        final SegmentFile file = SegmentFile.create(
            directory.resolve(instance), new SegmentLayout(instance, ownerId, generation, 4096, QUANTUM, QUANTUM), 0);
        file.markReady();
        return file;
    }

    private void add(final int ownerId, final long generation, final String path)
    {
        proxy.peerAdded(ownerId, generation, peer.layout().totalLength(), path, "net:" + ownerId);
    }

    private void offer(final long token, final int ownerId, final long generation)
    {
        assertThat(proxy.offer(token, 1, ownerId, generation, grants, grants, 100)).isTrue();
    }

    private void work()
    {
        for (int i = 0; i < 5; i++)
        {
            proxy.poll(statuses::put, 100);
            agent.doWork();
        }
        proxy.poll(statuses::put, 100);
    }
}
