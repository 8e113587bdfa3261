package io.fluxon.tools.replay;

import io.fluxon.cuda.CopyPlace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a worker process is told when it is started.
 *
 * @param ownerDirectory of the owner to attach to.
 * @param trace          file that requests are taken from.
 * @param requests       of the trace that are read.
 * @param pageBytes      length of every page.
 * @param groupBlocks    pages of one atomic group.
 * @param keyPrefix      of every key.
 * @param name           of the worker.
 * @param fault           that the worker plants.
 * @param driverTimeoutMs silence of the owner's media driver after which the worker connects anew.
 * @param place           of the simulated KV cache.
 */
public record WorkerSettings(
    Path ownerDirectory,
    Path trace,
    int requests,
    int pageBytes,
    int groupBlocks,
    String keyPrefix,
    String name,
    PlantedFault fault,
    int driverTimeoutMs,
    CopyPlace place)
{
    /** How long a worker waits for a media driver that is silent. */
    public static final int DRIVER_TIMEOUT_MS = 10_000;

    /**
     * Arguments of the hidden command {@code fluxon worker}.
     *
     * @return the arguments, the command's name first.
     */
    public List<String> toArguments()
    {
        final List<String> arguments = new ArrayList<>();
        arguments.add("worker");
        arguments.add("--owner=" + ownerDirectory);
        arguments.add("--trace=" + trace);
        arguments.add("--requests=" + requests);
        arguments.add("--page-bytes=" + pageBytes);
        arguments.add("--group-blocks=" + groupBlocks);
        arguments.add("--key-prefix=" + keyPrefix);
        arguments.add("--name=" + name);
        arguments.add("--fault=" + fault);
        arguments.add("--driver-timeout-ms=" + driverTimeoutMs);
        arguments.add("--place=" + place);
        return arguments;
    }
}
