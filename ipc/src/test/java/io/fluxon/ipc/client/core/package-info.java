/**
 * Tests of the worker client's core: channels in memory, a clock moved by hand, and an owner whose every answer is
 * written by the test.
 */
package io.fluxon.ipc.client.core;
