/**
 * What must hold in every run, each checker named after the rule of the contract that it watches.
 */
package io.fluxon.sim.check;
