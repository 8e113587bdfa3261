/**
 * The virtual-time harness: a master, owners and workers, all of production code, in one thread over channels in
 * memory, with a clock moved by hand and one seed. A run with the same seed and the same calls is the same run.
 */
package io.fluxon.engine.harness;
