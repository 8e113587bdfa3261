package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Records of paths, in native memory that is given in. A path is one use of a prefix, and owns the pages that nobody
 * used later.
 * <pre>
 *   0        8        16       20       24       28       32       36       40       44       48
 *   +--------+--------+--------+--------+--------+--------+--------+--------+--------+--------+
 *   |time ms |applied |deepest |pages   |length  |new     |turn    |gap bin |level   |gone    |
 *   |        |gradient|slot+1  |owned   |        |pages   |        |+1      |        |        |
 *   +--------+--------+--------+--------+--------+--------+--------+--------+--------+--------+
 *   |generation       |returned| unused |
 *   +--------+--------+--------+--------+
 * </pre>
 */
final class PathTable
{
    private static final int TIME_OFFSET = 0;
    private static final int APPLIED_OFFSET = 8;
    private static final int DEEPEST_OFFSET = 16;
    private static final int PAGES_OFFSET = 20;
    private static final int LENGTH_OFFSET = 24;
    private static final int NEW_OFFSET = 28;
    private static final int TURN_OFFSET = 32;
    private static final int GAP_OFFSET = 36;
    private static final int LEVEL_OFFSET = 40;
    private static final int GONE_OFFSET = 44;
    private static final int GENERATION_OFFSET = 48;
    private static final int RETURNED_OFFSET = 52;
    private static final int RECORD_LENGTH = 56;

    private final MemorySegment memory;

    PathTable(final MemoryCarver carver, final int pathCount)
    {
        memory = carver.next(requiredLength(pathCount));
    }

    static long requiredLength(final int pathCount)
    {
        return (long)pathCount * RECORD_LENGTH;
    }

    void open(final int path, final long timeMs, final int turn, final int gapBin, final int length)
    {
        memory.set(JAVA_LONG, offset(path) + TIME_OFFSET, timeMs);
        memory.set(JAVA_DOUBLE, offset(path) + APPLIED_OFFSET, 0);
        set(path, DEEPEST_OFFSET, 0);
        set(path, PAGES_OFFSET, 0);
        set(path, LENGTH_OFFSET, length);
        set(path, NEW_OFFSET, 0);
        set(path, TURN_OFFSET, turn);
        set(path, GAP_OFFSET, gapBin + 1);
        set(path, GONE_OFFSET, 0);
        set(path, GENERATION_OFFSET, generation(path) + 1);
        set(path, RETURNED_OFFSET, 0);
    }

    void origin(final int path, final int turn, final int gapBin)
    {
        set(path, TURN_OFFSET, turn);
        set(path, GAP_OFFSET, gapBin + 1);
    }

    long timeMs(final int path)
    {
        return memory.get(JAVA_LONG, offset(path) + TIME_OFFSET);
    }

    double applied(final int path)
    {
        return memory.get(JAVA_DOUBLE, offset(path) + APPLIED_OFFSET);
    }

    void applied(final int path, final double gradient)
    {
        memory.set(JAVA_DOUBLE, offset(path) + APPLIED_OFFSET, gradient);
    }

    int deepest(final int path)
    {
        return get(path, DEEPEST_OFFSET) - 1;
    }

    void deepest(final int path, final int slotId)
    {
        set(path, DEEPEST_OFFSET, slotId + 1);
    }

    int pages(final int path)
    {
        return get(path, PAGES_OFFSET);
    }

    void pages(final int path, final int pages)
    {
        set(path, PAGES_OFFSET, pages);
    }

    int length(final int path)
    {
        return get(path, LENGTH_OFFSET);
    }

    int newPages(final int path)
    {
        return get(path, NEW_OFFSET);
    }

    void lengths(final int path, final int length, final int newPages)
    {
        set(path, LENGTH_OFFSET, length);
        set(path, NEW_OFFSET, newPages);
    }

    int turn(final int path)
    {
        return get(path, TURN_OFFSET);
    }

    int gapBin(final int path)
    {
        return get(path, GAP_OFFSET) - 1;
    }

    int level(final int path)
    {
        return get(path, LEVEL_OFFSET);
    }

    void level(final int path, final int level)
    {
        set(path, LEVEL_OFFSET, level);
    }

    int gonePages(final int path)
    {
        return get(path, GONE_OFFSET);
    }

    void gonePages(final int path, final int pages)
    {
        set(path, GONE_OFFSET, pages);
    }

    int generation(final int path)
    {
        return get(path, GENERATION_OFFSET);
    }

    boolean isReturned(final int path)
    {
        return 0 != get(path, RETURNED_OFFSET);
    }

    void markReturned(final int path)
    {
        set(path, RETURNED_OFFSET, 1);
    }

    private int get(final int path, final int offset)
    {
        return memory.get(JAVA_INT, offset(path) + offset);
    }

    private void set(final int path, final int offset, final int value)
    {
        memory.set(JAVA_INT, offset(path) + offset, value);
    }

    private static long offset(final int path)
    {
        return (long)path * RECORD_LENGTH;
    }
}
