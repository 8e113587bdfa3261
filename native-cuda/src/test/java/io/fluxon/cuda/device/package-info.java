/**
 * Tests of what a device's copies are planned with; they need no device.
 */
package io.fluxon.cuda.device;
