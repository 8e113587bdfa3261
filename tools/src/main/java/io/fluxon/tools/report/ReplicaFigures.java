package io.fluxon.tools.report;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What has become of copies at remote_cache owners, in pages, by the counters of all owners and of the master (contract
 * P2): copies that puts wished, copies of victims, and what the master and the targets say of both.
 *
 * @param wished  wished copies by outcome, the number of wishes first.
 * @param demoted copies of victims by outcome, the number of victims first.
 * @param made    what was targeted, transferred, appended and given up, and copies that others have brought back.
 */
public record ReplicaFigures(Map<String, Long> wished, Map<String, Long> demoted, Map<String, Long> made)
{
    /**
     * Reads the counters.
     *
     * @param owners a counter of all owners together.
     * @param master a counter of the master.
     * @return the figures.
     */
    public static ReplicaFigures of(
        final ToLongFunction<OwnerCounter> owners, final ToLongFunction<MasterCounter> master)
    {
        final Map<String, Long> wished = new LinkedHashMap<>();
        wished.put("wished", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_WISHED));
        wished.put("done", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_DONE));
        wished.put("satisfied", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_SATISFIED));
        wished.put("no_space", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_NO_SPACE));
        wished.put("obsolete", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_OBSOLETE));
        wished.put("gave_up", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_GAVE_UP));
        wished.put("dropped", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_DROPPED));

        final Map<String, Long> demoted = new LinkedHashMap<>();
        demoted.put("selected", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_SELECTED));
        demoted.put("done", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_DONE));
        demoted.put("satisfied", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_SATISFIED));
        demoted.put("no_space", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_NO_SPACE));
        demoted.put("gave_up", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_GAVE_UP));
        demoted.put("skipped", owners.applyAsLong(OwnerCounter.DEMOTION_PAGES_SKIPPED));

        final Map<String, Long> made = new LinkedHashMap<>();
        made.put("targeted", master.applyAsLong(MasterCounter.REPLICA_PAGES_TARGETED));
        made.put("transferred", owners.applyAsLong(OwnerCounter.REPLICA_PAGES_TRANSFERRED));
        made.put("appended", master.applyAsLong(MasterCounter.REPLICA_PAGES_APPENDED));
        made.put("given_up", master.applyAsLong(MasterCounter.REPLICA_PAGES_GIVEN_UP));
        made.put("renewed", master.applyAsLong(MasterCounter.REPLICA_PAGES_RENEWED));
        made.put("brought_back", master.applyAsLong(MasterCounter.COPIES_NOTED));
        made.put("evicted_first", owners.applyAsLong(OwnerCounter.EVICT_COPIED));

        return new ReplicaFigures(wished, demoted, made);
    }
}
