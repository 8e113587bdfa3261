/**
 * What puts lose when every one of them needs a victim: a full pool beside an empty one, in turn.
 */
package io.fluxon.tools.bench.eviction;
