package io.fluxon.engine.host;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;

import java.nio.file.Path;
import java.util.List;

/**
 * Runs a process of its own for the tests: role and configuration file are its arguments.
 */
public final class HostMain
{
    private HostMain()
    {
    }

    public static void main(final String[] args)
    {
        final Path file = Path.of(args[1]);
        System.exit("master".equals(args[0]) ?
            MasterProcess.run(MasterConfig.load(file, List.of()), System.out, System.err) :
            OwnerProcess.run(OwnerConfig.load(file, List.of()), System.out, System.err));
    }
}
