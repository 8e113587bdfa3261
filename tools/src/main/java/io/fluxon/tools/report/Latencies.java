package io.fluxon.tools.report;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One histogram of durations for each operation, in nanoseconds. Not thread-safe. A histogram crosses processes as
 * text.
 */
public final class Latencies
{
    private static final long HIGHEST_NS = 3_600_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Map<Operation, Histogram> histograms = new EnumMap<>(Operation.class);

    /**
     * Constructs with empty histograms.
     */
    public Latencies()
    {
        for (final Operation operation : Operation.values())
        {
            histograms.put(operation, new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS));
        }
    }

    /**
     * Records one duration.
     *
     * @param operation  that took it.
     * @param durationNs of the operation; a negative one counts as 0, one over an hour as an hour.
     */
    public void record(final Operation operation, final long durationNs)
    {
        histograms.get(operation).recordValue(Math.clamp(durationNs, 0, HIGHEST_NS));
    }

    /**
     * Histogram of an operation.
     *
     * @param operation to get it of.
     * @return the histogram itself, in nanoseconds.
     */
    public Histogram of(final Operation operation)
    {
        return histograms.get(operation);
    }

    /**
     * Writes a histogram as text without blanks.
     *
     * @param operation whose histogram is written.
     * @return the text.
     */
    public String encode(final Operation operation)
    {
        final Histogram histogram = histograms.get(operation);
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * Adds a histogram that was written as text.
     *
     * @param operation whose histogram it is.
     * @param text      that {@link #encode} made.
     * @throws IllegalArgumentException if the text is not a histogram.
     */
    public void addEncoded(final Operation operation, final String text)
    {
        try
        {
            final ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            histograms.get(operation).add(Histogram.decodeFromCompressedByteBuffer(buffer, HIGHEST_NS));
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalArgumentException("not a histogram: " + ex.getMessage(), ex);
        }
    }

    /** Forgets everything that was recorded. */
    public void reset()
    {
        histograms.values().forEach(Histogram::reset);
    }
}
