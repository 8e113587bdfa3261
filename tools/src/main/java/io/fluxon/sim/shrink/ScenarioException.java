package io.fluxon.sim.shrink;

/**
 * A scenario file that cannot be used; the message names file, line, what is wrong there and what is allowed.
 */
public final class ScenarioException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Constructs with a message.
     *
     * @param message for the user.
     */
    public ScenarioException(final String message)
    {
        super(message);
    }
}
