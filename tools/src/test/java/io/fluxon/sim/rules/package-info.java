/**
 * The rules of the contract as tests: each drives master, owners and workers under virtual time, with the fault that
 * the rule is about, and looks at the end whether anything is left over.
 */
package io.fluxon.sim.rules;
