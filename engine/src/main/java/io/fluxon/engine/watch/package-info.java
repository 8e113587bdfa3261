/**
 * The proof that a worker process is gone: its id no longer names a process of its start time (contract SLOT-7, API-9).
 */
package io.fluxon.engine.watch;
