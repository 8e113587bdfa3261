/**
 * The CUDA side of a worker: device wrappers and the copier between GPU pages and the segment.
 */
package io.fluxon.cuda;
