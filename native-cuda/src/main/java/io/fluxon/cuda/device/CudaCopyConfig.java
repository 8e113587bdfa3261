package io.fluxon.cuda.device;

/**
 * Settings of copies on a device.
 *
 * @param streams       that tasks may name, 1 or more.
 * @param kernelBlocks  of a kernel that touches host memory: how many multiprocessors a copy takes.
 * @param spreadBlocks  of a kernel that spreads or gathers on the device.
 * @param threads       of a block, a multiple of 32.
 * @param pieceBytes    that a warp copies at once, a multiple of 16.
 * @param slots         of a lane's staging ring, 2 or more.
 * @param slotBytes     of one slot, on the device.
 * @param leastChunk    bytes of a chunk that is not staged in two halves, to have less of it where the pipeline ends.
 * @param directBytes   of the last page staged that a kernel copies past the ring while the copy engine moves the rest:
 *                      the bus is then busy where one stage of the pipeline waits for the other. 0: none.
 * @param table         of strategies.
 */
public record CudaCopyConfig(
    int streams,
    int kernelBlocks,
    int spreadBlocks,
    int threads,
    int pieceBytes,
    int slots,
    long slotBytes,
    long leastChunk,
    long directBytes,
    StrategyTable table)
{
    /** What a worker of one rank has by default. */
    public static final CudaCopyConfig DEFAULT =
        new CudaCopyConfig(1, 8, 132, 1024, 4096, 2, 80L << 20, 8L << 20, 3072L << 10, StrategyTable.DEFAULT);

    /**
     * Checks the settings.
     */
    public CudaCopyConfig
    {
        require("streams", streams, 1, Integer.MAX_VALUE);
        require("kernelBlocks", kernelBlocks, 1, Integer.MAX_VALUE);
        require("spreadBlocks", spreadBlocks, 1, Integer.MAX_VALUE);
        require("threads", threads, 32, 1024);
        require("threads % 32", threads % 32, 0, 0);
        require("pieceBytes", pieceBytes, 16, 1 << 30);
        require("pieceBytes % 16", pieceBytes % 16, 0, 0);
        require("slots", slots, 2, 1024);
        require("slotBytes", slotBytes, 4096, Long.MAX_VALUE);
        require("leastChunk", leastChunk, 1, Long.MAX_VALUE);
        require("directBytes", directBytes, 0, Long.MAX_VALUE);
    }

    private static void require(final String name, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(name + " is " + value + ", allowed: " + least + " to " + most);
        }
    }
}
