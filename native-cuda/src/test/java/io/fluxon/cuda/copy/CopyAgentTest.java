package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CommandCheck;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.Side;
import io.fluxon.ipc.plan.PlanBlob;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static io.fluxon.codecs.data.CopyDirection.BACKUP;
import static io.fluxon.codecs.data.CopyDirection.RESTORE;
import static io.fluxon.codecs.data.CopyStatus.DONE;
import static io.fluxon.codecs.data.CopyStatus.FAILED;
import static io.fluxon.codecs.data.CopyStatus.REFUSED;
import static io.fluxon.codecs.data.CopyStrategy.AUTO;
import static io.fluxon.codecs.data.CopyStrategy.DMA;
import static io.fluxon.cuda.copy.CopyProxy.NONE;
import static org.assertj.core.api.Assertions.assertThat;

class CopyAgentTest implements CopyListener
{
    private static final int PAGE_BYTES = 64;
    private static final int ARENA_BYTES = 256 * 1024;
    private static final CopyLimits LIMITS = new CopyLimits(64, 4, 8, 4 * PAGE_BYTES, 8 * PAGE_BYTES);

    private record Copied(long token, CopyStatus status, String reason)
    {
    }

    private final Arena memory = Arena.ofConfined();
    private final MemorySegment planArena = memory.allocate(ARENA_BYTES, Long.BYTES);
    private final MemorySegment values = memory.allocate(64 * PAGE_BYTES, Long.BYTES).fill((byte)7);
    private final MemorySegment pool = memory.allocate(64 * PAGE_BYTES, Long.BYTES);
    private final MemorySegment layers = memory.allocateFrom(ValueLayout.JAVA_LONG, pool.address());
    private final CommandWriter writer = new CommandWriter();
    private final CopyCommand command = new CopyCommand().allocate();
    private final ScriptedDevice device = new ScriptedDevice();
    private final List<Copied> copied = new ArrayList<>();
    private final List<Long> recorded = new ArrayList<>();
    private CommandMemory commands;
    private CopyProxy proxy;
    private CopyAgent agent = start(device, LIMITS, 1 << 20, 1 << 20);

    @AfterEach
    void after()
    {
        agent.onClose();
        commands.close();
        memory.close();
    }

    @Test
    void shouldCopyOnTheTwinAndReportIt()
    {
        agent = start(new HostCopyDevice(1), LIMITS, 1 << 16, 1 << 16);
        offer(1, 0, RESTORE, plan(2), 0, 2);
        work();

        assertThat(copied).containsExactly(new Copied(1, DONE, ""));
        assertThat(pool.asSlice(0, 2 * PAGE_BYTES).toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
        assertThat(pool.asSlice(2 * PAGE_BYTES).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void shouldMergeWhatBelongsToOneStreamAndDirectionIntoOneSubmission()
    {
        final long plan = plan(8);
        offer(1, 0, RESTORE, plan, 0, 1);
        offer(2, 1, RESTORE, plan, 1, 1);
        offer(3, 0, BACKUP, plan, 2, 1);
        offer(4, 0, RESTORE, plan, 3, 1);
        offer(5, 1, RESTORE, plan, 4, 2);
        agent.doWork();

        assertThat(tokens()).containsExactlyInAnyOrder(List.of(1L, 4L), List.of(2L, 5L), List.of(3L));
        assertThat(copied).isEmpty();
        device.finishAll();
        work();
        assertThat(copied).extracting(Copied::token).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void shouldNotMergeDifferentStrategies()
    {
        final long plan = plan(8);
        offer(1, 0, RESTORE, plan, 0, 1);
        offer(2, RESTORE, DMA, NONE, plan);
        offer(3, RESTORE, DMA, NONE, plan);
        agent.doWork();

        assertThat(tokens()).containsExactly(List.of(1L), List.of(2L, 3L));
        assertThat(device.submissions.get(1).strategy()).isEqualTo(DMA);
    }

    @Test
    void shouldSubmitRestoresBeforeBackups()
    {
        final long plan = plan(2);
        offer(1, 0, BACKUP, plan, 0, 1);
        offer(2, 0, RESTORE, plan, 1, 1);
        agent.doWork();

        assertThat(tokens()).containsExactly(List.of(2L), List.of(1L));
    }

    @Test
    void shouldTakeTheStreamsOfEachDirectionInTurn()
    {
        final CopyLimits oneEach = new CopyLimits(64, 1, 1, 4 * PAGE_BYTES, 8 * PAGE_BYTES);
        agent = start(device, oneEach, 1 << 20, 1 << 20);
        final long plan = plan(1);
        for (int i = 0; i < 4; i++)
        {
            offer(i, i & 1, RESTORE, plan, 0, 1);
        }
        for (int i = 0; i < 4; i++)
        {
            agent.doWork();
            device.finishAll();
        }

        final int first = device.submissions.getFirst().stream();
        assertThat(device.submissions).extracting(ScriptedDevice.Submission::stream)
            .containsExactly(first, 1 - first, first, 1 - first);
    }

    @Test
    void shouldHoldBackWhatWouldExceedTheBytesInFlightOfItsDirection()
    {
        final long plan = plan(16);
        for (int i = 0; i < 4; i++)
        {
            offer(i, 0, BACKUP, plan, 0, 3);
        }
        agent.doWork();
        assertThat(tokens()).containsExactly(List.of(0L), List.of(1L));

        offer(10, 0, RESTORE, plan, 0, 16);
        agent.doWork();
        assertThat(tokens()).hasSize(3).last().isEqualTo(List.of(10L));

        device.finish(0);
        agent.doWork();
        assertThat(tokens()).hasSize(4).last().isEqualTo(List.of(2L));
    }

    @Test
    void shouldFailExactlyTheTaskThatCannotBeSubmitted()
    {
        final long plan = plan(4);
        device.unsubmittable.add(2L);
        offer(1, 0, RESTORE, plan, 0, 1);
        offer(2, 0, RESTORE, plan, 1, 1);
        offer(3, 0, RESTORE, plan, 2, 1);
        agent.doWork();
        assertThat(copied).isEmpty();
        assertThat(tokens()).containsExactly(List.of(1L, 2L, 3L));

        device.finishAll();
        agent.doWork();
        assertThat(tokens()).containsExactly(List.of(1L, 2L, 3L), List.of(1L), List.of(2L), List.of(3L));
        device.finishAll();
        work();

        assertThat(copied).containsExactly(new Copied(1, DONE, ""),
            new Copied(2, FAILED, "cuMemcpyBatchAsync failed: CUDA_ERROR_INVALID_VALUE (1)"),
            new Copied(3, DONE, ""));
    }

    @Test
    void shouldNotReportAFailedSubmissionBeforeWhatItStartedHasEnded()
    {
        device.unsubmittable.add(1L);
        offer(1, 0, RESTORE, plan(1), 0, 1);
        work();
        assertThat(copied).isEmpty();

        device.finishAll();
        work();
        assertThat(copied).extracting(Copied::status).containsExactly(FAILED);
    }

    @Test
    void shouldFailWhatWasInFlightWhenTheDeviceIsLost()
    {
        offer(1, 0, RESTORE, plan(1), 0, 1);
        agent.doWork();
        device.isLost = true;
        work();

        assertThat(copied).containsExactly(
            new Copied(1, FAILED, "cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
    }

    @Test
    void shouldRefuseABadDescriptorAndGoOnWithTheNext()
    {
        final long plan = plan(2);
        offer(1, 9, RESTORE, plan, 0, 1);
        offer(2, 0, RESTORE, plan, 1, 1);
        planArena.set(ValueLayout.JAVA_LONG, PlanBlob.VALUES_OFFSET, 0);
        offer(3, 0, RESTORE, plan, 0, 1);
        agent.doWork();
        device.finishAll();
        work();

        assertThat(copied).containsExactlyInAnyOrder(new Copied(1, REFUSED, "stream is 9, allowed: 0 to 1"),
            new Copied(2, DONE, ""), new Copied(3, REFUSED, "value 0 of the plan has no address"));
    }

    @Test
    void shouldReportWhatTheDeviceRefused()
    {
        device.refused.add(1L);
        offer(1, 0, BACKUP, plan(1), 0, 1);
        agent.doWork();
        device.finishAll();
        work();

        assertThat(copied).containsExactly(new Copied(1, REFUSED, "a value of the plan has no address"));
    }

    @Test
    void shouldBeDoneAtOnceWithNoPages()
    {
        offer(1, 0, RESTORE, plan(0), 0, 0);
        work();

        assertThat(copied).containsExactly(new Copied(1, DONE, ""));
        assertThat(device.submissions).isEmpty();
    }

    @Test
    void shouldSayThatLayerEventsAreRecordedBeforeTheCopyHasEnded()
    {
        final long plan = plan(4);
        offer(1, RESTORE, AUTO, 4096, plan);
        offer(2, RESTORE, AUTO, 4096, plan);
        agent.doWork();
        proxy.poll(this, 10);

        assertThat(tokens()).containsExactly(List.of(1L), List.of(2L));
        assertThat(recorded).containsExactly(1L, 2L);
        assertThat(copied).isEmpty();
    }

    @Test
    void shouldCarryTenThousandDescriptorsThroughSmallRingsAndLoseNone()
    {
        agent = start(new HostCopyDevice(1), LIMITS, 1 << 14, 1 << 10);
        final long plan = plan(8);
        int offered = 0;
        while (copied.size() < 10_000)
        {
            write(plan, offered % 8, 1);
            if (offered < 10_000 &&
                proxy.offer(offered, 0, 0 == offered % 3 ? BACKUP : RESTORE, AUTO, NONE, NONE, command))
            {
                offered++;
            }
            else
            {
                agent.doWork();
                proxy.poll(this, 100);
            }
        }

        assertThat(copied).allMatch((each) -> DONE == each.status());
        assertThat(copied.stream().mapToLong(Copied::token).sorted().toArray())
            .isEqualTo(LongStream.range(0, 10_000).toArray());
    }

    @Test
    void shouldLeaveDescriptorsInTheRingWhileAllItsTasksAreTaken()
    {
        final long plan = plan(1);
        for (int i = 0; i < 70; i++)
        {
            offer(i, 0, RESTORE, plan, 0, 1);
        }
        agent.doWork();
        agent.doWork();
        assertThat(device.submissions.stream().mapToInt((each) -> each.tokens().size()).sum()).isEqualTo(8);

        for (int i = 0; i < 20; i++)
        {
            device.finishAll();
            work();
        }
        assertThat(copied).hasSize(70);
    }

    @Test
    void shouldCloseItsDevice()
    {
        agent.onClose();

        assertThat(device.isClosed).isTrue();
    }

    @Override
    public void onCopied(final long token, final CopyStatus status, final String reason)
    {
        copied.add(new Copied(token, status, reason));
    }

    @Override
    public void onRecorded(final long token)
    {
        recorded.add(token);
    }

    private List<List<Long>> tokens()
    {
        return device.submissions.stream().map(ScriptedDevice.Submission::tokens).toList();
    }

    private void work()
    {
        agent.doWork();
        agent.doWork();
        proxy.poll(this, 100);
    }

    private CopyAgent start(
        final CopyDevice with, final CopyLimits limits, final int descriptorBytes, final int completionBytes)
    {
        commands = new CommandMemory(limits.tasks());
        final OneToOneRingBuffer descriptors = ring(descriptorBytes);
        final OneToOneRingBuffer completions = ring(completionBytes);
        proxy = new CopyProxy(descriptors, completions);
        final CopyAgent started = new CopyAgent(descriptors, completions, with,
            new CommandCheck(planArena.address(), ARENA_BYTES), commands, limits);
        started.onStart();
        return started;
    }

    private void offer(
        final long token,
        final int stream,
        final CopyDirection direction,
        final long plan,
        final int first,
        final int pages)
    {
        write(plan, first, pages);
        assertThat(proxy.offer(token, stream, direction, AUTO, NONE, NONE, command)).isTrue();
    }

    private void offer(
        final long token,
        final CopyDirection direction,
        final CopyStrategy strategy,
        final long layerEvents,
        final long plan)
    {
        write(plan, 0, 1);
        assertThat(proxy.offer(token, 0, direction, strategy, NONE, layerEvents, command)).isTrue();
    }

    private void write(final long plan, final int first, final int pages)
    {
        final int count = (int)planArena.get(ValueLayout.JAVA_LONG, PlanBlob.COUNT_OFFSET);
        writer.begin(command, Geometry.mla(1, PAGE_BYTES), pages)
            .plan(Side.SOURCE, plan, count, first)
            .pools(Side.TARGET, layers.address())
            .end();
    }

    private long plan(final int count)
    {
        final PlanBlob blob = new PlanBlob().init(planArena.address(), count);
        for (int i = 0; i < count; i++)
        {
            blob.valuePtr(i, values.address() + (long)i * PAGE_BYTES);
        }
        return planArena.address();
    }

    private static OneToOneRingBuffer ring(final int bytes)
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(bytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }
}
