package io.fluxon.engine.owner;

import org.agrona.collections.IntArrayList;

import java.util.ArrayList;

/**
 * What one fetch job has from one source owner: a dead source delays only its own keys (contract G8). When nothing of
 * the part moves any more, one message confirms what has arrived, and what has not is revoked together.
 */
final class FetchPart
{
    final ArrayList<Flight> arrived = new ArrayList<>();
    final IntArrayList failed = new IntArrayList();
    final IntArrayList wrong = new IntArrayList();
    int ownerId;
    long generation;
    int batchId;
    int moving;
    boolean isGathering;

    void start(final int sourceOwnerId, final long sourceGeneration, final int newBatchId)
    {
        ownerId = sourceOwnerId;
        generation = sourceGeneration;
        batchId = newBatchId;
        moving = 0;
        isGathering = false;
        arrived.clear();
        failed.clear();
        wrong.clear();
    }
}
