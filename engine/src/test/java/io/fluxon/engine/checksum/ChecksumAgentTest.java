package io.fluxon.engine.checksum;

import io.fluxon.engine.ring.Rings;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChecksumAgentTest
{
    private static final int SEGMENT_LENGTH = 10 * 1024 * 1024 + 17;
    private static final long NONE = -1;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment = arena.allocate(SEGMENT_LENGTH, 4096);
    private final OneToOneRingBuffer requests = Rings.ring(4096);
    private final OneToOneRingBuffer completions = Rings.ring(1024);
    private final AtomicCounter bytes = Rings.counter();
    private final ChecksumProxy proxy = new ChecksumProxy(requests, completions);
    private final ChecksumAgent agent = new ChecksumAgent(requests, completions, segment, bytes);
    private final Long2LongHashMap checksums = new Long2LongHashMap(NONE);

    @AfterEach
    void closeArena()
    {
        arena.close();
    }

    @Test
    @Tag("CRC-1")
    void shouldComputeTheCrcOfTheValueItself()
    {
        fill();
        proxy.offer(1, 0, 1);
        proxy.offer(2, 4097, 123_457);
        proxy.offer(3, 8192, 0);
        proxy.offer(4, 0, SEGMENT_LENGTH);
        work(10);

        assertThat(checksums.get(1)).isEqualTo(crc(0, 1));
        assertThat(checksums.get(2)).isEqualTo(crc(4097, 123_457));
        assertThat(checksums.get(3)).isZero();
        assertThat(checksums.get(4)).isEqualTo(crc(0, SEGMENT_LENGTH));
        assertThat(bytes.get()).isEqualTo(1 + 123_457 + SEGMENT_LENGTH);
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeASingleChangedBit()
    {
        fill();
        proxy.offer(1, 4096, 65_536);
        work(2);
        segment.set(ValueLayout.JAVA_BYTE, 4096 + 777, (byte) (segment.get(ValueLayout.JAVA_BYTE, 4096 + 777) ^ 4));
        proxy.offer(2, 4096, 65_536);
        work(2);

        assertThat(checksums.get(2)).isNotEqualTo(checksums.get(1)).isNotEqualTo(NONE);
    }

    @Test
    @Tag("G10")
    void shouldReadALongValueInSteps()
    {
        proxy.offer(1, 0, SEGMENT_LENGTH);

        agent.doWork();
        assertThat(bytes.get()).isEqualTo(ChecksumAgent.STEP_BYTES);
        agent.doWork();
        assertThat(bytes.get()).isEqualTo(2 * ChecksumAgent.STEP_BYTES);
        agent.doWork();
        assertThat(bytes.get()).isEqualTo(SEGMENT_LENGTH);
        assertThat(proxy.poll(checksums::put, 8)).isEqualTo(1);
        assertThat(agent.doWork()).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldLoseNoCompletionWhenTheOwnerDoesNotPoll()
    {
        int offered = 0;
        for (int i = 0; i < 10; i++)
        {
            while (proxy.offer(offered, 0, 4096))
            {
                offered++;
            }
            agent.doWork();
        }
        work(20);

        assertThat(checksums).hasSize(offered);
    }

    @Test
    void shouldStopOnAValueOutsideOfTheSegment()
    {
        proxy.offer(1, SEGMENT_LENGTH, 1);

        assertThatThrownBy(agent::doWork).hasMessageContaining("outside of the segment");
    }

    private void work(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            agent.doWork();
            proxy.poll(checksums::put, 100);
        }
    }

    private void fill()
    {
        final Random random = new Random(1);
        final byte[] content = new byte[SEGMENT_LENGTH];
        random.nextBytes(content);
        MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, content.length);
    }

    private long crc(final long offset, final int length)
    {
        final CRC32C crc = new CRC32C();
        crc.update(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
        return crc.getValue();
    }
}
