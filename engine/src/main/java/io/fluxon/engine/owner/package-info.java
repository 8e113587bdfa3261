/**
 * The owner core: one agent that owns every slot, index, session, flight and job of an owner process. Start reading at
 * {@link io.fluxon.engine.owner.OwnerAgent#doWork()}.
 */
package io.fluxon.engine.owner;
