/**
 * Tests and measurements on a real device, packed by {@code scripts/gpu-test} and {@code scripts/gpu-bench} to run on a
 * machine that has no Java: {@link io.fluxon.cuda.gpu.GpuTest} first, then {@link io.fluxon.cuda.gpu.GpuBench}.
 */
package io.fluxon.cuda.gpu;
