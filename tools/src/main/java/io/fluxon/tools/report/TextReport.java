package io.fluxon.tools.report;

import static java.util.Locale.ROOT;

import io.fluxon.ipc.ErrorCode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Shows a report to people.
 */
public final class TextReport
{
    private static final double NS_OF_US = 1000.0;
    private static final double MEBIBYTE = 1 << 20;

    private TextReport()
    {
    }

    /**
     * Makes the text of a report.
     *
     * @param report to show.
     * @return lines of text.
     */
    public static String format(final RunReport report)
    {
        final StringBuilder out = new StringBuilder();
        out.append(String.format(ROOT, "%,d requests in %.1f s: %.1f a second, %,d failed%n%n",
            report.requests(), report.seconds(), report.requestsPerSecond(), report.failed()));
        if (report.pages().requested > 0)
        {
            appendPages(out, report.pages());
        }
        appendLatencies(out, report.latencies());
        appendErrors(out, report.errors());
        appendControl(out, report.control());
        appendExtras(out, report);
        appendLeftover(out, report.leftover());
        appendBalance(out, report.balance());
        appendVerdict(out, report.faults());
        return out.toString();
    }

    private static void appendPages(final StringBuilder out, final PageCounts pages)
    {
        out.append(new Table()
            .row("pages", "requested", "hit", "hit_local", "hit_remote", "missed", "written", "corrupt")
            .row("", number(pages.requested), number(pages.hit), number(pages.hitLocal()), number(pages.hitRemote),
                number(pages.missed()), number(pages.written), number(pages.corrupt)));
        out.append(String.format(ROOT, "hit rate %.4f, %,.1f MiB compared byte by byte%n%n",
            (double) pages.hit / pages.requested, pages.verifiedBytes / MEBIBYTE));
    }

    private static void appendLatencies(final StringBuilder out, final Latencies latencies)
    {
        final Table table = new Table().row("latency (us)", "count", "p50", "p90", "p99", "p99.9", "max");
        for (final Operation operation : Operation.values())
        {
            final Histogram histogram = latencies.of(operation);
            table.row(
                operation.label(),
                number(histogram.getTotalCount()),
                microseconds(histogram.getValueAtPercentile(50)),
                microseconds(histogram.getValueAtPercentile(90)),
                microseconds(histogram.getValueAtPercentile(99)),
                microseconds(histogram.getValueAtPercentile(99.9)),
                microseconds(histogram.getMaxValue()));
        }
        out.append(table).append('\n');
    }

    private static void appendErrors(final StringBuilder out, final Map<Integer, Long> errors)
    {
        if (!errors.isEmpty())
        {
            final Table table = new Table().row("error", "code", "requests");
            errors.forEach((code, count) -> table.row(ErrorCode.name(code), code.toString(), number(count)));
            out.append(table).append('\n');
        }
    }

    private static void appendControl(final StringBuilder out, final ControlCounts control)
    {
        out.append(new Table()
            .row("control", "batch_get_start", "batch_get_done", "descriptors", "submissions", "retries")
            .row("", number(control.batchGetStart()), number(control.batchGetDone()), number(control.descriptors()),
                number(control.submissions()), number(control.retries()))).append('\n');
    }

    private static void appendExtras(final StringBuilder out, final RunReport report)
    {
        final ChaosResult chaos = report.chaos();
        if (null != chaos)
        {
            out.append(String.format(ROOT, "chaos: %d killed, %d rejoined, %s%n", chaos.killed(), chaos.rejoined(),
                chaos.secondsToZero() >= 0 ?
                    String.format(ROOT, "all temporary state at zero after %.3f s (at most %.3f s)",
                        chaos.secondsToZero(), chaos.limitSeconds()) :
                    "temporary state did not return to zero"));
        }
        if (null != report.capacity())
        {
            appendPressure(out, report);
        }
        final DelayResult delay = report.delay();
        if (null != delay)
        {
            out.append(String.format(ROOT, "delayed / not delayed, medians of pairs: put_start %.3f, " +
                "put_commit_local %.3f, get_start %.3f (each at most %.2f), throughput %.3f (at least %.2f)%n",
                delay.putStartP50Ratio(), delay.putCommitLocalP50Ratio(), delay.getStartP50Ratio(),
                DelayResult.MAX_LATENCY_RATIO, delay.throughputRatio(), DelayResult.MIN_THROUGHPUT_RATIO));
        }
    }

    private static void appendPressure(final StringBuilder out, final RunReport report)
    {
        final CapacityResult capacity = report.capacity();
        final LedgerResult ledger = report.ledger();
        out.append(new Table()
            .row("capacity (MiB)", "configured", "usable", "of gpu owners", "held", "held once", "free")
            .row("", mebibytes(capacity.configuredBytes()), mebibytes(capacity.usableSlotBytes()),
                mebibytes(capacity.gpuUsableSlotBytes()), mebibytes(capacity.heldBytes()),
                mebibytes(capacity.heldOnceBytes()), mebibytes(capacity.freeBytes()))).append('\n');
        out.append(new Table()
            .row("evicted slots", "selected", "in progress", "in retry", "freed", "restored", "obsolete")
            .row("", number(ledger.selected()), number(ledger.inProgress()), number(ledger.inRetry()),
                number(ledger.freed()), number(ledger.restored()), number(ledger.obsolete()))).append('\n');
        appendReplicas(out, report.replicas());
        out.append(String.format(ROOT, "every owner that can be was full after %.1f s, and then for %.1f s%n",
            report.fullPeriod().fillSeconds(), report.fullPeriod().seconds()));
        final RunReport without = report.withoutDemotion();
        final PressureTable table =
            new PressureTable().row(report.isDemoting() ? "with demotion" : "without demotion", report);
        out.append(null == without || null == without.capacity() ? table : table.row("without demotion", without))
            .append('\n');
    }

    private static void appendReplicas(final StringBuilder out, final ReplicaFigures replicas)
    {
        out.append(figures("copies of pages wished", replicas.wished())).append('\n');
        out.append(figures("copies of pages evicted", replicas.demoted())).append('\n');
        out.append(figures("pages of both", replicas.made())).append('\n');
    }

    private static Table figures(final String title, final Map<String, Long> figures)
    {
        final List<String> names = new ArrayList<>(List.of(title));
        final List<String> values = new ArrayList<>(List.of(""));
        figures.forEach((name, value) ->
        {
            names.add(name.replace('_', ' '));
            values.add(number(value));
        });
        return new Table().row(names.toArray(String[]::new)).row(values.toArray(String[]::new));
    }

    private static void appendLeftover(final StringBuilder out, final Leftover leftover)
    {
        out.append("left over:");
        if (leftover.isZero())
        {
            out.append(" nothing");
        }
        else
        {
            final long[] values = leftover.values();
            for (int i = 0; i < values.length; i++)
            {
                out.append(' ').append(Leftover.names()[i]).append(' ').append(values[i]);
            }
        }
        out.append('\n');
    }

    private static void appendBalance(final StringBuilder out, final Balance balance)
    {
        out.append("balance: ").append(balance.isOk() ? "ok, " : "NOT ok, ")
            .append(balance.checks().size()).append(" checks\n");
        final Table table = new Table();
        for (final Balance.Check check : balance.checks())
        {
            table.row("  " + check.name(), number(check.left()), number(check.right()),
                check.isOk() ? "ok" : "DIFFER");
        }
        out.append(table);
    }

    private static void appendVerdict(final StringBuilder out, final List<String> faults)
    {
        out.append(faults.isEmpty() ? "PASSED\n" : "FAILED\n");
        for (final String fault : faults)
        {
            out.append("  ").append(fault).append('\n');
        }
    }

    private static String number(final long value)
    {
        return String.format(ROOT, "%,d", value);
    }

    private static String mebibytes(final long bytes)
    {
        return String.format(ROOT, "%,.1f", bytes / MEBIBYTE);
    }

    private static String microseconds(final long valueNs)
    {
        return String.format(ROOT, "%,.1f", valueNs / NS_OF_US);
    }
}
