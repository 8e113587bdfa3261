package io.fluxon.tools.bench;

import java.io.Serial;

/**
 * The benchmark cannot go on; the message says why.
 */
public final class BenchException extends RuntimeException
{
    @Serial
    private static final long serialVersionUID = 1L;

    BenchException(final String message)
    {
        super(message);
    }
}
