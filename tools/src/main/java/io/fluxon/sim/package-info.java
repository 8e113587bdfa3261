/**
 * The simulator: whole clusters of production cores in one thread under virtual time, one seed a run.
 */
package io.fluxon.sim;
