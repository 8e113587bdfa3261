package io.fluxon.sim.cluster;

/**
 * What can be done to a cluster in a run.
 */
public enum FaultKind
{
    /** A message never arrived. */
    MESSAGE_LOST,
    /** A message arrived twice. */
    MESSAGE_DUPLICATED,
    /** A message was allowed to overtake others. */
    MESSAGE_REORDERED,
    /** A message took much longer than the way takes. */
    MESSAGE_DELAYED,
    /** A link kept everything back for a while. */
    LINK_CLOGGED,
    /** Nothing passed one way for a while. */
    PARTITION,
    /** An offer was answered with back pressure. */
    BACK_PRESSURE,
    /** An offer was answered with admin action. */
    ADMIN_ACTION,
    /** A process lost its transport and came back by another. */
    TRANSPORT_LOST,
    /** A worker's process ended at once. */
    WORKER_KILLED,
    /** A worker's client was closed in order; its process lived on. */
    CLIENT_CLOSED,
    /** A worker's session had ended, its client was closed, and its process lived on. */
    CLIENT_OUTLIVED,
    /** A worker's process was stopped and went on later. */
    WORKER_PAUSED,
    /** An owner's process ended at once; a new generation came later. */
    OWNER_KILLED,
    /** An owner's process was stopped and went on later. */
    OWNER_PAUSED,
    /** The master's process ended at once; a new epoch came later. */
    MASTER_KILLED,
    /** The master's process was stopped and went on later. */
    MASTER_PAUSED,
    /** A process did not get the processor for a while between two duty cycles. */
    STALL,
    /** The clock of all processes jumped forward. */
    CLOCK_JUMP,
    /** A transfer took much longer than it takes. */
    TRANSFER_DELAYED,
    /** A transfer failed, and moved nothing. */
    TRANSFER_FAILED,
    /** A transfer moved wrong bytes and was reported as done. */
    TRANSFER_TORN,
    /** A transfer moved its bytes and was reported as failed, later. */
    TRANSFER_ANSWER_LOST,
    /** The endpoint to a peer was reset: all transfers from there that were under way failed. */
    ENDPOINT_RESET,
    /** A transfer moved its bytes and was not reported at all, until its endpoint was given up. */
    COMPLETION_LOST,
    /** A checksum took much longer than it takes. */
    CHECKSUM_DELAYED,
    /** A queue to a worker thread was full. */
    QUEUE_FULL,
    /** The operating system's word on a process came later. */
    WATCH_DELAYED,
    /** A worker's process was not visible to its owner. */
    PROCESS_UNSEEN,
    /** A worker's copy took much longer than it takes. */
    COPY_DELAYED,
    /** A worker's copy failed. */
    COPY_FAILED,
    /** A worker's copy was done, and the worker never learned of it. */
    COPY_ANSWER_LOST
}
