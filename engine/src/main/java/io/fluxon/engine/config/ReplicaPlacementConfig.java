package io.fluxon.engine.config;

import io.fluxon.engine.master.FetchedCopies;

/**
 * Where copies of values go; fields of {@code replica_task_placement} of the master (contract REPL-1, REPL-4). Copies
 * go to owners of role remote_cache only, so two fields of the source system have one allowed value each, and say so.
 *
 * @param taskTimeoutMs {@code task_timeout_ms}: how long the chosen owner has to bring one group to itself. Default
 *                      10,000.
 * @param rampMs        {@code ramp_ms}: time in which an owner that has just joined comes to its full share of copies;
 *                      0 = at once. Default 60,000.
 * @param fetchedCopies {@code fetched_copies}: what becomes of the copy at a remote_cache owner of a value that a gpu
 *                      owner has brought to itself, kept or given_up (contract REPL-3). Default given_up.
 */
public record ReplicaPlacementConfig(int taskTimeoutMs, int rampMs, FetchedCopies fetchedCopies)
{
    private static final int MAX_MS = 3_600_000;
    private static final String ONLY_ROLE = "remote_cache";

    static ReplicaPlacementConfig read(final ConfigSection section)
    {
        section.onlyWords("remote_only_node_roles", ONLY_ROLE);
        if (!section.flag("restrict_to_remote_only_node_roles", true))
        {
            section.refuse("restrict_to_remote_only_node_roles", false,
                "true: without an owner of these roles there is no copy (NO_SPACE), never one on another gpu owner");
        }

        return new ReplicaPlacementConfig(
            section.integer("task_timeout_ms", 10_000, 1, MAX_MS),
            section.integer("ramp_ms", 60_000, 0, MAX_MS),
            section.word("fetched_copies", FetchedCopies.GIVEN_UP, FetchedCopies.class));
    }
}
