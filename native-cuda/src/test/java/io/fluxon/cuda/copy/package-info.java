/**
 * Tests of the copy worker on the host twin and on a device that does what the test says.
 */
package io.fluxon.cuda.copy;
