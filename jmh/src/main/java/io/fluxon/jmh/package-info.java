/**
 * Benchmarks, one class per hot structure, each beside a plain reference in the same run. {@code scripts/bench NAME}
 * runs one with the garbage collector's profiler, so that each also shows its bytes per operation (contract ZERO-1).
 */
package io.fluxon.jmh;
