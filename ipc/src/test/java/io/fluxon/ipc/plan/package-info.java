/**
 * Tests of {@code io.fluxon.ipc.plan}.
 */
package io.fluxon.ipc.plan;
