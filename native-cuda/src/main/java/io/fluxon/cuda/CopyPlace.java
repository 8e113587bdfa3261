package io.fluxon.cuda;

/**
 * Where a worker's pools lie, and its copies are made.
 */
public enum CopyPlace
{
    /** On a CUDA device if there is one, else in host memory. */
    AUTO,
    /** On a CUDA device; none is an error. */
    DEVICE,
    /** In host memory, by the twin. */
    HOST
}
