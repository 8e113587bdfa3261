/**
 * Runs what is for a device on a library that does as if there were one.
 */
package io.fluxon.cuda.gpu;
