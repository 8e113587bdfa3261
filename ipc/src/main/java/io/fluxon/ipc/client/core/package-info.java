/**
 * The worker's client as a deterministic core: {@link io.fluxon.ipc.client.core.WorkerClient} is confined to one
 * thread, reads no clock but the injected one, and allocates nothing in steady state. Operations are objects of the
 * caller that are reused: {@link io.fluxon.ipc.client.core.PutPlan}, {@link io.fluxon.ipc.client.core.GetHandle},
 * {@link io.fluxon.ipc.client.core.ExistsCall}.
 */
package io.fluxon.ipc.client.core;
