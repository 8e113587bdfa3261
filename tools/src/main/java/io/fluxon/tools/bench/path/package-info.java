/**
 * Measures what the whole path of a worker takes above the copies: {@link io.fluxon.tools.bench.path.PathBench} backs
 * up and restores pages through a real owner and master, beside the bare copies of the same run.
 */
package io.fluxon.tools.bench.path;
