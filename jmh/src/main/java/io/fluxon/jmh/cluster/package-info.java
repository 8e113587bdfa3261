/**
 * Owner, master and client cores in one thread over channels in memory, and real owner and master processes in one JVM:
 * what the benchmarks of more than one structure run on.
 */
package io.fluxon.jmh.cluster;
