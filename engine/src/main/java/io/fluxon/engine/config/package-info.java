/**
 * The configuration of owner and master: strict YAML, overrides from the command line, and every problem named with the
 * field, its value and what is allowed.
 */
package io.fluxon.engine.config;
