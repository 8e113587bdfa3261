/**
 * Measures how fast pages go from owner to owner over UCX, beside UCX's own measurement over the same path: {@link
 * io.fluxon.tools.bench.transfer.TransferBench} drives processes of {@link io.fluxon.tools.bench.transfer.TransferEnd}.
 */
package io.fluxon.tools.bench.transfer;
