package io.fluxon.tools.bench.transfer;

import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.tools.cluster.ClusterException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/**
 * The life of a process that is one end of the path: says {@code ready} and where it is read, does what the lines of
 * its input ask for, ends with its input.
 *
 * @param directory for its segment.
 * @param address   to listen at.
 * @param source    number of this source, or {@link #READER}.
 * @param sources   number of all sources.
 * @param pages     of one fetch.
 * @param pageBytes length of each.
 * @param idle      of its threads.
 * @param peers     addresses of the sources, for the reader.
 */
public record TransferEndRun(
    Path directory,
    String address,
    int source,
    int sources,
    int pages,
    int pageBytes,
    IdleStrategyName idle,
    List<String> peers)
{
    /** In place of the number of a source: this is the end that reads. */
    public static final int READER = -1;

    static final String READY = "ready ";
    static final String FETCHED = "fetched ";
    static final String CHECKSUM_ON = "checksum on";
    static final String CHECKSUM_OFF = "checksum off";
    private static final int READER_OWNER_ID = 1;

    /**
     * Runs until the input ends.
     *
     * @param in  with a line for each fetch, for the reader.
     * @param out for the answers.
     * @throws IOException      when the input cannot be read.
     * @throws ClusterException when a fetch fails.
     */
    public void run(final BufferedReader in, final PrintStream out) throws IOException
    {
        final boolean isReader = READER == source;
        final int ownPages = isReader ? pages : PageSource.pagesOf(source, sources, pages);
        final int ownerId = isReader ? READER_OWNER_ID : PageSource.ownerId(source);
        try (TransferEnd end = new TransferEnd(directory, ownerId, address, ownPages, pageBytes, idle))
        {
            if (isReader)
            {
                final PageReader reader = new PageReader(end, pages, peers, idle.create());
                answer(out, READY + end.address());
                serve(end, reader, in, out);
            }
            else
            {
                PageSource.fill(end, source, sources, pages);
                answer(out, READY + end.address());
                in.transferTo(Writer.nullWriter());
            }
        }
    }

    private static void serve(
        final TransferEnd end, final PageReader reader, final BufferedReader in, final PrintStream out)
        throws IOException
    {
        for (String line = in.readLine(); null != line; line = in.readLine())
        {
            final long submissions = end.submissions();
            final long checksumBytes = end.checksumBytes();
            final long durationNs = reader.fetch(CHECKSUM_ON.equals(line));
            answer(out, FETCHED + durationNs + ' ' + (end.submissions() - submissions) + ' ' +
                (end.checksumBytes() - checksumBytes));
        }
    }

    private static void answer(final PrintStream out, final String line)
    {
        out.println(line);
        out.flush();
    }
}
