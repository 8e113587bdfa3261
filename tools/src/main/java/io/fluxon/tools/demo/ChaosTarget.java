package io.fluxon.tools.demo;

/**
 * What is killed in the middle of a run.
 */
public enum ChaosTarget
{
    /** Nothing. */
    NONE,
    /** A worker, which is started again. */
    WORKER,
    /** An owner that serves workers, which is started again under its name. */
    OWNER
}
