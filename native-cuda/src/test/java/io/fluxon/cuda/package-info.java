/**
 * Tests of the CUDA side that need no device.
 */
package io.fluxon.cuda;
