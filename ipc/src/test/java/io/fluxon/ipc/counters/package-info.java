/**
 * Tests of {@code io.fluxon.ipc.counters}.
 */
package io.fluxon.ipc.counters;
