/**
 * Compares replacement policies on a trace: the hot windows of production, a well-kept library, and what could be had
 * by knowing the future.
 */
package io.fluxon.tools.policy;
