package io.fluxon.tools.policy;

import io.fluxon.tools.trace.SessionReader;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceReader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which part of a trace is run: all of it, or a half to tune on and one to check on.
 */
enum TracePart
{
    /** The whole trace. */
    ALL,

    /** The first half of the requests of a file; of a folder the 1st, 3rd, 5th … session. */
    FIRST,

    /** The second half of the requests of a file; of a folder the 2nd, 4th, 6th … session. */
    SECOND;

    Trace read(final Path path, final long spreadSeconds, final long seed)
    {
        if (Files.isDirectory(path))
        {
            final List<Path> files = SessionReader.filesOf(path);
            return SessionReader.read(
                IntStream.range(0, files.size())
                    .filter(i -> ALL == this || FIRST == this == (0 == i % 2))
                    .mapToObj(files::get)
                    .toList(),
                spreadSeconds,
                seed);
        }

        final Trace trace = TraceReader.read(path, Integer.MAX_VALUE);
        final int half = trace.requestCount() / 2;
        return switch (this)
        {
            case ALL -> trace;
            case FIRST -> slice(trace, 0, half);
            case SECOND -> slice(trace, half, trace.requestCount());
        };
    }

    private static Trace slice(final Trace trace, final int from, final int to)
    {
        final Trace.Builder builder = new Trace.Builder();
        for (int request = from; request < to; request++)
        {
            for (int i = 0; i < trace.blockCount(request); i++)
            {
                builder.addBlock(trace.blockId(request, i));
            }
            builder.endRequest(trace.timestampMs(request));
        }
        return builder.build();
    }
}
