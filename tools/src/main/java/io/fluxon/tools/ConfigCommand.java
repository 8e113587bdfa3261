package io.fluxon.tools;

import io.fluxon.engine.config.ConfigException;
import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * {@code fluxon config}: works on configuration files.
 */
@Command(
    name = "config",
    description = "Works on configuration files.",
    mixinStandardHelpOptions = true,
    subcommands = ConfigCommand.Check.class,
    synopsisSubcommandLabel = "COMMAND")
final class ConfigCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "missing: check");
    }

    /**
     * {@code fluxon config check}: says whether a process would take a file.
     */
    @Command(
        name = "check",
        description = "Checks a configuration file: 0 it is good, 1 it is not.",
        mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer>
    {
        private static final Pattern OWNER_FIELD =
            Pattern.compile("(?m)^(owner_id|role|fluxonkv_spec|contribute_to_cluster_pool_size)\\s*:");

        @Parameters(paramLabel = "FILE", description = "Configuration of a master or an owner.")
        private Path file;

        @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Sets a field before the check.")
        private List<String> overrides = new ArrayList<>();

        @Override
        public Integer call()
        {
            try
            {
                final boolean isOwner = isOwner(file);
                if (isOwner)
                {
                    OwnerConfig.load(file, overrides);
                }
                else
                {
                    MasterConfig.load(file, overrides);
                }
                System.out.println(file + ": good configuration of " + (isOwner ? "an owner" : "a master"));
                return 0;
            }
            catch (final ConfigException ex)
            {
                System.err.println(ex.getMessage());
                return 1;
            }
        }

        private static boolean isOwner(final Path file)
        {
            try
            {
                return OWNER_FIELD.matcher(Files.readString(file)).find();
            }
            catch (final IOException ex)
            {
                return false;
            }
        }
    }
}
