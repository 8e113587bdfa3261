package io.fluxon.tools;

import io.fluxon.tools.bench.Target;

import picocli.CommandLine.Option;

import java.util.List;

/**
 * The option of a benchmark that makes a missed target a failure.
 */
final class TargetCheck
{
    @Option(names = "--check", description = "Exit code 1 also when a target is missed.")
    private boolean isWanted;

    /** Exit code of a benchmark that has measured. */
    int exitCode(final List<Target> targets)
    {
        return isWanted && !Target.areReached(targets) ? 1 : 0;
    }
}
