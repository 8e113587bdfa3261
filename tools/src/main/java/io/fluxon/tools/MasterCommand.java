package io.fluxon.tools;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.host.ProcessRunner;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code fluxon master}: runs the master in this process.
 */
@Command(
    name = "master",
    description = "Runs the master until it is told to end (SIGTERM or Ctrl-C).",
    mixinStandardHelpOptions = true)
final class MasterCommand implements Callable<Integer>
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
            "master", () -> MasterProcess.launch(MasterConfig.load(config, overrides)), System.out, System.err);
    }
}
