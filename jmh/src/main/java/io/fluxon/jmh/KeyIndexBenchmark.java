package io.fluxon.jmh;

import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.jmh.cluster.BenchKeys;
import io.fluxon.jmh.cluster.DigestKey;
import io.fluxon.jmh.cluster.SparseMemory;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.values.Values;
import org.agrona.collections.Long2LongHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.util.concurrent.TimeUnit;

/**
 * The owner's index over real slot records: the digest is known, the full key is compared. References in the same
 * run: Agrona's map of longs, in which the low word of the digest finds the record and nothing is compared, and a
 * Chronicle Map from digest to record.
 * <p>
 * Chronicle's code is large. So that a busy machine does not measure the interpreter, the JVM waits for its compiler,
 * and an iteration is a fixed number of operations; its time is over before the first invocation ends.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
public class KeyIndexBenchmark
{
    private static final int OPERATIONS = 100_000;

    /** Keys, half of which are in the index, and their digests. */
    @State(Scope.Thread)
    public static class Keys
    {
        /** Records in the index. */
        @Param({"16384", "1048576"})
        public int entries;

        BenchKeys keys;
        long[] low;
        long[] high;
        private RandomIndex random;

        /** Makes the keys. */
        @Setup
        public void setup()
        {
            final KeyDigest digest = new Xx128KeyDigest(1);
            keys = new BenchKeys(2 * entries);
            low = new long[2 * entries];
            high = new long[2 * entries];
            for (int i = 0; i < 2 * entries; i++)
            {
                digest.compute(keys.buffer(), keys.offset(i), BenchKeys.LENGTH);
                low[i] = digest.low();
                high[i] = digest.high();
            }
            random = new RandomIndex(entries);
        }

        int nextPresent()
        {
            return random.next();
        }

        int nextAbsent()
        {
            return entries + random.next();
        }
    }

    /** Keys whose digests are computed. */
    @State(Scope.Thread)
    public static class Digests
    {
        private static final int KEYS = 1 << 14;

        private final KeyDigest digest = new Xx128KeyDigest(1);
        private final BenchKeys keys = new BenchKeys(KEYS);
        private final RandomIndex random = new RandomIndex(KEYS);
    }

    /** The index under test. */
    @State(Scope.Thread)
    public static class Index
    {
        private KeyIndex index;
        private SparseMemory memory;

        /**
         * Fills the index.
         *
         * @param keys to put in.
         */
        @Setup
        public void setup(final Keys keys)
        {
            final long quantum = Math.min(
                keys.entries * CapacityPlan.SLOT_ALIGNMENT_BYTES, CapacityPlan.DEFAULT_GRANT_QUANTUM_BYTES);
            final int grants = (int)(keys.entries * CapacityPlan.SLOT_ALIGNMENT_BYTES / quantum);
            memory = new SparseMemory(SlotTable.requiredLength(grants, quantum));
            final SlotTable table = new SlotTable(memory.segment(), grants, quantum);
            index = new KeyIndex("bench", keys.entries, table.localChain());
            for (int i = 0; i < keys.entries; i++)
            {
                table.key(i, keys.low[i], keys.high[i], keys.keys.buffer(), keys.keys.offset(i), BenchKeys.LENGTH);
                put(keys, i);
            }
        }

        /** Gives the memory back. */
        @TearDown
        public void tearDown()
        {
            index.close();
            memory.close();
        }

        long get(final Keys keys, final int i)
        {
            return index.get(keys.low[i], keys.high[i], keys.keys.buffer(), keys.keys.offset(i), BenchKeys.LENGTH);
        }

        boolean remove(final Keys keys, final int i)
        {
            return index.remove(keys.low[i], keys.high[i], i);
        }

        long put(final Keys keys, final int i)
        {
            return index.putIfAbsent(
                keys.low[i], keys.high[i], keys.keys.buffer(), keys.keys.offset(i), BenchKeys.LENGTH, i);
        }
    }

    /** Agrona's map. */
    @State(Scope.Thread)
    public static class Agrona
    {
        private static final float LOAD_FACTOR = 0.6f;

        private Long2LongHashMap map;

        /**
         * Fills the map.
         *
         * @param keys to put in.
         */
        @Setup
        public void setup(final Keys keys)
        {
            map = new Long2LongHashMap(2 * keys.entries, LOAD_FACTOR, KeyIndex.NONE);
            for (int i = 0; i < keys.entries; i++)
            {
                map.put(keys.low[i], i);
            }
        }
    }

    /** Chronicle's map. */
    @State(Scope.Thread)
    public static class Chronicle
    {
        private ChronicleMap<DigestKey, LongValue> map;
        private DigestKey digest;
        private LongValue value;

        /**
         * Fills the map.
         *
         * @param keys to put in.
         */
        @Setup
        public void setup(final Keys keys)
        {
            digest = Values.newHeapInstance(DigestKey.class);
            value = Values.newHeapInstance(LongValue.class);
            map = ChronicleMap.of(DigestKey.class, LongValue.class)
                .name("reference")
                .entries(keys.entries)
                .maxBloatFactor(2)
                .putReturnsNull(true)
                .removeReturnsNull(true)
                .create();
            for (int i = 0; i < keys.entries; i++)
            {
                put(keys, i);
            }
        }

        /** Gives the memory back. */
        @TearDown
        public void tearDown()
        {
            map.close();
        }

        LongValue get(final Keys keys, final int i)
        {
            wrap(keys, i);
            return map.getUsing(digest, value);
        }

        LongValue remove(final Keys keys, final int i)
        {
            wrap(keys, i);
            return map.remove(digest);
        }

        LongValue put(final Keys keys, final int i)
        {
            wrap(keys, i);
            value.setValue(i);
            return map.put(digest, value);
        }

        private void wrap(final Keys keys, final int i)
        {
            digest.setLow(keys.low[i]);
            digest.setHigh(keys.high[i]);
        }
    }

    /**
     * The digest of a key, which comes before each look-up.
     *
     * @param digests   of the run.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void digest(final Digests digests, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            final int offset = digests.keys.offset(digests.random.next());
            digests.digest.compute(digests.keys.buffer(), offset, BenchKeys.LENGTH);
            blackhole.consume(digests.digest.low() ^ digests.digest.high());
        }
    }

    /**
     * A key that is there.
     *
     * @param keys      of the run.
     * @param index     filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void getHit(final Keys keys, final Index index, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            blackhole.consume(index.get(keys, keys.nextPresent()));
        }
    }

    /**
     * A key that is not there.
     *
     * @param keys      of the run.
     * @param index     filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void getMiss(final Keys keys, final Index index, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            blackhole.consume(index.get(keys, keys.nextAbsent()));
        }
    }

    /**
     * A record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param index     filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void removeAndPut(final Keys keys, final Index index, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            final int next = keys.nextPresent();
            blackhole.consume(index.remove(keys, next));
            blackhole.consume(index.put(keys, next));
        }
    }

    /**
     * Reference: a key that is there.
     *
     * @param keys      of the run.
     * @param agrona    filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void agronaGetHit(final Keys keys, final Agrona agrona, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            blackhole.consume(agrona.map.get(keys.low[keys.nextPresent()]));
        }
    }

    /**
     * Reference: a record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param agrona    filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void agronaRemoveAndPut(final Keys keys, final Agrona agrona, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            final int next = keys.nextPresent();
            blackhole.consume(agrona.map.remove(keys.low[next]));
            blackhole.consume(agrona.map.put(keys.low[next], next));
        }
    }

    /**
     * Reference: a key that is there.
     *
     * @param keys      of the run.
     * @param chronicle filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void chronicleGetHit(final Keys keys, final Chronicle chronicle, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            blackhole.consume(chronicle.get(keys, keys.nextPresent()));
        }
    }

    /**
     * Reference: a record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param chronicle filled.
     * @param blackhole for the results.
     */
    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void chronicleRemoveAndPut(final Keys keys, final Chronicle chronicle, final Blackhole blackhole)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            final int next = keys.nextPresent();
            blackhole.consume(chronicle.remove(keys, next));
            blackhole.consume(chronicle.put(keys, next));
        }
    }
}
