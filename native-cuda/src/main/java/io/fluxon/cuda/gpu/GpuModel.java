package io.fluxon.cuda.gpu;

import io.fluxon.cuda.kernel.Geometry;

import java.util.List;

/**
 * Pages of a model on one rank.
 *
 * @param name     of the model, its ranks and the tokens of a page.
 * @param geometry of a page.
 */
record GpuModel(String name, Geometry geometry)
{
    /** Pages that one pool of a measurement has. */
    static final int PAGES = 256;

    /** What is measured. */
    static final List<GpuModel> ALL = List.of(
        new GpuModel("Qwen3-8B TP2 page 64", Geometry.mha(36, 65536, 65536)),
        new GpuModel("Llama-70B TP8 page 64", Geometry.mha(80, 16384, 16384)),
        new GpuModel("DeepSeek-V3 page 64", Geometry.mla(61, 73728)),
        new GpuModel("Qwen3-8B TP2 page 16", Geometry.mha(36, 16384, 16384)),
        new GpuModel("Qwen3-8B TP2 page 1", Geometry.mha(36, 1024, 1024)));

    /** Bytes between two values in the segment. */
    long slotBytes()
    {
        return (geometry.valueBytes() + 4095) & -4096;
    }

    /** Bytes of all values of a measurement, and at least those of all pools. */
    long spanBytes()
    {
        return PAGES * slotBytes();
    }
}
