/**
 * The worker's client in its blocking, thread-safe form: {@link io.fluxon.ipc.client.FluxonClient} attaches to an owner
 * of this machine and offers the calls of the contract's section 2. It is built on the deterministic poll form in
 * {@link io.fluxon.ipc.client.core}; everything that touches Aeron, files or threads lives here.
 */
package io.fluxon.ipc.client;
