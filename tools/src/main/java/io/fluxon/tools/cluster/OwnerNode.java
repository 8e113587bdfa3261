package io.fluxon.tools.cluster;

import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.OwnerDescriptor;

import java.nio.file.Path;

/**
 * One owner of a cluster: where it is, and its present process.
 */
final class OwnerNode
{
    final String instanceKey;
    final boolean isGpu;
    final Path directory;
    final Path config;
    ManagedProcess process;

    OwnerNode(final String instanceKey, final boolean isGpu, final Path directory, final Path config)
    {
        this.instanceKey = instanceKey;
        this.isGpu = isGpu;
        this.directory = directory;
        this.config = config;
    }

    Path countersFile()
    {
        return directory.resolve(instanceKey + ".cnc");
    }

    /** Has the present process written its descriptor, which is the last thing it does before it is ready? */
    boolean isDescribed()
    {
        try
        {
            return null != process && OwnerDescriptor.read(directory).pid() == process.pid();
        }
        catch (final FluxonException ex)
        {
            return false;
        }
    }
}
