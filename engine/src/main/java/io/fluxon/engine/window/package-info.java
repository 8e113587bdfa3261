/**
 * The hot window of a slot class (contract HOT-1): which committed slots there are in it, and which go first when room
 * is needed. It names victims and frees nothing; everything is addressed by slot id and lies outside the Java heap.
 */
package io.fluxon.engine.window;
