package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyCompletionEncoder;
import io.fluxon.codecs.data.CopyDescriptorDecoder;
import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyRecordedEncoder;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CommandCheck;
import io.fluxon.cuda.kernel.CopyCommand;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

import java.util.ArrayDeque;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the copies that a {@link CopyProxy} offers. Tasks of one stream and direction are merged into one submission;
 * restores go before backups, and each direction has bytes in flight of its own. Completions are polled. A task that is
 * refused, or whose submission fails, is reported with the reason; a merged submission that fails goes out again task
 * by task, so that it fails exactly those that cannot be made.
 */
public final class CopyAgent implements Agent
{
    private static final long NO_TOKEN = Long.MIN_VALUE;
    private static final int REASON_BYTES = 512;
    private static final byte[] NO_REASON = new byte[0];
    private static final int COMPLETION_BYTES =
        CopyCompletionEncoder.BLOCK_LENGTH + CopyCompletionEncoder.reasonHeaderLength();

    private final RingBuffer descriptors;
    private final RingBuffer completions;
    private final CopyDevice device;
    private final CommandCheck check;
    private final CopyLimits limits;
    private final CopyLane[] restores;
    private final CopyLane[] backups;
    private final ArrayDeque<CopyTask> freeTasks;
    private final ArrayDeque<CopyBatch> freeBatches;
    private final ArrayDeque<CopyTask> ended;
    private final LongArrayQueue recorded = new LongArrayQueue(NO_TOKEN);
    private final Long2ObjectHashMap<CopyTask> byLayer = new Long2ObjectHashMap<>();
    private final CopyDescriptorDecoder descriptorDecoder = new CopyDescriptorDecoder();
    private final CopyCompletionEncoder completionEncoder = new CopyCompletionEncoder();
    private final CopyRecordedEncoder recordedEncoder = new CopyRecordedEncoder();
    private final MessageHandler descriptorHandler = this::onDescriptor;
    private final long[] inFlightBytes = new long[2];
    private final int[] turns = new int[2];
    private final int reasonLimit;

    /**
     * An agent for the far ends of a proxy's rings.
     *
     * @param descriptors from the proxy.
     * @param completions to the proxy.
     * @param device      that makes the copies; closed with the agent.
     * @param check       of commands, for the plan arena of the worker's segment.
     * @param memory      of the tasks' commands, which the device can read.
     * @param limits      of what is held and in flight.
     */
    public CopyAgent(
        final RingBuffer descriptors,
        final RingBuffer completions,
        final CopyDevice device,
        final CommandCheck check,
        final CommandMemory memory,
        final CopyLimits limits)
    {
        this.descriptors = descriptors;
        this.completions = completions;
        this.device = device;
        this.check = check;
        this.limits = limits;
        reasonLimit = Math.min(REASON_BYTES, completions.maxMsgLength() - COMPLETION_BYTES);
        restores = lanes(device.streamCount());
        backups = lanes(device.streamCount());
        freeTasks = new ArrayDeque<>(limits.tasks());
        ended = new ArrayDeque<>(limits.tasks());
        for (int i = 0; i < limits.tasks(); i++)
        {
            freeTasks.addLast(new CopyTask(i, memory.command(i)));
        }
        freeBatches = new ArrayDeque<>(limits.batches());
        for (int i = 0; i < limits.batches(); i++)
        {
            freeBatches.addLast(new CopyBatch(i, limits.batchTasks()));
        }
    }

    @Override
    public void onStart()
    {
        device.enter();
    }

    @Override
    public int doWork()
    {
        int workCount = pollDone(restores) + pollDone(backups);
        workCount += report();
        workCount += freeTasks.isEmpty() ? 0 : descriptors.read(descriptorHandler, freeTasks.size());
        workCount += submit(restores);
        workCount += submit(backups);
        workCount += report();
        return workCount;
    }

    /**
     * Is a copy whose layer events are recorded in flight, and has the device refused nothing of it so far? What an
     * event says of a layer is true only then (contract GET-6). Asked by the thread that runs the agent, after it.
     *
     * @param token it was offered with.
     * @return true if so; false also when its end is not reported yet.
     */
    public boolean isIntact(final long token)
    {
        final CopyTask task = byLayer.get(token);
        return null != task && null == device.refusal(task);
    }

    @Override
    public void onClose()
    {
        device.close();
    }

    @Override
    public String roleName()
    {
        return "copy";
    }

    private CopyLane[] lanes(final int count)
    {
        final CopyLane[] lanes = new CopyLane[count];
        for (int i = 0; i < count; i++)
        {
            lanes[i] = new CopyLane(limits);
        }
        return lanes;
    }

    private void onDescriptor(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        descriptorDecoder.wrap(
            buffer, index, CopyDescriptorDecoder.BLOCK_LENGTH, CopyDescriptorDecoder.SCHEMA_VERSION);
        final CopyTask task = freeTasks.pollFirst().set(
            descriptorDecoder.token(),
            descriptorDecoder.stream(),
            descriptorDecoder.direction(),
            descriptorDecoder.strategy(),
            descriptorDecoder.afterEvent(),
            descriptorDecoder.layerEvents());
        try
        {
            accept(task, buffer);
        }
        catch (final IllegalArgumentException ex)
        {
            end(task, CopyStatus.REFUSED, ex.getMessage());
        }
    }

    private void accept(final CopyTask task, final MutableDirectBuffer buffer)
    {
        final int length = descriptorDecoder.commandLength();
        final int offset = descriptorDecoder.limit() + CopyDescriptorDecoder.commandHeaderLength();
        final CopyCommand command = task.command().copyFrom(buffer, offset, length);
        if (task.stream() < 0 || task.stream() >= restores.length)
        {
            throw new IllegalArgumentException(
                "stream is " + task.stream() + ", allowed: 0 to " + (restores.length - 1));
        }
        if (CopyDirection.NULL_VAL == task.direction() || CopyStrategy.NULL_VAL == task.strategy())
        {
            throw new IllegalArgumentException("direction or strategy is none of those allowed");
        }
        check.check(command);
        task.strategy(device.choose(command, task.direction(), task.strategy()));
        if (0 == task.bytes())
        {
            record(task);
            end(task, CopyStatus.DONE, "");
            return;
        }
        (CopyDirection.RESTORE == task.direction() ? restores : backups)[task.stream()].add(task);
    }

    private int submit(final CopyLane[] lanes)
    {
        int count = 0;
        final int direction = lanes == restores ? 0 : 1;
        final int turn = turns[direction] + 1 < lanes.length ? turns[direction] + 1 : 0;
        turns[direction] = turn;
        for (int i = 0; i < lanes.length; i++)
        {
            final CopyLane lane = lanes[(turn + i) % lanes.length];
            while (lane.isWaiting() && !freeBatches.isEmpty() && isRoom(lane.head()))
            {
                final CopyBatch batch = freeBatches.pollFirst();
                final long room = limits.inFlightBytes() - inFlightBytes[lane.head().direction().ordinal()];
                lane.fill(batch, Math.min(limits.batchBytes(), room));
                submit(lane, batch);
                count++;
            }
        }
        return count;
    }

    private boolean isRoom(final CopyTask task)
    {
        final long bytes = inFlightBytes[task.direction().ordinal()];
        return 0 == bytes || bytes + task.bytes() <= limits.inFlightBytes();
    }

    private void submit(final CopyLane lane, final CopyBatch batch)
    {
        inFlightBytes[batch.direction().ordinal()] += batch.bytes();
        lane.inFlight().addLast(batch);
        try
        {
            device.submit(batch);
            record(batch.task(0));
        }
        catch (final RuntimeException ex)
        {
            batch.failure(String.valueOf(ex.getMessage()));
        }
    }

    private void record(final CopyTask task)
    {
        if (0 != task.layerEvents())
        {
            recorded.addLong(task.token());
            byLayer.put(task.token(), task);
        }
    }

    private int pollDone(final CopyLane[] lanes)
    {
        int count = 0;
        for (final CopyLane lane : lanes)
        {
            while (!lane.inFlight().isEmpty() && isDone(lane.inFlight().peekFirst()))
            {
                endBatch(lane, lane.inFlight().pollFirst());
                count++;
            }
        }
        return count;
    }

    private boolean isDone(final CopyBatch batch)
    {
        try
        {
            return device.isDone(batch);
        }
        catch (final RuntimeException ex)
        {
            if (null == batch.failure())
            {
                batch.failure(String.valueOf(ex.getMessage()));
            }
            return true;
        }
    }

    private void endBatch(final CopyLane lane, final CopyBatch batch)
    {
        inFlightBytes[batch.direction().ordinal()] -= batch.bytes();
        final boolean isRetried = null != batch.failure() && batch.count() > 1;
        for (int i = 0; i < batch.count(); i++)
        {
            final CopyTask task = batch.task(i);
            if (isRetried)
            {
                lane.addAlone(task);
            }
            else if (null != batch.failure())
            {
                end(task, CopyStatus.FAILED, batch.failure());
            }
            else
            {
                final String refusal = device.refusal(task);
                end(task, null == refusal ? CopyStatus.DONE : CopyStatus.REFUSED, null == refusal ? "" : refusal);
            }
        }
        batch.clear();
        freeBatches.addLast(batch);
    }

    private void end(final CopyTask task, final CopyStatus status, final String reason)
    {
        task.end(status, reason);
        byLayer.remove(task.token(), task);
        ended.addLast(task);
    }

    /** What does not fit into the ring stays, and keeps its task: the ring cannot make the agent hold more. */
    private int report()
    {
        int count = 0;
        while (!recorded.isEmpty() && reportRecorded(recorded.peekLong()))
        {
            recorded.pollLong();
            count++;
        }
        while (recorded.isEmpty() && !ended.isEmpty() && reportEnded(ended.peekFirst()))
        {
            freeTasks.addLast(ended.pollFirst());
            count++;
        }
        return count;
    }

    private boolean reportRecorded(final long token)
    {
        final int index = completions.tryClaim(CopyRecordedEncoder.TEMPLATE_ID, CopyRecordedEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        recordedEncoder.wrap(completions.buffer(), index).token(token);
        completions.commit(index);
        return true;
    }

    private boolean reportEnded(final CopyTask task)
    {
        final byte[] reason = task.reason().isEmpty() ? NO_REASON : task.reason().getBytes(UTF_8);
        final int reasonLength = Math.min(reason.length, reasonLimit);
        final int index = completions.tryClaim(CopyCompletionEncoder.TEMPLATE_ID, COMPLETION_BYTES + reasonLength);
        if (index < 0)
        {
            return false;
        }
        completionEncoder.wrap(completions.buffer(), index)
            .token(task.token())
            .status(task.status())
            .putReason(reason, 0, reasonLength);
        completions.commit(index);
        return true;
    }
}
