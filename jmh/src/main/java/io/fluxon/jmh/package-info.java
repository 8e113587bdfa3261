/**
 * Benchmarks, one class per hot structure.
 */
package io.fluxon.jmh;
