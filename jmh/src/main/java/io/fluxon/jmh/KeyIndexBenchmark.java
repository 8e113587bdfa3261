package io.fluxon.jmh;

import io.fluxon.engine.index.DigestKey;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.jmh.cluster.BenchKeys;
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
 * The owner's index over real slot records: the digest is known, the full key is compared. References in the same run:
 * Agrona's map of longs, in which the low word of the digest finds the record and nothing is compared, and the bare
 * Chronicle Map, from digest to record. Chronicle's code is large: the JVM is told to wait for its compiler, else a
 * busy machine measures the interpreter.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
public class KeyIndexBenchmark
{
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

    /** Chronicle's map, made as the index makes it. */
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
                wrap(keys, i);
                value.setValue(i);
                map.put(digest, value);
            }
        }

        /** Gives the memory back. */
        @TearDown
        public void tearDown()
        {
            map.close();
        }

        private void wrap(final Keys keys, final int i)
        {
            digest.setLow(keys.low[i]);
            digest.setHigh(keys.high[i]);
        }

        private LongValue get(final Keys keys, final int i)
        {
            wrap(keys, i);
            return map.getUsing(digest, value);
        }
    }

    /**
     * The digest of a key, which comes before each look-up.
     *
     * @param digests of the run.
     * @return one word.
     */
    @Benchmark
    public long digest(final Digests digests)
    {
        digests.digest.compute(digests.keys.buffer(), digests.keys.offset(digests.random.next()), BenchKeys.LENGTH);
        return digests.digest.low() ^ digests.digest.high();
    }

    /**
     * A key that is there.
     *
     * @param keys  of the run.
     * @param index filled.
     * @return the record.
     */
    @Benchmark
    public long getHit(final Keys keys, final Index index)
    {
        return index.get(keys, keys.nextPresent());
    }

    /**
     * A key that is not there.
     *
     * @param keys  of the run.
     * @param index filled.
     * @return none.
     */
    @Benchmark
    public long getMiss(final Keys keys, final Index index)
    {
        return index.get(keys, keys.nextAbsent());
    }

    /**
     * A record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param index     filled.
     * @param blackhole for the results.
     */
    @Benchmark
    public void removeAndPut(final Keys keys, final Index index, final Blackhole blackhole)
    {
        final int i = keys.nextPresent();
        blackhole.consume(index.index.remove(keys.low[i], keys.high[i], i));
        blackhole.consume(index.put(keys, i));
    }

    /**
     * Reference: a key that is there.
     *
     * @param keys   of the run.
     * @param agrona filled.
     * @return the record.
     */
    @Benchmark
    public long agronaGetHit(final Keys keys, final Agrona agrona)
    {
        return agrona.map.get(keys.low[keys.nextPresent()]);
    }

    /**
     * Reference: a record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param agrona    filled.
     * @param blackhole for the results.
     */
    @Benchmark
    public void agronaRemoveAndPut(final Keys keys, final Agrona agrona, final Blackhole blackhole)
    {
        final int i = keys.nextPresent();
        blackhole.consume(agrona.map.remove(keys.low[i]));
        blackhole.consume(agrona.map.put(keys.low[i], i));
    }

    /**
     * Reference: a key that is there.
     *
     * @param keys      of the run.
     * @param chronicle filled.
     * @return the record.
     */
    @Benchmark
    public long chronicleGetHit(final Keys keys, final Chronicle chronicle)
    {
        return chronicle.get(keys, keys.nextPresent()).getValue();
    }

    /**
     * Reference: a record goes out and comes in again.
     *
     * @param keys      of the run.
     * @param chronicle filled.
     * @param blackhole for the results.
     */
    @Benchmark
    public void chronicleRemoveAndPut(final Keys keys, final Chronicle chronicle, final Blackhole blackhole)
    {
        final int i = keys.nextPresent();
        chronicle.wrap(keys, i);
        blackhole.consume(chronicle.map.remove(chronicle.digest));
        chronicle.value.setValue(i);
        blackhole.consume(chronicle.map.put(chronicle.digest, chronicle.value));
    }
}
