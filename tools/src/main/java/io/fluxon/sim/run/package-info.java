/**
 * One run from one seed: its configuration, work, faults and end.
 */
package io.fluxon.sim.run;
