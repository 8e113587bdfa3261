package io.fluxon.cuda.driver;

/**
 * A call of the CUDA driver failed.
 */
public final class CudaFailure extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** Error code of the driver. */
    private final int code;

    /**
     * A failure.
     *
     * @param call that failed, with what it was about.
     * @param code that it returned.
     * @param name of the code.
     */
    CudaFailure(final String call, final int code, final String name)
    {
        super(call + " failed: " + name + " (" + code + ")");
        this.code = code;
    }

    /**
     * A failure, with what it was about.
     *
     * @param about what the call was made for.
     * @param cause of it.
     */
    CudaFailure(final String about, final CudaFailure cause)
    {
        super(about + ": " + cause.getMessage(), cause);
        code = cause.code;
    }

    /**
     * Error code of the driver.
     *
     * @return CUresult, not 0.
     */
    public int code()
    {
        return code;
    }
}
