package io.fluxon.tools;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a length in bytes: a number, or one with the unit KiB, MiB or GiB.
 */
final class ByteSize implements ITypeConverter<Long>
{
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*(|b|kib|mib|gib)");
    private static final String UNITS = "b kib mib gib";

    @Override
    public Long convert(final String value)
    {
        final Matcher matcher = FORM.matcher(value.toLowerCase(Locale.ROOT));
        if (!matcher.matches())
        {
            throw new TypeConversionException("'" + value + "' is not a number of bytes, KiB, MiB or GiB");
        }
        try
        {
            long unit = 1;
            for (final String name : UNITS.split(" "))
            {
                if (matcher.group(2).isEmpty() || matcher.group(2).equals(name))
                {
                    break;
                }
                unit *= 1024;
            }
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        }
        catch (final ArithmeticException ex)
        {
            throw new TypeConversionException("'" + value + "' is too large");
        }
    }
}
