package io.fluxon.tools.cluster;

/**
 * A cluster could not be started, or did something that it must not; the message is for the user.
 */
public final class ClusterException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Constructs with a message.
     *
     * @param message for the user.
     */
    public ClusterException(final String message)
    {
        super(message);
    }
}
