/**
 * From a run that broke a rule to the few choices that it takes: the shrinker, scenario files, and the regressions that
 * every build runs.
 */
package io.fluxon.sim.shrink;
