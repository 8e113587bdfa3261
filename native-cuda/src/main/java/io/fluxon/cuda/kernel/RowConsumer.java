package io.fluxon.cuda.kernel;

/**
 * Takes the rows of a command, one after the other.
 */
@FunctionalInterface
public interface RowConsumer
{
    /**
     * One row.
     *
     * @param source address to read at.
     * @param target address to write at.
     * @param length bytes, 0 or more.
     */
    void onRow(long source, long target, long length);
}
