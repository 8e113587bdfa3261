package io.fluxon.engine.host;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

/**
 * The small JSON file that says where a running process is to be found. It appears whole, when everything is ready, and
 * goes before anything else does.
 */
final class DescriptorFile implements AutoCloseable
{
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path path;

    private DescriptorFile(final Path path)
    {
        this.path = path;
    }

    static ObjectNode newContent()
    {
        return MAPPER.createObjectNode();
    }

    static DescriptorFile write(final Path path, final ObjectNode content)
    {
        final Path draft = path.resolveSibling(path.getFileName() + ".new");
        try
        {
            Files.writeString(draft, MAPPER.writeValueAsString(content) + System.lineSeparator());
            Files.move(draft, path, ATOMIC_MOVE, REPLACE_EXISTING);
            return new DescriptorFile(path);
        }
        catch (final IOException ex)
        {
            throw new HostException("cannot write " + path + ": " + ex.getMessage(), ex);
        }
    }

    @Override
    public void close() throws IOException
    {
        Files.deleteIfExists(path);
    }
}
