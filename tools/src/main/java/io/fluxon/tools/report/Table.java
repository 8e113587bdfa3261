package io.fluxon.tools.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Text in aligned columns: the first to the left, all others to the right.
 */
public final class Table
{
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    /**
     * Adds a row.
     *
     * @param cells of the row; numbers as they are to be shown.
     * @return this.
     */
    public Table row(final String... cells)
    {
        rows.add(cells.clone());
        return this;
    }

    @Override
    public String toString()
    {
        final int[] widths = widths();
        final StringBuilder out = new StringBuilder();
        for (final String[] row : rows)
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++)
            {
                appendCell(line, row[i], widths[i], i);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private int[] widths()
    {
        final int[] widths = new int[rows.stream().mapToInt(row -> row.length).max().orElse(0)];
        for (final String[] row : rows)
        {
            for (int i = 0; i < row.length; i++)
            {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
    }

    private static void appendCell(final StringBuilder line, final String cell, final int width, final int column)
    {
        final String padding = " ".repeat(width - cell.length());
        if (0 == column)
        {
            line.append(cell).append(padding);
        }
        else
        {
            line.append(GAP).append(padding).append(cell);
        }
    }
}
