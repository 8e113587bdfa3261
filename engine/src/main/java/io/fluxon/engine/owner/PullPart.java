package io.fluxon.engine.owner;

import java.util.ArrayList;

/**
 * What one read brings here from one source owner: a dead source delays only its own keys (contract G8). When nothing
 * of the part moves any more, one message confirms what has arrived, and what has not is revoked together.
 */
final class PullPart
{
    final ArrayList<Flight> arrived = new ArrayList<>();
    final RevokeBatch failed;
    int ownerId;
    long generation;
    int batchId;
    int moving;
    boolean isGathering;
    int refusals;

    PullPart(final OwnerCore core)
    {
        failed = new RevokeBatch(core);
    }

    void start(final int sourceOwnerId, final long sourceGeneration, final int newBatchId)
    {
        ownerId = sourceOwnerId;
        generation = sourceGeneration;
        batchId = newBatchId;
        moving = 0;
        isGathering = false;
    }
}
