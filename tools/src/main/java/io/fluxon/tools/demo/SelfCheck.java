package io.fluxon.tools.demo;

import static java.util.Locale.ROOT;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.report.Table;

import java.util.ArrayList;
import java.util.List;

/**
 * Shows that runs are judged honestly: a short run passes, and the same run fails with each fault that is planted in
 * it, for the reason that fits the fault.
 */
final class SelfCheck
{
    private static final long SETTLE_NS = SECONDS.toNanos(4);

    private final long seed;
    private final Progress progress;
    private final List<Outcome> outcomes = new ArrayList<>();

    SelfCheck(final long seed, final Progress progress)
    {
        this.seed = seed;
        this.progress = progress;
    }

    /** Runs once with each fault, and once without. */
    void run()
    {
        for (final PlantedFault fault : PlantedFault.values())
        {
            progress.say("short run, planted fault: " + name(fault));
            final RunReport report = new DemoRun(DemoSettings.ofSelfCheck(seed), fault, SETTLE_NS, progress).run();
            outcomes.add(new Outcome(fault, report.faults()));
        }
    }

    boolean isPassed()
    {
        return !outcomes.isEmpty() && outcomes.stream().allMatch(Outcome::isAsExpected);
    }

    List<Outcome> outcomes()
    {
        return outcomes;
    }

    String text()
    {
        final StringBuilder out = new StringBuilder();
        final Table table = new Table().row("planted fault", "run", "judged");
        for (final Outcome outcome : outcomes)
        {
            table.row(name(outcome.fault()), outcome.isFailed() ? "failed" : "passed",
                outcome.isAsExpected() ? "rightly" : "WRONGLY");
        }
        out.append(table);
        for (final Outcome outcome : outcomes)
        {
            outcome.faults().stream().filter(outcome::isDecisive).forEach(fault ->
                out.append(name(outcome.fault())).append(" caught by: ").append(fault).append('\n'));
            outcome.faults().stream().filter(fault -> !outcome.isDecisive(fault)).forEach(fault ->
                out.append("  also: ").append(fault).append('\n'));
        }
        return out.append(isPassed() ? "PASSED\n" : "FAILED\n").toString();
    }

    static String name(final PlantedFault fault)
    {
        return fault.name().toLowerCase(ROOT);
    }

    /** What came of one run. */
    record Outcome(PlantedFault fault, List<String> faults)
    {
        boolean isFailed()
        {
            return !faults.isEmpty();
        }

        boolean isAsExpected()
        {
            return PlantedFault.NONE == fault ? faults.isEmpty() : faults.stream().anyMatch(this::isDecisive);
        }

        /** Is this the reason that fits the planted fault? */
        boolean isDecisive(final String reason)
        {
            return switch (fault)
            {
                case NONE -> false;
                case FLIPPED_BYTE -> reason.endsWith("corrupt pages");
                case LEAKED_HOLDING -> reason.startsWith("left over:") && reason.endsWith("holdings");
                case MISCOUNTED_PAGE -> reason.startsWith("out of balance: pages hit = holdings opened");
            };
        }
    }
}
