/**
 * What a copy kernel is told, as plain memory that the GPU and its twin on the host read alike: {@link
 * io.fluxon.cuda.kernel.CopyCommand}. Written by {@link io.fluxon.cuda.kernel.CommandWriter} out of a {@link
 * io.fluxon.cuda.kernel.Geometry}, checked by {@link io.fluxon.cuda.kernel.CommandCheck}, executed here by {@link
 * io.fluxon.cuda.kernel.HostKernel}.
 */
package io.fluxon.cuda.kernel;
