package io.fluxon.tools.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Reads a folder of sessions, one JSON object a file, each with {@code requests}: {@code t} (s since the session began)
 * and {@code hash_ids} (one id a block, in prefix order, local to the file), and merges them into one trace: each
 * session starts at a random time that the seed decides. Requests without blocks are passed over.
 */
public final class SessionReader
{
    private static final long MS_OF_SECOND = 1000;

    private final List<Request> requests = new ArrayList<>();
    private final ObjectMapper mapper = new ObjectMapper();
    private long firstBlockId;

    private record Request(long timestampMs, long[] blockIds)
    {
    }

    private SessionReader()
    {
    }

    /**
     * Reads the sessions of a folder in the order of their names.
     *
     * @param folder        with the files, all that end in {@code .json}.
     * @param spreadSeconds sessions start at random within this time.
     * @param seed          of the starts.
     * @return the merged trace.
     * @throws TraceException if a file cannot be read or is not what it must be.
     */
    public static Trace read(final Path folder, final long spreadSeconds, final long seed)
    {
        return read(filesOf(folder), spreadSeconds, seed);
    }

    /**
     * The files of the sessions of a folder.
     *
     * @param folder with the files.
     * @return the files in the order of their names, at least one.
     * @throws TraceException if there is none, or the folder cannot be read.
     */
    public static List<Path> filesOf(final Path folder)
    {
        try (Stream<Path> entries = Files.list(folder))
        {
            final List<Path> files =
                entries.filter(file -> file.getFileName().toString().endsWith(".json")).sorted().toList();
            if (files.isEmpty())
            {
                throw new TraceException(folder + ": holds no file *.json");
            }
            return files;
        }
        catch (final IOException ex)
        {
            throw new TraceException(folder + ": cannot be read: " + ex.getMessage());
        }
    }

    /**
     * Reads sessions.
     *
     * @param files         one session each.
     * @param spreadSeconds sessions start at random within this time.
     * @param seed          of the starts.
     * @return the merged trace.
     * @throws TraceException if a file cannot be read or is not what it must be.
     */
    public static Trace read(final List<Path> files, final long spreadSeconds, final long seed)
    {
        final Random random = new Random(seed);
        final SessionReader reader = new SessionReader();
        for (final Path file : files)
        {
            reader.readSession(file, (long)(random.nextDouble() * spreadSeconds * MS_OF_SECOND));
        }
        return reader.merge();
    }

    private void readSession(final Path file, final long startMs)
    {
        final JsonNode list;
        try
        {
            list = mapper.readTree(Files.readAllBytes(file)).path("requests");
        }
        catch (final JsonProcessingException ex)
        {
            throw new TraceException(file + ": not valid JSON: " + ex.getOriginalMessage());
        }
        catch (final IOException ex)
        {
            throw new TraceException(file + ": cannot be read: " + ex.getMessage());
        }
        if (!list.isArray())
        {
            throw new TraceException(file + ": requests must be an array");
        }

        long greatest = 0;
        for (int i = 0; i < list.size(); i++)
        {
            greatest = Math.max(greatest, readRequest(file + ": requests[" + i + "]", list.get(i), startMs));
        }
        firstBlockId += greatest + 1;
    }

    private long readRequest(final String where, final JsonNode request, final long startMs)
    {
        final JsonNode seconds = request.path("t");
        final JsonNode ids = request.path("hash_ids");
        if (!seconds.isNumber() || !(seconds.doubleValue() >= 0))
        {
            throw new TraceException(where + ": t must be a number that is at least 0");
        }
        if (!ids.isArray() || ids.size() > TraceReader.MAX_BLOCKS_OF_REQUEST)
        {
            throw new TraceException(where + ": hash_ids must be an array of at most " +
                TraceReader.MAX_BLOCKS_OF_REQUEST + " entries");
        }

        final long[] blockIds = new long[ids.size()];
        long greatest = 0;
        for (int i = 0; i < blockIds.length; i++)
        {
            final JsonNode id = ids.get(i);
            if (!id.isInt() || id.intValue() < 0)
            {
                throw new TraceException(where + ": hash_ids[" + i + "] must be an integer from 0 to 2^31-1");
            }
            blockIds[i] = firstBlockId + id.intValue();
            greatest = Math.max(greatest, id.intValue());
        }
        if (0 < blockIds.length)
        {
            requests.add(new Request(startMs + (long)(seconds.doubleValue() * MS_OF_SECOND), blockIds));
        }
        return greatest;
    }

    private Trace merge()
    {
        requests.sort(Comparator.comparingLong(Request::timestampMs));
        final Trace.Builder builder = new Trace.Builder();
        for (final Request request : requests)
        {
            for (final long blockId : request.blockIds())
            {
                builder.addBlock(blockId);
            }
            builder.endRequest(request.timestampMs());
        }
        return builder.build();
    }
}
