/**
 * The counters file of a process: counters and distinct errors in a mapped file that tools read while it runs, and a
 * toggle by which they ask for something.
 */
package io.fluxon.ipc.counters;
