package io.fluxon.sim.trace;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * Shows a message of the control protocol in one line: its name, then every field that is not zero or empty.
 */
public final class MessageText
{
    private static final int MAX_ITEMS = 16;
    private static final int MAX_TEXT = 64;

    private final MessageSchema schema = MessageSchema.read();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final StringBuilder out = new StringBuilder();
    private DirectBuffer message;
    private int position;

    /**
     * Makes the text of a message.
     *
     * @param whole message with its header; one that makes no sense is shown as far as it does.
     * @return one line.
     */
    public String of(final DirectBuffer whole)
    {
        out.setLength(0);
        message = whole;
        if (whole.capacity() < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            return whole.capacity() + " bytes";
        }
        header.wrap(whole, 0);
        position = MessageHeaderDecoder.ENCODED_LENGTH;
        final MessageSchema.Message shape = schema.message(header.templateId());
        if (null == shape)
        {
            return "template " + header.templateId() + ", " + whole.capacity() + " bytes";
        }
        out.append(shape.block().name());
        try
        {
            appendBlock(shape.block(), header.blockLength(), " ");
        }
        catch (final IndexOutOfBoundsException ex)
        {
            out.append(" ... ends here, after ").append(whole.capacity()).append(" bytes");
        }
        return out.toString();
    }

    private void appendBlock(final MessageSchema.Block block, final int length, final String gap)
    {
        for (final MessageSchema.Field field : block.fields())
        {
            appendField(field, position + field.offset(), gap);
        }
        position += length;
        for (final MessageSchema.Block group : block.groups())
        {
            appendGroup(group, gap);
        }
        for (final String name : block.data())
        {
            appendData(name, gap);
        }
    }

    private void appendField(final MessageSchema.Field field, final int offset, final String gap)
    {
        final MessageSchema.Type type = field.type();
        if (!type.parts().isEmpty())
        {
            final StringBuilder parts = new StringBuilder();
            type.parts().forEach((part) ->
                parts.append(parts.isEmpty() ? "" : "/").append(number(offset + part.offset(), part.type().length())));
            out.append(gap).append(field.name()).append('=').append(parts);
            return;
        }
        final long value = number(offset, type.length());
        if (0 != value || type.names().containsKey(0L) && !type.isSet())
        {
            out.append(gap).append(field.name()).append('=').append(named(value, type));
        }
    }

    private static String named(final long value, final MessageSchema.Type type)
    {
        if (!type.isSet())
        {
            return type.names().getOrDefault(value, Long.toString(value));
        }
        final StringBuilder text = new StringBuilder();
        final Map<Long, String> bits = new TreeMap<>(type.names());
        bits.forEach((bit, name) ->
            text.append(0 == (value & 1L << bit) ? "" : (text.isEmpty() ? "" : "|") + name));
        return text.toString();
    }

    private void appendGroup(final MessageSchema.Block group, final String gap)
    {
        final int blockLength = (int)number(position, Short.BYTES);
        final int count = (int)number(position + Short.BYTES, Short.BYTES);
        position += 2 * Short.BYTES;
        if (count > 0)
        {
            out.append(gap).append(group.name()).append("=[");
            for (int i = 0; i < count; i++)
            {
                final int begin = out.length();
                appendBlock(group, blockLength, ",");
                out.replace(begin, Math.min(out.length(), begin + 1), 0 == i ? "" : " ");
                out.setLength(i < MAX_ITEMS ? out.length() : begin);
            }
            out.append(count > MAX_ITEMS ? " and " + (count - MAX_ITEMS) + " more]" : "]");
        }
    }

    private void appendData(final String name, final String gap)
    {
        final int length = (int)number(position, Short.BYTES);
        position += Short.BYTES;
        final byte[] bytes = new byte[length];
        message.getBytes(position, bytes);
        position += length;
        if (length > 0)
        {
            final String text = new String(bytes, 0, Math.min(length, MAX_TEXT), StandardCharsets.UTF_8);
            final String quote = text.contains(" ") ? "'" : "";
            out.append(gap).append(name).append('=').append(quote).append(text.replaceAll("\\p{Cntrl}", "."))
                .append(length > MAX_TEXT ? "..." : "").append(quote);
        }
    }

    private long number(final int offset, final int length)
    {
        return switch (length)
        {
            case Byte.BYTES -> message.getByte(offset) & 0xFF;
            case Short.BYTES -> message.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
            case Integer.BYTES -> message.getInt(offset, LITTLE_ENDIAN);
            default -> message.getLong(offset, LITTLE_ENDIAN);
        };
    }
}
