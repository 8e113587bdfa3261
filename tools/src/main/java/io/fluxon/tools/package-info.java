/**
 * The {@code fluxon} command.
 */
package io.fluxon.tools;
