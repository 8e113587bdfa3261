package io.fluxon.sim.cluster;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Every choice of a run, drawn from one seed or read from a {@link ChoiceLog}. Choices are made in named streams that
 * are independent of each other, so that one choice more or less in one place leaves those of all other places as they
 * were. The value 0 is the default everywhere: nothing special happens. Not thread-safe.
 */
public final class Choices
{
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final long FNV_BASIS = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;
    private static final double UNIT = 0x1.0p-53;

    private final Map<String, Stream> streams = new HashMap<>();
    private final long seed;
    private final ChoiceLog script;
    private final ChoiceLog log;

    private Choices(final long seed, final ChoiceLog script, final ChoiceLog log)
    {
        this.seed = seed;
        this.script = script;
        this.log = log;
    }

    /**
     * Choices that follow from a seed.
     *
     * @param seed of the run.
     * @return the choices.
     */
    public static Choices ofSeed(final long seed)
    {
        return new Choices(seed, null, null);
    }

    /**
     * The choices of {@link #ofSeed(long)}, written down while they are made.
     *
     * @param seed of the run.
     * @param log  that takes those that are not the default.
     * @return the choices.
     */
    public static Choices ofSeed(final long seed, final ChoiceLog log)
    {
        return new Choices(seed, null, log);
    }

    /**
     * Choices that were written down; all others are the default.
     *
     * @param script to follow. A value that is too large where it is used is taken modulo what is allowed.
     * @return the choices.
     */
    public static Choices of(final ChoiceLog script)
    {
        return new Choices(0, script, null);
    }

    /**
     * The choices of {@link #of(ChoiceLog)}, written down while they are made: what of the script the run used.
     *
     * @param script to follow.
     * @param log    that takes those that are not the default.
     * @return the choices.
     */
    public static Choices of(final ChoiceLog script, final ChoiceLog log)
    {
        return new Choices(0, script, log);
    }

    /**
     * Finds or begins a stream.
     *
     * @param name of the stream.
     * @return the stream, always the same one for a name.
     */
    public Stream stream(final String name)
    {
        return streams.computeIfAbsent(name, this::begin);
    }

    private Stream begin(final String name)
    {
        long hash = FNV_BASIS;
        for (final byte b : name.getBytes(StandardCharsets.UTF_8))
        {
            hash = (hash ^ b) * FNV_PRIME;
        }
        return new Stream(
            mix(seed ^ mix(hash)),
            null == script ? null : script.reader(name),
            null == log ? null : log.writer(name));
    }

    private static long mix(final long value)
    {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /**
     * The choices of one place.
     */
    public static final class Stream
    {
        private final ChoiceLog.Reader reader;
        private final ChoiceLog.Writer writer;
        private final long seed;
        private int index;

        private Stream(final long seed, final ChoiceLog.Reader reader, final ChoiceLog.Writer writer)
        {
            this.seed = seed;
            this.reader = reader;
            this.writer = writer;
        }

        /**
         * Goes on at the next multiple of a number, so that however many choices one thing takes, those of the next
         * thing are where they were.
         *
         * @param size that is enough for one thing.
         */
        public void align(final int size)
        {
            index = (index + size - 1) / size * size;
        }

        /**
         * One of two: does something happen that has a probability?
         *
         * @param rate probability, 0 to 1.
         * @return whether it happens; never with rate 0.
         */
        public boolean chance(final double rate)
        {
            final long bits = next();
            final boolean happens = rate > 0 && (null == reader ?
                (bits >>> 11) * UNIT < rate : 0 != reader.valueAt(index));
            return 0 != made(happens ? 1 : 0);
        }

        /**
         * One of several.
         *
         * @param bound number of values, positive.
         * @return 0 to bound - 1, each as likely as any other.
         */
        public int below(final int bound)
        {
            return (int)below((long)bound);
        }

        /**
         * A value of a range, each as likely as any other.
         *
         * @param min least one, the default.
         * @param max greatest one, not less than min.
         * @return the value.
         */
        public long between(final long min, final long max)
        {
            return min + below(max - min + 1);
        }

        /**
         * A value of a range, each order of magnitude as likely as any other.
         *
         * @param min least one, positive, the default.
         * @param max greatest one, not less than min.
         * @return the value.
         */
        public long magnitude(final long min, final long max)
        {
            final int octaves = 63 - Long.numberOfLeadingZeros(max / min);
            final long low = min << below(octaves + 1);
            return between(low, Math.min(max, 2 * low - 1));
        }

        /**
         * A probability: often 0, else log-uniform.
         *
         * @param max greatest one.
         * @return 0, or a value between max / 100 and max.
         */
        public double rate(final double max)
        {
            final int step = below(64);
            return step < 32 ? 0 : max * Math.pow(100, (step - 63) / 31.0);
        }

        private long below(final long bound)
        {
            final long bits = next();
            final long value = null == reader ? Math.unsignedMultiplyHigh(bits, bound) : reader.valueAt(index) % bound;
            return made(value);
        }

        private long next()
        {
            return mix(seed + (index + 1) * GOLDEN_GAMMA);
        }

        private long made(final long value)
        {
            if (0 != value && null != writer)
            {
                writer.add(index, value);
            }
            index++;
            return value;
        }
    }
}
