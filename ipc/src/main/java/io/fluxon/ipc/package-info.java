/**
 * What two processes share: the segment and its layout, plan blobs, counters, channels, and the worker's client.
 */
package io.fluxon.ipc;
