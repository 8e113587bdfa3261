/**
 * One run as text: messages, faults and calls in the order in which they happen.
 */
package io.fluxon.sim.trace;
