package io.fluxon.sim.teeth;

/**
 * A fault cannot be planted, because its file is wrong or the sources have changed under it.
 */
public final class TeethException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    TeethException(final String message)
    {
        super(message);
    }
}
