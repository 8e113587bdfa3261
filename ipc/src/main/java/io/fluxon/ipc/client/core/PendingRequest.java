package io.fluxon.ipc.client.core;

/**
 * A request that awaits its answer.
 */
final class PendingRequest extends Timed
{
}
