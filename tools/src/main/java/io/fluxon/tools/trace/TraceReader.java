package io.fluxon.tools.trace;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a trace of Mooncake's form: one JSON object a line with exactly the fields {@code timestamp} (ms),
 * {@code input_length}, {@code output_length} (tokens) and {@code hash_ids} (one id a block, in prefix order). Streams,
 * and is strict: anything else is an error that names the line.
 */
public final class TraceReader
{
    /** Most blocks that one request may have. */
    public static final int MAX_BLOCKS_OF_REQUEST = 1_000_000;

    private static final String[] FIELDS = { "timestamp", "input_length", "output_length", "hash_ids" };
    private static final int TIMESTAMP = 0;
    private static final int HASH_IDS = 3;
    private static final int ALL_FIELDS = (1 << FIELDS.length) - 1;

    private final Path file;
    private final JsonParser parser;
    private final Trace.Builder builder = new Trace.Builder();
    private int line;
    private long timestampMs;

    private TraceReader(final Path file, final JsonParser parser)
    {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Reads the first requests of a file.
     *
     * @param file  to read.
     * @param limit of requests; reading stops there.
     * @return the trace.
     * @throws TraceException if the file cannot be read, holds no request, or a line is not what it must be.
     */
    public static Trace read(final Path file, final int limit)
    {
        if (!Files.isRegularFile(file))
        {
            throw new TraceException(file + ": " + (Files.exists(file) ? "not a regular file" : "no such file"));
        }

        final JsonFactory factory =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
            JsonParser parser = factory.createParser(in))
        {
            return new TraceReader(file, parser).readRequests(limit);
        }
        catch (final IOException ex)
        {
            throw new TraceException(file + ": cannot be read: " + ex.getMessage());
        }
    }

    private Trace readRequests(final int limit) throws IOException
    {
        try
        {
            while (builder.requestCount() < limit && null != parser.nextToken())
            {
                readRequest();
            }
        }
        catch (final JsonProcessingException ex)
        {
            line = parser.getParsingContext().inRoot() ? ex.getLocation().getLineNr() : line;
            throw error("not valid JSON: " + ex.getOriginalMessage());
        }

        if (0 == builder.requestCount())
        {
            throw new TraceException(file + ": holds no request");
        }
        return builder.build();
    }

    private void readRequest() throws IOException
    {
        final int lastLine = line;
        line = parser.currentTokenLocation().getLineNr();
        if (START_OBJECT != parser.currentToken())
        {
            throw error("expected a JSON object");
        }
        if (line == lastLine)
        {
            throw error("more than one request in the line");
        }

        int seen = 0;
        while (END_OBJECT != parser.nextToken())
        {
            seen |= 1 << readField();
        }
        if (ALL_FIELDS != seen)
        {
            throw error("field " + FIELDS[Integer.numberOfTrailingZeros(~seen)] + " is missing");
        }
        if (parser.currentTokenLocation().getLineNr() != line)
        {
            throw error("the request does not end in its line");
        }
        builder.endRequest(timestampMs);
    }

    private int readField() throws IOException
    {
        final int field = fieldIndex(parser.currentName());
        parser.nextToken();
        if (HASH_IDS == field)
        {
            readBlocks();
        }
        else
        {
            final double number = readNumber(FIELDS[field]);
            timestampMs = TIMESTAMP == field ? (long)number : timestampMs;
        }
        return field;
    }

    private int fieldIndex(final String name)
    {
        for (int i = 0; i < FIELDS.length; i++)
        {
            if (FIELDS[i].equals(name))
            {
                return i;
            }
        }
        throw error("unknown field \"" + name + "\"");
    }

    private double readNumber(final String name) throws IOException
    {
        if (!parser.currentToken().isNumeric() || !(parser.getDoubleValue() >= 0))
        {
            throw error(name + " must be a number that is at least 0");
        }
        return parser.getDoubleValue();
    }

    private void readBlocks() throws IOException
    {
        if (START_ARRAY != parser.currentToken())
        {
            throw error("hash_ids must be an array");
        }

        int blocks = 0;
        while (END_ARRAY != parser.nextToken())
        {
            if (JsonToken.VALUE_NUMBER_INT != parser.currentToken() || !isBlockId())
            {
                throw error("hash_ids[" + blocks + "] must be an integer from 0 to 2^63-1");
            }
            blocks++;
            if (blocks > MAX_BLOCKS_OF_REQUEST)
            {
                throw error("hash_ids has more than " + MAX_BLOCKS_OF_REQUEST + " entries");
            }
            builder.addBlock(parser.getLongValue());
        }
        if (0 == blocks)
        {
            throw error("hash_ids is empty");
        }
    }

    private boolean isBlockId() throws IOException
    {
        return JsonParser.NumberType.BIG_INTEGER != parser.getNumberType() && parser.getLongValue() >= 0;
    }

    private TraceException error(final String what)
    {
        return new TraceException(file + ":" + line + ": " + what);
    }
}
