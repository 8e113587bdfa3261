package io.fluxon.tools.replay;

/**
 * An event, and who told it.
 *
 * @param link  to the worker process.
 * @param event that it told.
 */
record WorkerMessage(WorkerLink link, WorkerEvent event)
{
}
