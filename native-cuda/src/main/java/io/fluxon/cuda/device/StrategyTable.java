package io.fluxon.cuda.device;

import io.fluxon.codecs.data.CopyStrategy;

import java.util.List;

/**
 * Which strategy copies fastest, by what a calibration run measured ({@code scripts/gpu-bench}). The first row that
 * fits, and whose strategy can copy the command, decides; where none does, a kernel copies.
 *
 * @param rows in order.
 */
public record StrategyTable(List<Row> rows)
{
    /** As measured on an H200, docs/gpu.md. */
    public static final StrategyTable DEFAULT =
        new StrategyTable(List.of(new Row(4096, 4L << 20, CopyStrategy.STAGED)));

    /**
     * One row.
     *
     * @param leastFragment bytes of one layer of one page, from here on.
     * @param leastCopy     bytes of all pages of a copy, from here on.
     * @param strategy      never AUTO.
     */
    public record Row(long leastFragment, long leastCopy, CopyStrategy strategy)
    {
    }

    /**
     * A table.
     */
    public StrategyTable
    {
        rows = List.copyOf(rows);
    }

    /**
     * A table with one strategy for all.
     *
     * @param strategy never AUTO.
     * @return the table.
     */
    public static StrategyTable always(final CopyStrategy strategy)
    {
        return new StrategyTable(List.of(new Row(0, 0, strategy)));
    }

    /**
     * Reads a table: rows {@code fragment,copy=STRATEGY}, parted by semicolons.
     *
     * @param text of it.
     * @return the table.
     */
    public static StrategyTable parse(final String text)
    {
        return new StrategyTable(List.of(text.split(";")).stream().map(StrategyTable::parseRow).toList());
    }

    private static Row parseRow(final String text)
    {
        final String[] parts = text.trim().split("[,=]");
        try
        {
            return new Row(Long.parseLong(parts[0]), Long.parseLong(parts[1]), CopyStrategy.valueOf(parts[2]));
        }
        catch (final IllegalArgumentException | ArrayIndexOutOfBoundsException ex)
        {
            throw new IllegalArgumentException("strategy table has '" + text +
                "', allowed: bytes of a fragment,bytes of a copy=KERNEL, DMA or STAGED", ex);
        }
    }

    /**
     * Chooses.
     *
     * @param fragmentBytes of one layer of one page.
     * @param copyBytes     of all pages.
     * @param canStage      true if the command can be staged.
     * @param canDma        true if the host can read all that copy engines must be told.
     * @return the strategy.
     */
    public CopyStrategy choose(
        final long fragmentBytes, final long copyBytes, final boolean canStage, final boolean canDma)
    {
        for (int i = 0; i < rows.size(); i++)
        {
            final Row row = rows.get(i);
            final boolean isPossible =
                CopyStrategy.STAGED == row.strategy() ? canStage : CopyStrategy.DMA != row.strategy() || canDma;
            if (fragmentBytes >= row.leastFragment() && copyBytes >= row.leastCopy() && isPossible)
            {
                return row.strategy();
            }
        }
        return CopyStrategy.KERNEL;
    }
}
