package io.fluxon.tools.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One owner of a cluster: where it is, and its present process.
 */
final class OwnerNode
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String DESCRIPTOR = "owner.json";

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
            final JsonNode descriptor = MAPPER.readTree(Files.readAllBytes(directory.resolve(DESCRIPTOR)));
            return null != process && descriptor.path("pid").asLong() == process.pid();
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
