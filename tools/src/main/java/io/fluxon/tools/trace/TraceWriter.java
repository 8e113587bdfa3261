package io.fluxon.tools.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a trace in the form that {@link TraceReader} reads. Lengths are made up:
 * {@value #TOKENS_OF_BLOCK} tokens a block.
 */
public final class TraceWriter
{
    /** Tokens that a block stands for. */
    public static final int TOKENS_OF_BLOCK = 512;

    private TraceWriter()
    {
    }

    /**
     * Writes a whole trace.
     *
     * @param trace to write.
     * @param file  that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Trace trace, final Path file) throws IOException
    {
        try (BufferedWriter out = Files.newBufferedWriter(file))
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < trace.requestCount(); i++)
            {
                line.setLength(0);
                appendRequest(line, trace, i);
                out.append(line).append('\n');
            }
        }
    }

    private static void appendRequest(final StringBuilder line, final Trace trace, final int request)
    {
        final int blocks = trace.blockCount(request);
        line.append("{\"timestamp\": ").append(trace.timestampMs(request))
            .append(", \"input_length\": ").append((long) blocks * TOKENS_OF_BLOCK)
            .append(", \"output_length\": 1, \"hash_ids\": [");
        for (int i = 0; i < blocks; i++)
        {
            line.append(0 == i ? "" : ", ").append(trace.blockId(request, i));
        }
        line.append("]}");
    }
}
