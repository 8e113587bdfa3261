package io.fluxon.sim;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A seed on the command line: any 64 bits, as a decimal number or with 0x.
 */
final class SeedConverter implements ITypeConverter<Long>
{
    private static final int HEXADECIMAL = 16;

    @Override
    public Long convert(final String text)
    {
        try
        {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), HEXADECIMAL) :
                Long.parseUnsignedLong(text);
        }
        catch (final NumberFormatException ex)
        {
            throw new TypeConversionException(
                "'" + text + "' is not a seed: a number from 0 to 18446744073709551615, or 0x and up to 16 digits");
        }
    }
}
