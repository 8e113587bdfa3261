/**
 * Replay of a trace by simulated inference workers. Each worker is a process of its own, so that it can be killed; the
 * coordinator hands requests out over the worker's standard input and reads what came of them from its standard output.
 */
package io.fluxon.tools.replay;
