package io.fluxon.tools;

import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.host.OwnerProcess;
import io.fluxon.engine.host.ProcessRunner;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code fluxon owner}: runs an owner in this process.
 */
@Command(
    name = "owner",
    description = "Runs an owner until it is told to end (SIGTERM or Ctrl-C).",
    mixinStandardHelpOptions = true)
final class OwnerCommand implements Callable<Integer>
{
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "Configuration, YAML.")
    private Path config;

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Sets a field of the configuration.")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--end-with-input", hidden = true, description = "Ends when standard input ends.")
    private boolean isEndWithInput;

    @Override
    public Integer call()
    {
        if (isEndWithInput)
        {
            ParentWatch.start(System.in);
        }
        return ProcessRunner.run(
            "owner", () -> OwnerProcess.launch(OwnerConfig.load(config, overrides)), System.out, System.err);
    }
}
