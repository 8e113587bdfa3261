/**
 * Files that hosts make and map for the cores, which themselves touch no file.
 */
package io.fluxon.engine.mapping;
