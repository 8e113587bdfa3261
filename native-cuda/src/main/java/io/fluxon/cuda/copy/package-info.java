/**
 * The copy worker: {@link io.fluxon.cuda.copy.CopyProxy} is the way to it, {@link io.fluxon.cuda.copy.CopyAgent} its
 * duty cycle, and {@link io.fluxon.cuda.copy.CopyDevice} what makes the copies: a CUDA device, or the host twin.
 */
package io.fluxon.cuda.copy;
