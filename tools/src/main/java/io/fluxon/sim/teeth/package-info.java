/**
 * Teeth of the simulator: faults are planted in the production sources, one at a time, and the simulator must find
 * each.
 */
package io.fluxon.sim.teeth;
