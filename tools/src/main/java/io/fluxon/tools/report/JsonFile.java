package io.fluxon.tools.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of one JSON object, written for people as well as for programs.
 */
public final class JsonFile
{
    private JsonFile()
    {
    }

    /**
     * Writes what is in the object.
     */
    @FunctionalInterface
    public interface Fields
    {
        /**
         * Writes the fields.
         *
         * @param out inside the object.
         * @throws IOException if they cannot be written.
         */
        void write(JsonGenerator out) throws IOException;
    }

    /**
     * Writes a file.
     *
     * @param file   that is created or replaced.
     * @param fields of its object.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Path file, final Fields fields) throws IOException
    {
        try (OutputStream stream = Files.newOutputStream(file);
            JsonGenerator out = new JsonFactory().createGenerator(stream))
        {
            out.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
            out.writeStartObject();
            fields.write(out);
            out.writeEndObject();
            out.writeRaw('\n');
        }
    }

    /**
     * Writes a number, rounded.
     *
     * @param out      that it is written to.
     * @param name     of its field.
     * @param value    the number, finite.
     * @param decimals that are kept.
     * @throws IOException if it cannot be written.
     */
    public static void decimal(final JsonGenerator out, final String name, final double value, final int decimals)
        throws IOException
    {
        out.writeNumberField(name, BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP));
    }
}
