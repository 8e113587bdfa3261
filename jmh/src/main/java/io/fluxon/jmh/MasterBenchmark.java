package io.fluxon.jmh;

import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.jmh.cluster.CoreMaster;
import io.fluxon.jmh.cluster.MemoryLink;
import io.fluxon.jmh.cluster.ScriptedOwner;
import io.fluxon.jmh.cluster.StepClock;
import org.agrona.DirectBuffer;
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

import java.util.concurrent.TimeUnit;

/**
 * Operations of owners at a master core in memory: from the encoding of the message to its answer. The reference
 * encodes the same message and moves it through a link to nobody.
 * <p>
 * Published keys stay, so an iteration is a fixed number of operations; its time is over before the first invocation
 * ends. The JVM is told to wait for its compiler: these are too few to wait for it without.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
public class MasterBenchmark implements MessageHandler
{
    private static final int BATCH = 128;
    private static final int KEYS = 1 << 14;
    private static final int OPERATIONS = 20_000;
    private static final int OPERATIONS_OF_128 = 400;
    private static final int MAX_ROUTES = 1 << 20;

    private final MemoryLink link = new MemoryLink(1);
    private CoreMaster master;
    private ScriptedOwner source;
    private ScriptedOwner reader;
    private RandomIndex random;
    private long nextNumber;
    private long received;

    /** Makes a master with two owners, and publishes what is read later. */
    @Setup
    public void setup()
    {
        master = new CoreMaster(new StepClock(), MAX_ROUTES);
        source = new ScriptedOwner(master, 1);
        reader = new ScriptedOwner(master, 2);
        random = new RandomIndex(KEYS / BATCH);
        for (; nextNumber < KEYS; nextNumber += BATCH)
        {
            source.publish(nextNumber, BATCH);
        }
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        master.close();
    }

    /** Publish of one fresh key. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void publish()
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            source.publish(nextNumber++, 1);
        }
    }

    /** Publish of 128 fresh keys. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS_OF_128)
    public void publishOf128()
    {
        for (int i = 0; i < OPERATIONS_OF_128; i++)
        {
            source.publish(nextNumber, BATCH);
            nextNumber += BATCH;
        }
    }

    /** Get start of one key that another owner has; it takes the place of the last one for this key. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void getStart()
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            reader.getStart((long)random.next() * BATCH, 1);
        }
    }

    /** Get start of 128 keys that another owner has; it takes the place of the last ones for these keys. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS_OF_128)
    public void getStartOf128()
    {
        for (int i = 0; i < OPERATIONS_OF_128; i++)
        {
            reader.getStart((long)random.next() * BATCH, BATCH);
        }
    }

    /** Get start of 128 keys, and their revoke as one operation. */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS_OF_128)
    public void getStartAndRevokeOf128()
    {
        for (int i = 0; i < OPERATIONS_OF_128; i++)
        {
            reader.getStart((long)random.next() * BATCH, BATCH);
            reader.revoke();
        }
    }

    /**
     * The reference for one key.
     *
     * @return bytes received so far.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long encodeReference()
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            source.publishInto(nextNumber, 1, link, this);
        }
        return received;
    }

    /**
     * The reference for 128 keys.
     *
     * @return bytes received so far.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS_OF_128)
    public long encodeReferenceOf128()
    {
        for (int i = 0; i < OPERATIONS_OF_128; i++)
        {
            source.publishInto(nextNumber, BATCH, link, this);
        }
        return received;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        received += length;
    }
}
