package io.fluxon.tools.bench;

/**
 * Keys by their numbers: a walk that comes to every number of a range once before it repeats one, or a batch of it. A
 * scattered walk is never at neighbours in a row, so that no batch gains from keys that lie side by side in the
 * master's memory.
 */
final class KeyCursor
{
    private static final double GOLDEN_SECTION = 0.6180339887498949;

    private long bound;
    private long step;
    private long base;
    private long first;
    private int count;

    private KeyCursor(final long base, final long bound, final long step, final long first)
    {
        this.base = base;
        this.bound = bound;
        this.step = step;
        this.first = first;
    }

    /** A walk from neighbour to neighbour. */
    static KeyCursor inOrder(final long base, final long bound)
    {
        return new KeyCursor(base, bound, 1, 0);
    }

    /** A walk that is never at neighbours in a row. */
    static KeyCursor scattered(final long bound, final long start)
    {
        return new KeyCursor(0, bound, step(bound), start % bound);
    }

    /** Becomes the next batch of a walk. */
    void take(final KeyCursor walk, final int keyCount)
    {
        base = walk.base;
        bound = walk.bound;
        step = walk.step;
        first = walk.first;
        count = keyCount;
        walk.first = (walk.first + keyCount % walk.bound * walk.step) % walk.bound;
    }

    int count()
    {
        return count;
    }

    long number(final int index)
    {
        return base + (first + index * step) % bound;
    }

    private static long step(final long bound)
    {
        long candidate = Math.max(1, (long) (bound * GOLDEN_SECTION));
        while (1 != gcd(candidate, bound))
        {
            candidate++;
        }

        return candidate;
    }

    private static long gcd(final long a, final long b)
    {
        return 0 == b ? a : gcd(b, a % b);
    }
}
