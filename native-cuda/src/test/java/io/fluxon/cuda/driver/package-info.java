/**
 * Tests of the driver's side that need no device.
 */
package io.fluxon.cuda.driver;
