package io.fluxon.engine.checksum;

import io.fluxon.codecs.data.ChecksumCompletionEncoder;
import io.fluxon.codecs.data.ChecksumRequestDecoder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes CRC-32C of values in the segment, one after the other in the order of the requests, in steps of at most
 * {@value #STEP_BYTES} bytes (contract CRC-1). The requester keeps the bytes in place with a holder of its own.
 * <p>
 * Nothing is allocated per value: the segment is covered once by direct buffers of {@value #WINDOW_BYTES} bytes.
 */
public final class ChecksumAgent implements Agent
{
    /** Bytes that one duty cycle reads at most. */
    static final int STEP_BYTES = 4 * 1024 * 1024;

    private static final int WINDOW_BYTES = 1 << 30;

    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer completions;
    private final AtomicCounter bytesCounter;
    private final ByteBuffer[] windows;
    private final long segmentLength;
    private final CRC32C crc = new CRC32C();
    private final ChecksumRequestDecoder requestDecoder = new ChecksumRequestDecoder();
    private final ChecksumCompletionEncoder completionEncoder = new ChecksumCompletionEncoder();
    private final MessageHandler requestHandler = this::onRequest;

    private boolean isActive;
    private long token;
    private long position;
    private long end;

    /**
     * An agent for the far ends of a {@link ChecksumProxy}'s rings.
     *
     * @param requests     from the owner.
     * @param completions  to the owner.
     * @param segment      the own segment file, whole: offsets of requests are offsets in it.
     * @param bytesCounter that counts the bytes read; the agent is its only writer.
     */
    public ChecksumAgent(
        final OneToOneRingBuffer requests,
        final OneToOneRingBuffer completions,
        final MemorySegment segment,
        final AtomicCounter bytesCounter)
    {
        this.requests = requests;
        this.completions = completions;
        this.bytesCounter = bytesCounter;
        this.segmentLength = segment.byteSize();
        this.windows = windowsOf(segment);
    }

    @Override
    public int doWork()
    {
        int workCount = 0;
        int budget = STEP_BYTES;
        while (budget > 0)
        {
            if (!isActive && 0 == requests.read(requestHandler, 1))
            {
                break;
            }
            workCount++;
            budget -= step(budget);
            if (position == end && !complete())
            {
                break;
            }
        }
        return workCount;
    }

    @Override
    public String roleName()
    {
        return "checksum";
    }

    private static ByteBuffer[] windowsOf(final MemorySegment segment)
    {
        final long length = segment.byteSize();
        final ByteBuffer[] windows = new ByteBuffer[(int) ((length + WINDOW_BYTES - 1) / WINDOW_BYTES)];
        for (int i = 0; i < windows.length; i++)
        {
            final long offset = (long) i * WINDOW_BYTES;
            windows[i] = segment.asSlice(offset, Math.min(WINDOW_BYTES, length - offset)).asByteBuffer();
        }
        return windows;
    }

    private void onRequest(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        requestDecoder.wrap(
            buffer, index, ChecksumRequestDecoder.BLOCK_LENGTH, ChecksumRequestDecoder.SCHEMA_VERSION);
        token = requestDecoder.token();
        position = requestDecoder.valueOffset();
        final long valueLength = requestDecoder.length();
        if (position < 0 || valueLength < 0 || position > segmentLength - valueLength)
        {
            throw new IllegalStateException("a value to be checked lies outside of the segment");
        }
        end = position + valueLength;
        crc.reset();
        isActive = true;
    }

    private int step(final int budget)
    {
        if (position == end)
        {
            return 0;
        }
        final ByteBuffer window = windows[(int) (position / WINDOW_BYTES)];
        final int offset = (int) (position % WINDOW_BYTES);
        final int length = (int) Math.min(Math.min(budget, end - position), window.capacity() - offset);
        window.limit(offset + length).position(offset);
        crc.update(window);
        position += length;
        bytesCounter.getAndAddRelease(length);
        return length;
    }

    private boolean complete()
    {
        final int index = completions.tryClaim(
            ChecksumCompletionEncoder.TEMPLATE_ID, ChecksumCompletionEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        completionEncoder.wrap(completions.buffer(), index).token(token).checksum(crc.getValue());
        completions.commit(index);
        isActive = false;
        return true;
    }
}
