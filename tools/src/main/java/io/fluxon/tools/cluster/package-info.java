/**
 * A cluster of real processes on this machine for demonstrations and tests: directory, configuration, start, kill and
 * stop, and what its counters say.
 */
package io.fluxon.tools.cluster;
