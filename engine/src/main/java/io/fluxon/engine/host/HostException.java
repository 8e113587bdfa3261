package io.fluxon.engine.host;

/**
 * A process cannot start. The message names what is in the way: field or file, its value, and what is allowed.
 */
public final class HostException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message for the operator.
     * @param cause   or null.
     */
    public HostException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
