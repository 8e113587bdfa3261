package io.fluxon.cuda;

import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.device.CudaCopyConfig;

/**
 * Settings of a worker's copies.
 *
 * @param place  of the pools.
 * @param device ordinal of the device, where there is one.
 * @param config of copies on a device.
 * @param limits of what is held and in flight.
 */
public record CopySettings(CopyPlace place, int device, CudaCopyConfig config, CopyLimits limits)
{
    /**
     * What a worker of one rank has by default, on the first device.
     *
     * @param place of the pools.
     * @return the settings.
     */
    public static CopySettings of(final CopyPlace place)
    {
        return new CopySettings(place, 0, CudaCopyConfig.DEFAULT, CopyLimits.DEFAULT);
    }
}
