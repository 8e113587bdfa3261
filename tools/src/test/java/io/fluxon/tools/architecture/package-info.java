/**
 * Rules on which module and which core may see what.
 */
package io.fluxon.tools.architecture;
