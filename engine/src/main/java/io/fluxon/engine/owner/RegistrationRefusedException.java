package io.fluxon.engine.owner;

/**
 * The master does not take this owner; its text says why. Handed to the error handler, never thrown.
 */
public final class RegistrationRefusedException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message with the status and the master's text.
     */
    public RegistrationRefusedException(final String message)
    {
        super(message, null, false, false);
    }
}
