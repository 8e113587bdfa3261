package io.fluxon.engine.owner;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The flights that can be joined, by key (contract G3): at most one a key. A flight that has ended or is being revoked
 * removes itself and no other (identity, not just key).
 */
final class FlightMap
{
    private final Long2ObjectHashMap<Flight> firstByDigest = new Long2ObjectHashMap<>();
    private int size;

    Flight find(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        Flight flight = 0 == size ? null : firstByDigest.get(low);
        while (null != flight && !flight.isKey(high, key, offset, length))
        {
            flight = flight.nextSameDigest;
        }

        return flight;
    }

    void add(final Flight flight)
    {
        flight.nextSameDigest = firstByDigest.put(flight.digestLow, flight);
        size++;
    }

    void remove(final Flight flight)
    {
        Flight previous = null;
        Flight current = firstByDigest.get(flight.digestLow);
        while (null != current && flight != current)
        {
            previous = current;
            current = current.nextSameDigest;
        }

        if (null == current)
        {
            return;
        }

        final Flight next = flight.nextSameDigest;
        if (null != previous)
        {
            previous.nextSameDigest = next;
        }
        else if (null != next)
        {
            firstByDigest.put(flight.digestLow, next);
        }
        else
        {
            firstByDigest.remove(flight.digestLow);
        }
        flight.nextSameDigest = null;
        size--;
    }

    int size()
    {
        return size;
    }
}
