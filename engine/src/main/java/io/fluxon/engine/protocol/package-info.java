/**
 * What the owner and the master share: limits, operation ids and their watermark, the bits of options, and the walk
 * over the keys of a batch.
 */
package io.fluxon.engine.protocol;
