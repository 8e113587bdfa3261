package io.fluxon.tools.policy;

import io.fluxon.tools.trace.Trace;
import org.agrona.collections.LongHashSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Capacity of a cache: a number of blocks, or a share of the blocks of a trace.
 *
 * @param blocks  number of blocks, 0 when it is a share.
 * @param percent of the trace's unique blocks, 0 when it is a number.
 */
record Capacity(int blocks, double percent)
{
    private static final int THOUSAND = 1000;
    private static final double HUNDRED = 100;

    int blocksOf(final Trace trace)
    {
        return 0 < blocks ? blocks : Math.max(1, (int)(uniqueBlocks(trace) * percent / HUNDRED));
    }

    private static int uniqueBlocks(final Trace trace)
    {
        final LongHashSet unique = new LongHashSet();
        for (int request = 0; request < trace.requestCount(); request++)
        {
            for (int i = 0; i < trace.blockCount(request); i++)
            {
                unique.add(trace.blockId(request, i));
            }
        }
        return unique.size();
    }

    static final class Converter implements ITypeConverter<Capacity>
    {
        private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,8})(k|%)?");

        @Override
        public Capacity convert(final String text)
        {
            final Matcher matcher = FORM.matcher(text);
            if (!matcher.matches())
            {
                throw invalid(text);
            }

            final long number = Long.parseLong(matcher.group(1));
            if ("%".equals(matcher.group(2)))
            {
                if (number > HUNDRED)
                {
                    throw invalid(text);
                }
                return new Capacity(0, number);
            }
            final long blocks = null == matcher.group(2) ? number : number * THOUSAND;
            if (blocks > PolicyCommand.MAX_CAPACITY_BLOCKS)
            {
                throw invalid(text);
            }
            return new Capacity((int)blocks, 0);
        }

        private static TypeConversionException invalid(final String text)
        {
            return new TypeConversionException("is a number of blocks (1 to " + PolicyCommand.MAX_CAPACITY_BLOCKS +
                ", k for thousands) or a share of the trace's unique blocks (1% to 100%), is: " + text);
        }
    }
}
