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
            if (ChaosTarget.NONE != target &&
                target.name().replace('_', '-').equals(value.toUpperCase(Locale.ROOT)))
            {
                return target;
            }
        }
        throw new TypeConversionException("'" + value + "' is not one of worker, owner, master, stop-worker, " +
            "stop-owner, stop-master");
    }
}
