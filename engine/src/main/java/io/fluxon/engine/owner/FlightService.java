package io.fluxon.engine.owner;

/**
 * The flights.
 */
final class FlightService
{
    FlightService(final OwnerCore core)
    {
    }

    long slotsHeld()
    {
        return 0;
    }

    void onChecksum(final long flightId, final long checksum)
    {
    }

    void onTransfer(final long token, final int status)
    {
    }
}
