package io.fluxon.cuda.kernel;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The parts of a page, in the order of a value: a value holds all layers of the first part, then all layers of the
 * second; in a layer, its tokens, in a token, its heads.
 * <pre>
 *   MHA    parts K and V       [K of layer 0] .. [K of layer L-1] [V of layer 0] .. [V of layer L-1]
 *   MLA    one part            [layer 0] .. [layer L-1]
 *   Mamba  one part a state    [state 0: layer 0 .. layer L-1] [state 1: layer 0 .. layer L-1] ..
 * </pre>
 *
 * @param parts one to {@link CopyCommand#MAX_SECTIONS} of them.
 */
public record Geometry(List<Part> parts)
{
    /**
     * One part of a page.
     *
     * @param layers    1 or more.
     * @param tokens    of a page, 1 or more; 1 where a page is nothing but bytes.
     * @param heads     of a token, 1 or more.
     * @param headBytes of one head of one token in one layer, 1 or more.
     */
    public record Part(int layers, int tokens, int heads, long headBytes)
    {
        /**
         * Checks the sizes.
         */
        public Part
        {
            requirePositive("layers", layers);
            requirePositive("tokens", tokens);
            requirePositive("heads", heads);
            requirePositive("headBytes", headBytes);
            Math.multiplyExact(Math.multiplyExact(Math.multiplyExact(headBytes, heads), tokens), layers);
        }

        /**
         * Bytes of one token in one layer.
         *
         * @return heads times head bytes.
         */
        public long itemBytes()
        {
            return heads * headBytes;
        }

        /**
         * Bytes of one page in one layer: a fragment of a value.
         *
         * @return tokens times item bytes.
         */
        public long fragmentBytes()
        {
            return tokens * itemBytes();
        }

        /**
         * Bytes of this part in a value.
         *
         * @return layers times fragment bytes.
         */
        public long bytes()
        {
            return layers * fragmentBytes();
        }

        private static void requirePositive(final String name, final long value)
        {
            if (value < 1)
            {
                throw new IllegalArgumentException(name + " is " + value + ", allowed: 1 or more");
            }
        }
    }

    /**
     * Checks the number of parts and that a value's length is a number.
     */
    public Geometry
    {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > CopyCommand.MAX_SECTIONS)
        {
            throw new IllegalArgumentException(
                "parts are " + parts.size() + ", allowed: 1 to " + CopyCommand.MAX_SECTIONS);
        }
        parts.stream().mapToLong(Part::bytes).reduce(0, Math::addExact);
    }

    /**
     * Multi-head attention; K and V may differ in length.
     *
     * @param layers     of K and of V.
     * @param kPageBytes of one page of K in one layer.
     * @param vPageBytes of one page of V in one layer.
     * @return the geometry.
     */
    public static Geometry mha(final int layers, final long kPageBytes, final long vPageBytes)
    {
        return new Geometry(List.of(new Part(layers, 1, 1, kPageBytes), new Part(layers, 1, 1, vPageBytes)));
    }

    /**
     * Latent attention.
     *
     * @param layers    of the pool.
     * @param pageBytes of one page in one layer.
     * @return the geometry.
     */
    public static Geometry mla(final int layers, final long pageBytes)
    {
        return new Geometry(List.of(new Part(layers, 1, 1, pageBytes)));
    }

    /**
     * State of Mamba layers; a slot takes the place of a page.
     *
     * @param layers         of each state.
     * @param stateItemBytes bytes of one slot in one layer, one number a state.
     * @return the geometry.
     */
    public static Geometry mamba(final int layers, final long... stateItemBytes)
    {
        return new Geometry(
            LongStream.of(stateItemBytes).mapToObj((itemBytes) -> new Part(layers, 1, 1, itemBytes)).toList());
    }

    /**
     * Bytes of a value.
     *
     * @return sum over the parts.
     */
    public long valueBytes()
    {
        long bytes = 0;
        for (int i = 0; i < parts.size(); i++)
        {
            bytes += parts.get(i).bytes();
        }
        return bytes;
    }

    /**
     * Number of fragments of a value, and of entries in a table of layers.
     *
     * @return sum of the parts' layers.
     */
    public int fragmentCount()
    {
        int count = 0;
        for (int i = 0; i < parts.size(); i++)
        {
            count += parts.get(i).layers();
        }
        return count;
    }
}
