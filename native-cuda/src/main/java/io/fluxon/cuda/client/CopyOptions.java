package io.fluxon.cuda.client;

import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyProxy;

import java.util.Objects;

/**
 * How a copy is made.
 *
 * @param stream     that it belongs to, 0 or more: copies of one stream and direction may be merged, in no order.
 * @param strategy   AUTO, or the one wanted.
 * @param afterEvent CUevent that it waits for: the engine's, behind what wrote the pages or last used them; or
 *                   {@link CopyProxy#NONE}.
 * @param isByLayer  true if its layers are awaited one by one.
 */
public record CopyOptions(int stream, CopyStrategy strategy, long afterEvent, boolean isByLayer)
{
    /** At once, as a whole, as the table of strategies says. */
    public static final CopyOptions DEFAULT = new CopyOptions(0, CopyStrategy.AUTO, CopyProxy.NONE, false);

    /** The same, layer by layer. */
    public static final CopyOptions BY_LAYER = new CopyOptions(0, CopyStrategy.AUTO, CopyProxy.NONE, true);

    /**
     * Checks that there is a strategy.
     */
    public CopyOptions
    {
        Objects.requireNonNull(strategy, "strategy");
    }
}
