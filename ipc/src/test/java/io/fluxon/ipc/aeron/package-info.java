/**
 * Tests of {@code io.fluxon.ipc.aeron}.
 */
package io.fluxon.ipc.aeron;
