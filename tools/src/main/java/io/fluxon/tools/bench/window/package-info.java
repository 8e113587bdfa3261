/**
 * Measures what leaders that share a batch get start save, and what that costs (contract G9): {@link
 * io.fluxon.tools.bench.window.WindowBench} lets the workers of one owner miss at the same time, with and without a
 * window.
 */
package io.fluxon.tools.bench.window;
