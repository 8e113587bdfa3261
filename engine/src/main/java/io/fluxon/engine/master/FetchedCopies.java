package io.fluxon.engine.master;

/**
 * What becomes of the copy at a remote_cache owner of a value that a gpu owner has brought to itself (contract REPL-3).
 */
public enum FetchedCopies
{
    /** It stays as it is: the value is held twice until one of the two owners needs room. */
    KEPT,
    /**
     * It goes first when its owner needs room, unless the gpu owner has given up its own before: then it is renewed.
     */
    GIVEN_UP
}
