/**
 * Copies on a CUDA device: {@link io.fluxon.cuda.device.CudaCopyDevice} with a lane for each stream and direction, and
 * three ways to copy: a kernel that touches host memory, copy engines for every row, copy engines for whole values that
 * a kernel spreads on the device.
 */
package io.fluxon.cuda.device;
