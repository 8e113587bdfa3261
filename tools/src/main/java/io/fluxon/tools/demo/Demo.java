package io.fluxon.tools.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.report.JsonReport;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.report.TextReport;
import io.fluxon.tools.trace.TraceException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Runs a demonstration, prints what came of it, and gives the exit code of the command.
 */
public final class Demo
{
    /** Exit code: the run passed. */
    public static final int PASSED = 0;

    /** Exit code: the run failed. */
    public static final int FAILED = 1;

    private final DemoSettings settings;
    private final Path json;
    private final Progress progress = Progress.ofThisProcess();

    /**
     * Constructs a demonstration.
     *
     * @param settings what it is to do.
     * @param json     file for the report, or null.
     */
    public Demo(final DemoSettings settings, final Path json)
    {
        this.settings = settings;
        this.json = json;
    }

    /**
     * Runs the workload, or the comparison with delayed master messages.
     *
     * @return {@link #PASSED} or {@link #FAILED}.
     */
    public int run()
    {
        return judge(json, () -> settings.delayMasterMs() > 0 ?
            new DelayRun(settings, progress).run() :
            new DemoRun(settings, PlantedFault.NONE, DemoRun.SETTLE_NS, progress).run());
    }

    /**
     * Keeps a store full, and then another one that copies nothing that it evicts, where that is wanted.
     *
     * @param pressure   what to do.
     * @param isCompared true if the second one is wanted.
     * @param json       file for the report, or null.
     * @return {@link #PASSED} or {@link #FAILED}.
     */
    public static int fill(final PressureSettings pressure, final boolean isCompared, final Path json)
    {
        return judge(json, () ->
        {
            final Progress progress = Progress.ofThisProcess();
            final RunReport report = new PressureRun(pressure, PlantedFault.NONE, progress).run();
            if (isCompared)
            {
                progress.say("the same without demotion");
                report.withoutDemotion(
                    new PressureRun(pressure.withoutDemotion(), PlantedFault.NONE, progress).run());
            }
            return report;
        });
    }

    /** Runs, prints the report and writes it as JSON where that is wanted, and gives the exit code. */
    static int judge(final Path json, final Supplier<RunReport> run)
    {
        try
        {
            final RunReport report = run.get();
            System.out.print(TextReport.format(report));
            if (null != json)
            {
                JsonReport.write(report, json);
            }
            return report.isPassed() ? PASSED : FAILED;
        }
        catch (final TraceException ex)
        {
            System.err.println(ex.getMessage());
        }
        catch (final IOException ex)
        {
            System.err.println("cannot write " + json + ": " + ex.getMessage());
        }
        return FAILED;
    }

    /**
     * Shows that runs with planted faults fail.
     *
     * @return {@link #PASSED} if all do, and the run without one passes.
     */
    public int selfCheck()
    {
        final SelfCheck check = new SelfCheck(settings.seed(), progress);
        check.run();
        System.out.print(check.text());
        try
        {
            writeJson(check);
        }
        catch (final IOException ex)
        {
            System.err.println("cannot write " + json + ": " + ex.getMessage());
            return FAILED;
        }
        return check.isPassed() ? PASSED : FAILED;
    }

    private void writeJson(final SelfCheck check) throws IOException
    {
        if (null == json)
        {
            return;
        }
        try (OutputStream stream = Files.newOutputStream(json);
            JsonGenerator out = new JsonFactory().createGenerator(stream).useDefaultPrettyPrinter())
        {
            out.writeStartObject();
            out.writeBooleanField("ok", check.isPassed());
            out.writeArrayFieldStart("runs");
            for (final SelfCheck.Outcome outcome : check.outcomes())
            {
                out.writeStartObject();
                out.writeStringField("fault", SelfCheck.name(outcome.fault()));
                out.writeBooleanField("failed", outcome.isFailed());
                out.writeArrayFieldStart("caught_by");
                for (final String fault : outcome.faults())
                {
                    out.writeString(fault);
                }
                out.writeEndArray();
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
    }
}
