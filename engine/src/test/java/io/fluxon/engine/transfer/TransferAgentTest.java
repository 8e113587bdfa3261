package io.fluxon.engine.transfer;

import io.fluxon.codecs.data.TransferDescriptorDecoder;
import io.fluxon.engine.ring.Rings;
import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransferAgentTest
{
    private static final int MAX_IN_FLIGHT = 64;
    private static final long GENERATION = 7;

    private final OneToOneRingBuffer requests = Rings.ring(64 * 1024);
    private final OneToOneRingBuffer completions = Rings.ring(1024);
    private final TransferCounters counters = new TransferCounters(
        Rings.counter(), Rings.counter(), Rings.counter(), Rings.counter());
    private final RecordingTransport transport = new RecordingTransport();
    private final TransferProxy proxy = new TransferProxy(requests, completions);
    private final TransferAgent agent = new TransferAgent(requests, completions, transport, counters, MAX_IN_FLIGHT);
    private final LongArrayList tokens = new LongArrayList();
    private final LongArrayList statuses = new LongArrayList();

    @Test
    @Tag("G8")
    void shouldMakeOneSubmissionPerPeerOfABatch()
    {
        for (int i = 0; i < 30; i++)
        {
            assertThat(offer(i, 1 + i % 3)).isTrue();
        }
        poll();
        agent.doWork();

        assertThat(transport.events).containsExactly("submit 1/7 x10", "submit 2/7 x10", "submit 3/7 x10");
        assertThat(counters.descriptors().get()).isEqualTo(30);
        assertThat(counters.submissions().get()).isEqualTo(3);
    }

    @Test
    @Tag("G8")
    void shouldNotSplitABatchThatIsOfferedWhileTheAgentRuns()
    {
        for (int i = 0; i < 20; i++)
        {
            offer(i, 1);
            agent.doWork();
        }
        assertThat(transport.submissions).isZero();

        poll();
        agent.doWork();

        assertThat(transport.events).containsExactly("submit 1/7 x20");
    }

    @Test
    @Tag("G8")
    void shouldNotSplitABatchThatGoesOnAtTheBeginningOfTheRing()
    {
        final int batches = 3 * requests.capacity() / (33 * TransferDescriptorDecoder.BLOCK_LENGTH);
        transport.completable = Integer.MAX_VALUE;
        for (int batch = 1; batch <= batches; batch++)
        {
            for (int i = 0; i < 33; i++)
            {
                assertThat(offer(i, 1 + i % 3)).isTrue();
            }
            poll();
            while (tokens.size() < 33 * batch)
            {
                agent.doWork();
                poll();
            }
            assertThat(counters.submissions().get()).as("batch " + batch).isEqualTo(3L * batch);
        }
    }

    @Test
    @Tag("G8")
    void shouldSubmitWhatIsGatheredOverSeveralDutyCyclesOnce()
    {
        proxy.gather(1, 1, GENERATION);
        for (int i = 0; i < 5; i++)
        {
            offer(i, 1);
            proxy.offer(10 + i, 2, 1, GENERATION, 0, 0, 100);
            offer(20 + i, 2);
            poll();
            agent.doWork();
            assertThat(transport.events).hasSize(2 + 2 * i).endsWith("submit 1/7 x1", "submit 2/7 x1");
        }
        proxy.submit(2, 1, GENERATION);
        poll();
        agent.doWork();
        assertThat(transport.events).hasSize(10);

        proxy.submit(1, 1, GENERATION);
        offer(30, 1);
        poll();
        agent.doWork();
        assertThat(transport.events).hasSize(11).endsWith("submit 1/7 x6");
    }

    @Test
    @Tag("BOUND-1")
    void shouldSubmitWhatIsGatheredWhenThereIsNoRoomForMore()
    {
        proxy.gather(1, 1, GENERATION);
        for (int i = 0; i < MAX_IN_FLIGHT + 1; i++)
        {
            assertThat(offer(i, 1)).isTrue();
        }
        proxy.submit(1, 1, GENERATION);
        poll();
        transport.completable = Integer.MAX_VALUE;
        while (tokens.size() < MAX_IN_FLIGHT + 1)
        {
            agent.doWork();
            poll();
        }
        assertThat(transport.events).containsExactly("submit 1/7 x" + MAX_IN_FLIGHT, "submit 1/7 x1");
    }

    @Test
    void shouldForgetAGatheringThatNothingCameOf()
    {
        for (int i = 0; i < 10 * MAX_IN_FLIGHT; i++)
        {
            proxy.gather(i, 1, GENERATION);
            proxy.submit(i, 1, GENERATION);
            poll();
            agent.doWork();
        }
        assertThat(transport.events).isEmpty();
    }

    @Test
    @Tag("G8")
    void shouldKeepApartPeersOfDifferentGenerations()
    {
        proxy.offer(1, 0, 1, 7, 0, 0, 1);
        proxy.offer(2, 0, 1, 8, 0, 0, 1);
        poll();
        agent.doWork();

        assertThat(transport.events).containsExactly("submit 1/7 x1", "submit 1/8 x1");
    }

    @Test
    void shouldKeepTheOrderOfDescriptorsAndPeerEvents()
    {
        proxy.peerAdded(1, GENERATION, 4096, "/dev/shm/ä.segment", "ucx:ö");
        offer(1, 1);
        proxy.peerRemoved(1, GENERATION);
        offer(2, 1);
        poll();
        agent.doWork();

        assertThat(transport.events).containsExactly(
            "added 1/7 4096 /dev/shm/ä.segment ucx:ö", "submit 1/7 x1", "removed 1/7", "submit 1/7 x1");
    }

    @Test
    void shouldCompleteEachDescriptorOnceWithItsStatus()
    {
        offer(11, 1);
        offer(12, 2);
        poll();
        agent.doWork();
        transport.completable = 1;
        agent.doWork();
        transport.completable = 1;
        transport.status = ErrorCode.TRANSPORT;
        agent.doWork();

        poll();
        poll();

        assertThat(tokens).containsExactly(11L, 12L);
        assertThat(statuses).containsExactly(0L, (long) ErrorCode.TRANSPORT);
        assertThat(counters.bytes().get()).isEqualTo(100);
        assertThat(counters.failures().get()).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldTakeNoMoreThanItCanRememberAndLoseNoCompletion()
    {
        transport.completable = Integer.MAX_VALUE;
        int offered = 0;
        while (offer(offered, 1))
        {
            offered++;
        }
        assertThat(offered).isGreaterThan(MAX_IN_FLIGHT);

        // flushes what is held, and takes nothing out yet
        proxy.poll(this::onCompleted, 0);
        for (int i = 0; i < 100; i++)
        {
            agent.doWork();
        }
        assertThat(counters.descriptors().get()).isLessThan(offered);

        for (int i = 0; i < 1000; i++)
        {
            poll();
            agent.doWork();
        }
        assertThat(tokens).hasSize(offered);
        for (int i = 0; i < offered; i++)
        {
            assertThat(tokens.getLong(i)).isEqualTo(i);
        }
    }

    @Test
    void shouldCloseTheTransportWithTheAgent()
    {
        agent.onClose();

        assertThat(transport.isClosed).isTrue();
    }

    private boolean offer(final long token, final int peerOwnerId)
    {
        return proxy.offer(token, 1, peerOwnerId, GENERATION, 0, 0, 100);
    }

    private void poll()
    {
        proxy.poll(this::onCompleted, 16);
    }

    private void onCompleted(final long token, final int status)
    {
        tokens.addLong(token);
        statuses.addLong(status);
    }
}
