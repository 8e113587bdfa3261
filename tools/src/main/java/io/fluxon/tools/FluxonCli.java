package io.fluxon.tools;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The {@code fluxon} command; every sub-command is a class of its own.
 */
@Command(
    name = "fluxon",
    description = "A distributed cache for the KV pages of LLM inference.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    subcommands = { VersionCommand.class },
    synopsisSubcommandLabel = "COMMAND")
public final class FluxonCli
{
    private FluxonCli()
    {
    }

    /**
     * Runs the command and exits with its code: 0 done, 1 failed, 2 wrong usage.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        System.exit(new CommandLine(new FluxonCli()).execute(args));
    }
}
