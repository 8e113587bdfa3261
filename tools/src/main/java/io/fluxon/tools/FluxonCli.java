package io.fluxon.tools;

import io.fluxon.tools.policy.PolicyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code fluxon} command; every sub-command is a class of its own.
 */
@Command(
    name = "fluxon",
    description = "A distributed cache for the KV pages of LLM inference.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    subcommands =
    {
        BenchTransferCommand.class,
        BenchTransferEndCommand.class,
        BenchMasterCommand.class,
        BenchEvictionCommand.class,
        BenchPathCommand.class,
        BenchWindowCommand.class,
        PolicyCommand.class,
        DemoCommand.class,
        MasterCommand.class,
        OwnerCommand.class,
        ReplayCommand.class,
        StatCommand.class,
        ErrorsCommand.class,
        InspectCommand.class,
        ConfigCommand.class,
        VersionCommand.class,
        WorkerCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class FluxonCli implements Runnable
{
    @Spec
    private CommandSpec spec;

    private FluxonCli()
    {
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "missing: a command");
    }

    /**
     * Runs the command and exits with its code: 0 done, 1 failed, 2 wrong usage.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new FluxonCli()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
