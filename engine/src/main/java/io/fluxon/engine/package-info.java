/**
 * The owner and the master: memory, indexes, jobs, and the hosts that run their cores.
 */
package io.fluxon.engine;
