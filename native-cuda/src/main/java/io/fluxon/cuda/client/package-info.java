/**
 * The worker's client with copies: {@link io.fluxon.cuda.client.CopyClient} moves the pages of put and read plans
 * between the pools of an inference engine and the segment, and commits, aborts or releases the plans behind them.
 */
package io.fluxon.cuda.client;
