/**
 * Off-heap index from a key to the record that holds it. The digest finds candidates, the full key decides
 * (contract ID-1).
 */
package io.fluxon.engine.index;
