/**
 * Measures the master as a service: simulated owners that speak the real protocol over Aeron UDP to a real master
 * in the same JVM, beside the echo of the same messages over the same path.
 */
package io.fluxon.tools.bench;
