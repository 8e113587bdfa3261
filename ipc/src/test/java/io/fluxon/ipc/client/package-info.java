/**
 * Tests of the blocking client against a scripted owner over an embedded media driver.
 */
package io.fluxon.ipc.client;
