package io.fluxon.cuda.client;

import io.fluxon.cuda.kernel.Geometry;

import java.util.Objects;

/**
 * Pools of an inference engine, one for each layer of each part: page p of a layer lies at its pool's address plus p
 * times the bytes that a page has in it. The table stays where it is until the copies that name it have ended.
 *
 * @param geometry   of a page.
 * @param layers     address of a table of the pools' addresses: all layers of the first part, then of the second.
 * @param isOnDevice true if only the device can read the table, and the lists of pages that go with it.
 */
public record PagePools(Geometry geometry, long layers, boolean isOnDevice)
{
    /**
     * Checks that there is a table.
     */
    public PagePools
    {
        Objects.requireNonNull(geometry, "geometry");
        if (0 == layers)
        {
            throw new IllegalArgumentException("layers is 0, allowed: address of " + geometry.fragmentCount() +
                " addresses");
        }
    }
}
