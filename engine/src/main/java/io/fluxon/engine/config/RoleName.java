package io.fluxon.engine.config;

/**
 * What an owner is there for.
 */
public enum RoleName
{
    /** Serves the workers of its machine. */
    GPU,
    /** Idle memory of a machine without a GPU: a second tier for the others. */
    REMOTE_CACHE
}
