package io.fluxon.tools;

import io.fluxon.tools.demo.ChaosTarget;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads what a run is disturbed by, as people write it: {@code stop-worker}.
 */
final class ChaosTargetConverter implements ITypeConverter<ChaosTarget>
{
    @Override
    public ChaosTarget convert(final String value)
    {
        for (final ChaosTarget target : ChaosTarget.values())
        {
            if (ChaosTarget.NONE != target && nameOf(target).equals(value.toLowerCase(Locale.ROOT)))
            {
                return target;
            }
        }
        throw new TypeConversionException("'" + value + "' is not one of worker, owner, master, stop-worker, " +
            "stop-owner, stop-master, cut-owner, cut-master");
    }

    static String nameOf(final ChaosTarget target)
    {
        return target.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
