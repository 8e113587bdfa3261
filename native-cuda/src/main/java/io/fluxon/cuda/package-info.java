/**
 * The CUDA side of a worker: device wrappers and the copier between GPU pages and the segment. {@link
 * io.fluxon.cuda.HostCopier} is its twin for pools in host memory.
 */
package io.fluxon.cuda;
