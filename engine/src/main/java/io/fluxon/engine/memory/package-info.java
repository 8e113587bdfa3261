/**
 * The owner's memory: grants, slot classes, slots and the claims that wait for them (contract 4). One thread owns all
 * of it; everything is addressed by slot id and lies outside the Java heap.
 */
package io.fluxon.engine.memory;
