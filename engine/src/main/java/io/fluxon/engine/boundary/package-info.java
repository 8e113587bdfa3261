/**
 * The nondeterminism boundary of the owner core: payload transfers, checksums, the watch over worker processes and the
 * channels back to the workers; and that of both cores, the memory of large tables. Production implements it with
 * rings to agents of their own, the tests and the simulator with queues in memory.
 */
package io.fluxon.engine.boundary;
