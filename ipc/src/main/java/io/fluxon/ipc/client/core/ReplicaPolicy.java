package io.fluxon.ipc.client.core;

/**
 * Which atomic groups of a put are to have a replica (contract REPL-2).
 */
public enum ReplicaPolicy
{
    /** All groups; of too many the first ones. */
    EAGER_ALL,
    /** No group, whatever the least number of pages is. */
    NONE,
    /** A part of all groups, chosen by their logical keys. */
    RATIO,
    /** Groups whose mean score is at least the threshold, the highest first. */
    KV_SCORE_ONLY,
    /** Groups whose mean score is at most the threshold, the lowest first. */
    KV_SCORE_LOW_ONLY
}
