/**
 * What the tests of the agents at the ends of rings share.
 */
package io.fluxon.engine.ring;
