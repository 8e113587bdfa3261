/**
 * Tests of {@code io.fluxon.ipc.channel}.
 */
package io.fluxon.ipc.channel;
