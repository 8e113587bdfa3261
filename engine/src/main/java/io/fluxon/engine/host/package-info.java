/**
 * The processes: {@link io.fluxon.engine.host.OwnerProcess} and {@link io.fluxon.engine.host.MasterProcess} build the
 * cores and everything they meet at their boundary from the configuration, run each agent on a thread of its own, and
 * leave nothing behind when they end.
 */
package io.fluxon.engine.host;
