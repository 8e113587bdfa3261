package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.WaitStage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an owner says of itself in {@code owner.json} of its directory, written last when it is ready. A flat JSON
 * object of strings and whole numbers.
 *
 * @param instanceKey     name of the owner.
 * @param ownerId         id of the owner.
 * @param generation      of the owner.
 * @param aeronDirectory  folder of its media driver.
 * @param segmentPath     path of its segment file.
 * @param pid             of its process.
 */
public record OwnerDescriptor(
    String instanceKey, int ownerId, long generation, String aeronDirectory, String segmentPath, long pid)
{
    /** Name of the file. */
    public static final String FILE_NAME = "owner.json";
    /** Channel between workers and an owner. */
    public static final String CHANNEL = "aeron:ipc";
    /** Stream on which an owner takes requests of workers. */
    public static final int REQUEST_STREAM_ID = 101;

    private static final int NAME = 1;
    private static final int TEXT = 2;
    private static final int NUMBER = 3;
    private static final Pattern FIELD =
        Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(-?\\d+))");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    /**
     * Reads the descriptor of an owner.
     *
     * @param ownerDirectory that holds it.
     * @return the descriptor.
     * @throws FluxonException when there is no such directory, no owner is ready in it, or the file says too little.
     */
    public static OwnerDescriptor read(final Path ownerDirectory)
    {
        if (!Files.isDirectory(ownerDirectory))
        {
            throw failure("there is no directory " + ownerDirectory, null);
        }
        final Path file = ownerDirectory.resolve(FILE_NAME);
        if (!Files.exists(file))
        {
            throw failure("no owner is ready in " + ownerDirectory + ": it has no " + FILE_NAME, null);
        }
        try
        {
            return parse(Files.readString(file));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw failure(file + " is no descriptor of an owner: " + ex.getMessage(), ex);
        }
    }

    static OwnerDescriptor parse(final String json)
    {
        return new OwnerDescriptor(
            field(json, "instance_key", TEXT),
            Integer.parseInt(field(json, "owner_id", NUMBER)),
            Long.parseLong(field(json, "generation", NUMBER)),
            field(json, "aeron_directory", TEXT),
            field(json, "segment_path", TEXT),
            Long.parseLong(field(json, "pid", NUMBER)));
    }

    private static String field(final String json, final String name, final int kind)
    {
        final Matcher matcher = FIELD.matcher(json);
        while (matcher.find())
        {
            if (name.equals(matcher.group(NAME)) && null != matcher.group(kind))
            {
                return TEXT == kind ? unescape(matcher.group(TEXT)) : matcher.group(NUMBER);
            }
        }
        throw new IllegalArgumentException("field " + name + " is missing or of another type");
    }

    private static String unescape(final String text)
    {
        return ESCAPE.matcher(text).replaceAll((match) -> Matcher.quoteReplacement(null == match.group(1) ?
            control(match.group(2)) : String.valueOf((char)Integer.parseInt(match.group(1), 16))));
    }

    private static String control(final String letter)
    {
        return switch (letter)
        {
            case "n" -> "\n";
            case "t" -> "\t";
            case "r" -> "\r";
            case "b" -> "\b";
            case "f" -> "\f";
            default -> letter;
        };
    }

    private static FluxonException failure(final String message, final Throwable cause)
    {
        return new FluxonException(ErrorCode.TRANSPORT, WaitStage.CONNECT, message, cause);
    }
}
