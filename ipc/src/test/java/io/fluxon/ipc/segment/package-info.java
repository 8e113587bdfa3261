/**
 * Tests of {@code io.fluxon.ipc.segment}.
 */
package io.fluxon.ipc.segment;
