package io.fluxon.cuda.kernel;

/**
 * Distances in bytes on one side of a section, in the order of {@link CopyCommand}.
 */
public enum Stride
{
    /** Between pages. */
    PAGE,
    /** Between tokens, where indices count tokens. */
    TOKEN,
    /** Of the section's first byte from the page's address. */
    OFFSET,
    /** Between layers. */
    LAYER,
    /** Between outer rows. */
    OUTER,
    /** Between inner rows. */
    INNER
}
