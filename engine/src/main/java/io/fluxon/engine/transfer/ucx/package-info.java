/**
 * The transport between hosts, over UCX: {@code org.openucx:jucx} and the system's {@code libucp}. {@link
 * io.fluxon.engine.transfer.ucx.UcxTransport} owns everything of it and is used by one thread; a {@link
 * io.fluxon.engine.transfer.ucx.UcxPeer} is read from, a {@link io.fluxon.engine.transfer.ucx.UcxGuest} reads here.
 */
package io.fluxon.engine.transfer.ucx;
