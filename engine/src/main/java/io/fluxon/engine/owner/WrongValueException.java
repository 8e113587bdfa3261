package io.fluxon.engine.owner;

import java.io.Serial;

/**
 * The bytes of a committed value are not those that were published (contract CRC-1): memory has failed, or something
 * wrote where it must not. For the log of errors; the owner goes on.
 */
final class WrongValueException extends RuntimeException
{
    @Serial
    private static final long serialVersionUID = 1L;

    WrongValueException(final String message)
    {
        super(message);
    }
}
