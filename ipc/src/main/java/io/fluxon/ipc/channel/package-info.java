/**
 * The nondeterminism boundary between a core and its peers: where SBE messages leave ({@link
 * io.fluxon.ipc.channel.ControlChannel}) and come in ({@link io.fluxon.ipc.channel.MessageSource}), and how a message
 * longer than one transport message is split and put together again. Production implements it with Aeron, the tests
 * with queues in memory and a clock moved by hand.
 */
package io.fluxon.ipc.channel;
