/**
 * The CUDA side of a worker: {@link io.fluxon.cuda.CopyWorker} copies pages between the GPU and the segment, or between
 * host memory and the segment where there is no GPU. {@link io.fluxon.cuda.HostCopier} does the latter with one call.
 */
package io.fluxon.cuda;
