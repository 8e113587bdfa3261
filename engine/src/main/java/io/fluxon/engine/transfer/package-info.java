/**
 * Payload between owners: {@link io.fluxon.engine.transfer.TransferProxy} puts descriptors on a ring, {@link
 * io.fluxon.engine.transfer.TransferAgent} drains them, groups them by peer and submits them to a {@link
 * io.fluxon.engine.transfer.Transport}; completions come back on a second ring. Owners only pull (contract SLOT-7).
 */
package io.fluxon.engine.transfer;
