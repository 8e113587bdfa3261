package io.fluxon.tools.demo;

import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.trace.SessionWorkload;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceReader;
import io.fluxon.tools.trace.TraceWriter;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The requests of a run: a trace from a file, or a generated one, which is written to a file for the workers.
 */
final class Workload
{
    private final Path source;
    private final Trace trace;

    private Workload(final Path source, final Trace trace)
    {
        this.source = source;
        this.trace = trace;
    }

    /** Reads or generates requests; 0 stands for all of the trace, or the default number. */
    static Workload load(final Path source, final int requests, final long seed, final int defaultRequests)
    {
        return new Workload(source, null == source ?
            SessionWorkload.generate(0 == requests ? defaultRequests : requests, seed) :
            TraceReader.read(source, 0 == requests ? Integer.MAX_VALUE : requests));
    }

    Trace trace()
    {
        return trace;
    }

    /** File for the workers. */
    Path file(final WorkDirectory directory)
    {
        if (null != source)
        {
            return source.toAbsolutePath();
        }
        final Path file = directory.path().resolve("workload.jsonl");
        try
        {
            TraceWriter.write(trace, file);
            return file;
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot write " + file + ": " + ex.getMessage());
        }
    }
}
