/**
 * Workloads: traces in Mooncake's form read from a file, a generated multi-turn workload, and a model of a cache that
 * never evicts, which says what a run over a trace must count.
 */
package io.fluxon.tools.trace;
