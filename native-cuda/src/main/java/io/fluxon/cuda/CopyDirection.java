package io.fluxon.cuda;

/**
 * Which way a copy goes.
 */
public enum CopyDirection
{
    /** From the pages of the inference engine to the values of a put plan ("write"). */
    PAGES_TO_VALUES,
    /** From the values of a read plan to the pages of the inference engine ("restore"). */
    VALUES_TO_PAGES
}
