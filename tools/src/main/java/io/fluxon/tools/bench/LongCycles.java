package io.fluxon.tools.bench;

/**
 * Numbers of duty cycles over 1 ms.
 *
 * @param byClock by the clock, those in which the thread was kept from running included.
 * @param byCpu   by the processor time of the thread.
 */
record LongCycles(long byClock, long byCpu)
{
    static final LongCycles NONE = new LongCycles(0, 0);

    LongCycles plus(final LongCycles other)
    {
        return new LongCycles(byClock + other.byClock, byCpu + other.byCpu);
    }

    LongCycles minus(final LongCycles other)
    {
        return new LongCycles(byClock - other.byClock, byCpu - other.byCpu);
    }
}
