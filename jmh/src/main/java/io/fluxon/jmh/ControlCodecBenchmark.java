package io.fluxon.jmh;

import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import io.fluxon.ipc.channel.MessageCheck;
import io.fluxon.jmh.cluster.BenchKeys;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The two requests that carry keys: encoding, decoding of every key, and the check that each receiver makes before it
 * acts on a message. The reference copies the bytes of the keys, one by one, as both must.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class ControlCodecBenchmark
{
    private static final int MAX_BYTES = 64 * 1024;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long VALUE_BYTES = 4096;
    private static final long TIMEOUT_NS = 1_000_000_000;

    /** Keys of the request. */
    @Param({"1", "64", "512"})
    public int keyCount;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final PutStartRequestEncoder putStartEncoder = new PutStartRequestEncoder();
    private final PutStartRequestDecoder putStartDecoder = new PutStartRequestDecoder();
    private final GetStartRequestEncoder getStartEncoder = new GetStartRequestEncoder();
    private final GetStartRequestDecoder getStartDecoder = new GetStartRequestDecoder();
    private final MessageCheck check = new MessageCheck();
    private final UnsafeBuffer putStart = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
    private final UnsafeBuffer getStart = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
    private final UnsafeBuffer target = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
    private BenchKeys keys;
    private int putStartLength;
    private int getStartLength;
    private long correlationId;

    /** Encodes the messages that are decoded. */
    @Setup
    public void setup()
    {
        keys = new BenchKeys(keyCount);
        putStartLength = encodePutStart(putStart);
        getStartLength = encodeGetStart(getStart);
    }

    /**
     * Encodes a put start.
     *
     * @return length of the message.
     */
    @Benchmark
    public int putStartEncode()
    {
        return encodePutStart(target);
    }

    /**
     * Decodes a put start.
     *
     * @return bytes of all keys.
     */
    @Benchmark
    public int putStartDecode()
    {
        putStartDecoder.wrapAndApplyHeader(putStart, 0, headerDecoder);
        putStartDecoder.atomicGroups();
        int length = 0;
        for (final PutStartRequestDecoder.KeysDecoder key = putStartDecoder.keys(); key.hasNext(); )
        {
            key.next();
            length += key.getKey(target, length, BenchKeys.LENGTH);
        }
        return length;
    }

    /**
     * Checks a put start as a receiver does.
     *
     * @return true.
     */
    @Benchmark
    public boolean putStartCheck()
    {
        return check.isValid(putStart, 0, putStartLength);
    }

    /**
     * Encodes a get start.
     *
     * @return length of the message.
     */
    @Benchmark
    public int getStartEncode()
    {
        return encodeGetStart(target);
    }

    /**
     * Decodes a get start.
     *
     * @return bytes of all keys.
     */
    @Benchmark
    public int getStartDecode()
    {
        getStartDecoder.wrapAndApplyHeader(getStart, 0, headerDecoder);
        getStartDecoder.atomicGroups();
        int length = 0;
        for (final GetStartRequestDecoder.KeysDecoder key = getStartDecoder.keys(); key.hasNext(); )
        {
            key.next();
            length += key.getKey(target, length, BenchKeys.LENGTH);
        }
        return length;
    }

    /**
     * Checks a get start as a receiver does.
     *
     * @return true.
     */
    @Benchmark
    public boolean getStartCheck()
    {
        return check.isValid(getStart, 0, getStartLength);
    }

    /**
     * The reference.
     *
     * @return bytes of all keys.
     */
    @Benchmark
    public int copyReference()
    {
        int length = 0;
        for (int i = 0; i < keyCount; i++)
        {
            target.putBytes(length, keys.buffer(), keys.offset(i), BenchKeys.LENGTH);
            length += BenchKeys.LENGTH;
        }
        return length;
    }

    private int encodePutStart(final UnsafeBuffer buffer)
    {
        putStartEncoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .generation(1)
            .sessionId(1)
            .correlationId(++correlationId)
            .valueLength(VALUE_BYTES)
            .cohortId(0)
            .cohortRank(0)
            .cohortSize(0)
            .pathDepth(-1)
            .pathTurn(-1)
            .timeoutNs(TIMEOUT_NS);
        putStartEncoder.options().clear();
        putStartEncoder.atomicGroupsCount(0);
        final PutStartRequestEncoder.KeysEncoder encoder = putStartEncoder.keysCount(keyCount);
        for (int i = 0; i < keyCount; i++)
        {
            encoder.next().replicaWish((short)0).putKey(keys.buffer(), keys.offset(i), BenchKeys.LENGTH);
        }
        putStartEncoder.putParentKey(keys.buffer(), 0, 0);
        return HEADER + putStartEncoder.encodedLength();
    }

    private int encodeGetStart(final UnsafeBuffer buffer)
    {
        getStartEncoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .generation(1)
            .sessionId(1)
            .correlationId(++correlationId)
            .timeoutNs(TIMEOUT_NS)
            .prefixBestEffort((short)1);
        getStartEncoder.atomicGroupsCount(0);
        final GetStartRequestEncoder.KeysEncoder encoder = getStartEncoder.keysCount(keyCount);
        for (int i = 0; i < keyCount; i++)
        {
            encoder.next().putKey(keys.buffer(), keys.offset(i), BenchKeys.LENGTH);
        }
        return HEADER + getStartEncoder.encodedLength();
    }
}
