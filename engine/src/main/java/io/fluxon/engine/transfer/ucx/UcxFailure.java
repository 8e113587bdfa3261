package io.fluxon.engine.transfer.ucx;

/**
 * What UCX could not do.
 */
public final class UcxFailure extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    UcxFailure(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
