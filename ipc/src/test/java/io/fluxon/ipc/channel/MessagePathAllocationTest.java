package io.fluxon.ipc.channel;

import com.sun.management.ThreadMXBean;
import io.fluxon.ipc.plan.PlanArena;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ZERO-1")
class MessagePathAllocationTest
{
    private static final int ROUNDS = 10_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final SplittableRandom random = new SplittableRandom(5);
    private final UnsafeBuffer small = TestMessages.putStart(1, 4, 40, random);
    private final UnsafeBuffer large = TestMessages.putStart(2, 64, 100, random);
    private final MessageCheck check = new MessageCheck();
    private final MessageAssembler assembler = new MessageAssembler(1024 * 1024, this::onWhole);
    private final OutboundQueue queue = new OutboundQueue(new Loop(), 256 * 1024);
    private long whole;

    @Test
    void shouldAllocateNothingBetweenSenderAndReceiver()
    {
        assertAllocatesNothing(() ->
        {
            queue.send(small, 0, small.capacity());
            queue.send(large, 0, large.capacity());
            queue.flush(4);
        });

        assertThat(whole).isGreaterThan(2 * ROUNDS);
        assertThat(check.malformed()).isZero();
        assertThat(assembler.dropped()).isZero();
    }

    @Test
    void shouldAllocateNothingForPlans()
    {
        final PlanArena arena = new PlanArena(1 << 20, 1 << 20);
        final long[] blobs = new long[16];
        assertAllocatesNothing(() ->
        {
            for (int i = 0; i < blobs.length; i++)
            {
                blobs[i] = arena.allocate(16 + 8 * random.nextInt(1, 4096));
            }
            for (int i = 0; i < blobs.length; i++)
            {
                arena.free(blobs[(5 * i) & 15]);
            }
        });

        assertThat(arena.blobs()).isZero();
    }

    private void assertAllocatesNothing(final Runnable round)
    {
        final long threadId = Thread.currentThread().threadId();
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < 3 && allocated > 0; i++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            for (int j = 0; j < ROUNDS; j++)
            {
                round.run();
            }
            allocated = threads.getThreadAllocatedBytes(threadId) - before;
        }

        assertThat(allocated).isLessThan(1024);
    }

    private void onWhole(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (check.isValid(buffer, offset, length))
        {
            whole++;
        }
    }

    private final class Loop implements ControlChannel
    {
        private int offers;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 == ++offers % 7)
            {
                return BACK_PRESSURED;
            }

            assembler.onMessage(1, buffer, offset, length);
            return 1;
        }

        @Override
        public int maxMessageLength()
        {
            return 1024;
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }
}
