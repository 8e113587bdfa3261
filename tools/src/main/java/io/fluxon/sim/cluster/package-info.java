/**
 * A cluster in one thread: master, owners and workers of production code; clock, network, memory copies and scheduling
 * are simulated, and every choice comes from one seed. A run with the same seed and the same calls is the same run.
 */
package io.fluxon.sim.cluster;
