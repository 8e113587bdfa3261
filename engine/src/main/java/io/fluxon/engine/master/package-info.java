/**
 * The master core: a deterministic state machine fed with (time, message) that keeps the routes of all keys, judges
 * which owners live, leases sources to readers and records the outcome of every operation. The way in is {@link
 * io.fluxon.engine.master.MasterAgent#doWork()}; {@link io.fluxon.engine.master.MasterContext} holds what it is given.
 */
package io.fluxon.engine.master;
