package io.fluxon.tools.trace;

import static java.util.Objects.checkIndex;

import java.util.Arrays;

/**
 * A workload in memory: requests in order, each a list of block ids in prefix order. Equal ids name equal prefix
 * blocks. Immutable, so that it may be shared between threads.
 */
public final class Trace
{
    private final long[] blockIds;
    private final int[] firstBlocks;
    private final long[] timestampsMs;
    private final int maxBlocks;

    private Trace(final long[] blockIds, final int[] firstBlocks, final long[] timestampsMs)
    {
        this.blockIds = blockIds;
        this.firstBlocks = firstBlocks;
        this.timestampsMs = timestampsMs;

        int max = 0;
        for (int i = 0; i < firstBlocks.length - 1; i++)
        {
            max = Math.max(max, firstBlocks[i + 1] - firstBlocks[i]);
        }
        maxBlocks = max;
    }

    /**
     * Number of requests.
     *
     * @return number of requests, at least 0.
     */
    public int requestCount()
    {
        return firstBlocks.length - 1;
    }

    /**
     * When one request came.
     *
     * @param request index of the request.
     * @return time in ms since the trace began, or so.
     */
    public long timestampMs(final int request)
    {
        return timestampsMs[request];
    }

    /**
     * Number of blocks of one request.
     *
     * @param request index of the request.
     * @return number of blocks, at least 1.
     */
    public int blockCount(final int request)
    {
        return firstBlocks[request + 1] - firstBlocks[request];
    }

    /**
     * Id of one block.
     *
     * @param request index of the request.
     * @param index   of the block within the request.
     * @return the id, at least 0.
     */
    public long blockId(final int request, final int index)
    {
        return blockIds[firstBlocks[request] + checkIndex(index, blockCount(request))];
    }

    /**
     * Number of blocks of all requests together, equal ones counted each time.
     *
     * @return number of block references.
     */
    public int blockReferences()
    {
        return blockIds.length;
    }

    /**
     * Number of blocks of the longest request.
     *
     * @return number of blocks, 0 for an empty trace.
     */
    public int maxBlocksOfRequest()
    {
        return maxBlocks;
    }

    /**
     * Collects the requests of a trace. Not thread-safe.
     */
    public static final class Builder
    {
        private static final int INITIAL_BLOCKS = 4096;
        private static final int INITIAL_REQUESTS = 256;

        private long[] blockIds = new long[INITIAL_BLOCKS];
        private int[] firstBlocks = new int[INITIAL_REQUESTS];
        private long[] timestampsMs = new long[INITIAL_REQUESTS];
        private int blocks;
        private int requests;

        /**
         * Adds a block to the request that is being built.
         *
         * @param blockId of the block, at least 0.
         * @return this.
         */
        public Builder addBlock(final long blockId)
        {
            if (blockId < 0)
            {
                throw new IllegalArgumentException("block id must be at least 0, is " + blockId);
            }
            if (blocks == blockIds.length)
            {
                blockIds = Arrays.copyOf(blockIds, Math.multiplyExact(blocks, 2));
            }
            blockIds[blocks] = blockId;
            blocks++;
            return this;
        }

        /**
         * Ends the request that is being built; it comes a millisecond after the one before.
         *
         * @return this.
         * @throws IllegalArgumentException if it has no block.
         */
        public Builder endRequest()
        {
            return endRequest(0 == requests ? 0 : timestampsMs[requests - 1] + 1);
        }

        /**
         * Ends the request that is being built.
         *
         * @param timestampMs when it comes, in ms.
         * @return this.
         * @throws IllegalArgumentException if it has no block.
         */
        public Builder endRequest(final long timestampMs)
        {
            if (blocks == firstBlocks[requests])
            {
                throw new IllegalArgumentException("a request needs at least one block");
            }
            timestampsMs[requests] = timestampMs;
            requests++;
            if (requests == firstBlocks.length)
            {
                firstBlocks = Arrays.copyOf(firstBlocks, Math.multiplyExact(requests, 2));
                timestampsMs = Arrays.copyOf(timestampsMs, firstBlocks.length);
            }
            firstBlocks[requests] = blocks;
            return this;
        }

        /**
         * Number of requests that are complete.
         *
         * @return number of requests.
         */
        public int requestCount()
        {
            return requests;
        }

        /**
         * Makes the trace of all complete requests.
         *
         * @return the trace.
         */
        public Trace build()
        {
            return new Trace(
                Arrays.copyOf(blockIds, firstBlocks[requests]), Arrays.copyOf(firstBlocks, requests + 1),
                Arrays.copyOf(timestampsMs, requests));
        }
    }
}
