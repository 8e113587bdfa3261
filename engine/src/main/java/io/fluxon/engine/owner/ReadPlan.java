package io.fluxon.engine.owner;

/**
 * A read.
 */
final class ReadPlan
{
    int slotsHeld()
    {
        return 0;
    }

    void onSessionEnded()
    {
    }
}
