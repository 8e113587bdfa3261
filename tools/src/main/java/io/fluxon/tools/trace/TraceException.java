package io.fluxon.tools.trace;

/**
 * A trace that cannot be read; the message names file, line and what is wrong there.
 */
public final class TraceException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Constructs with a message.
     *
     * @param message for the user.
     */
    public TraceException(final String message)
    {
        super(message);
    }
}
