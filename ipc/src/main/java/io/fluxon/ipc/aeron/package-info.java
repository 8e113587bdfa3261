/**
 * The channel boundary over Aeron: media drivers with the settings of this system, channels that never block, sources
 * that name their connections.
 */
package io.fluxon.ipc.aeron;
