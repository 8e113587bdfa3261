package io.fluxon.tools.bench.transfer;

import io.fluxon.tools.report.Median;

import java.util.Arrays;

/**
 * What was measured of one way to move the pages.
 *
 * @param name            of the way.
 * @param operation       the same for programs.
 * @param checksum        on, off, or - where there is none.
 * @param bytesPerSecond  in each round.
 * @param submissions     most of them for one batch, 0 where there are none (contract G8).
 * @param checksumBytes   bytes of each round whose checksum was computed (contract CRC-1).
 */
record TransferRow(
    String name,
    String operation,
    String checksum,
    double[] bytesPerSecond,
    long[] submissions,
    long[] checksumBytes)
{
    static final String NO_CHECKSUM = "-";
    static final String CHECKED = "on";
    static final String PLAIN = "off";

    TransferRow(final String name, final String operation, final String checksum, final int rounds)
    {
        this(name, operation, checksum, new double[rounds], new long[rounds], new long[rounds]);
    }

    boolean isFetch()
    {
        return !NO_CHECKSUM.equals(checksum);
    }

    double median()
    {
        return Median.of(bytesPerSecond);
    }

    /** Median of what each round's figure is of another row's in the same round: what slows both does not count. */
    double medianRatioTo(final TransferRow other)
    {
        return Median.ofRatios(bytesPerSecond, other.bytesPerSecond);
    }

    double least()
    {
        return Arrays.stream(bytesPerSecond).min().orElse(0);
    }

    double most()
    {
        return Arrays.stream(bytesPerSecond).max().orElse(0);
    }

    /** Bytes of the round in which the least of them had their checksum computed. */
    long leastChecksumBytes()
    {
        return Arrays.stream(checksumBytes).min().orElse(0);
    }

    long mostSubmissions()
    {
        return Arrays.stream(submissions).max().orElse(0);
    }
}
