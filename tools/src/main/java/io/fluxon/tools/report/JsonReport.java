package io.fluxon.tools.report;

import com.fasterxml.jackson.core.JsonGenerator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Writes a report as JSON. The names are stable: programs read them.
 */
public final class JsonReport
{
    private static final double NS_OF_US = 1000.0;
    private static final int DECIMALS = 3;
    private static final int RATIO_DECIMALS = 4;

    private final JsonGenerator out;
    private final RunReport report;

    private JsonReport(final JsonGenerator out, final RunReport report)
    {
        this.out = out;
        this.report = report;
    }

    /**
     * Writes a report to a file.
     *
     * @param report to write.
     * @param file   that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public static void write(final RunReport report, final Path file) throws IOException
    {
        JsonFile.write(file, (out) -> new JsonReport(out, report).write());
    }

    private void write() throws IOException
    {
        out.writeNumberField("requests", report.requests());
        out.writeNumberField("failed", report.failed());
        decimal("seconds", report.seconds(), DECIMALS);
        decimal("requests_per_second", report.requestsPerSecond(), DECIMALS);
        writePages();
        writeLatencies();
        writeControl();
        writeErrors();
        writeLeftover();
        writeBalance();
        writeDelay();
        writeChaos();
        writePressure();
    }

    private void writePages() throws IOException
    {
        final PageCounts pages = report.pages();
        out.writeObjectFieldStart("pages");
        out.writeNumberField("requested", pages.requested);
        out.writeNumberField("hit", pages.hit);
        out.writeNumberField("hit_local", pages.hitLocal());
        out.writeNumberField("hit_remote", pages.hitRemote);
        out.writeNumberField("missed", pages.missed());
        out.writeNumberField("written", pages.written);
        out.writeEndObject();
        out.writeNumberField("verified_bytes", pages.verifiedBytes);
        out.writeNumberField("corrupt_pages", pages.corrupt);
    }

    private void writeLatencies() throws IOException
    {
        out.writeObjectFieldStart("latency_us");
        for (final Operation operation : Operation.values())
        {
            final Histogram histogram = report.latencies().of(operation);
            out.writeObjectFieldStart(operation.label());
            out.writeNumberField("count", histogram.getTotalCount());
            decimal("p50", histogram.getValueAtPercentile(50) / NS_OF_US, DECIMALS);
            decimal("p90", histogram.getValueAtPercentile(90) / NS_OF_US, DECIMALS);
            decimal("p99", histogram.getValueAtPercentile(99) / NS_OF_US, DECIMALS);
            decimal("p999", histogram.getValueAtPercentile(99.9) / NS_OF_US, DECIMALS);
            decimal("max", histogram.getMaxValue() / NS_OF_US, DECIMALS);
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private void writeControl() throws IOException
    {
        final ControlCounts control = report.control();
        out.writeObjectFieldStart("control");
        out.writeNumberField("batch_get_start", control.batchGetStart());
        out.writeNumberField("batch_get_done", control.batchGetDone());
        out.writeNumberField("descriptors", control.descriptors());
        out.writeNumberField("submissions", control.submissions());
        out.writeNumberField("retries", control.retries());
        out.writeEndObject();
    }

    private void writeErrors() throws IOException
    {
        out.writeObjectFieldStart("errors");
        for (final Map.Entry<Integer, Long> error : report.errors().entrySet())
        {
            out.writeNumberField(error.getKey().toString(), error.getValue());
        }
        out.writeEndObject();
    }

    private void writeLeftover() throws IOException
    {
        final String[] names = Leftover.names();
        final long[] values = report.leftover().values();
        out.writeObjectFieldStart("leftover");
        for (int i = 0; i < names.length; i++)
        {
            out.writeNumberField(names[i], values[i]);
        }
        out.writeEndObject();
    }

    private void writeBalance() throws IOException
    {
        out.writeObjectFieldStart("balance");
        out.writeBooleanField("ok", report.balance().isOk());
        out.writeArrayFieldStart("checks");
        for (final Balance.Check check : report.balance().checks())
        {
            out.writeStartObject();
            out.writeStringField("name", check.name());
            out.writeNumberField("left", check.left());
            out.writeNumberField("right", check.right());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeDelay() throws IOException
    {
        final DelayResult delay = report.delay();
        if (null != delay)
        {
            out.writeObjectFieldStart("delay");
            decimal("put_start_p50_ratio", delay.putStartP50Ratio(), RATIO_DECIMALS);
            decimal("put_commit_local_p50_ratio", delay.putCommitLocalP50Ratio(), RATIO_DECIMALS);
            decimal("get_start_p50_ratio", delay.getStartP50Ratio(), RATIO_DECIMALS);
            decimal("throughput_ratio", delay.throughputRatio(), RATIO_DECIMALS);
            out.writeEndObject();
        }
    }

    private void writeChaos() throws IOException
    {
        final ChaosResult chaos = report.chaos();
        if (null != chaos)
        {
            out.writeObjectFieldStart("chaos");
            out.writeNumberField("killed", chaos.killed());
            out.writeNumberField("rejoined", chaos.rejoined());
            if (chaos.secondsToZero() >= 0)
            {
                decimal("seconds_to_zero", chaos.secondsToZero(), DECIMALS);
            }
            else
            {
                out.writeNullField("seconds_to_zero");
            }
            out.writeEndObject();
        }
    }

    private void writePressure() throws IOException
    {
        if (null != report.capacity())
        {
            writePressure(report);
        }
        final RunReport without = report.withoutDemotion();
        if (null != without && null != without.capacity())
        {
            out.writeObjectFieldStart("without_demotion");
            writePressure(without);
            out.writeEndObject();
        }
    }

    private void writePressure(final RunReport run) throws IOException
    {
        final CapacityResult capacity = run.capacity();
        out.writeObjectFieldStart("capacity");
        out.writeNumberField("configured_bytes", capacity.configuredBytes());
        out.writeNumberField("usable_slot_bytes", capacity.usableSlotBytes());
        out.writeNumberField("held_bytes", capacity.heldBytes());
        out.writeNumberField("held_once_bytes", capacity.heldOnceBytes());
        out.writeNumberField("free_bytes", capacity.freeBytes());
        out.writeEndObject();
        writeLedger(run.ledger());
        writeReplicas(run.replicas());
        out.writeObjectFieldStart("pressure");
        decimal("fill_seconds", run.fullPeriod().fillSeconds(), DECIMALS);
        decimal("full_seconds", run.fullPeriod().seconds(), DECIMALS);
        out.writeNumberField("gpu_usable_slot_bytes", capacity.gpuUsableSlotBytes());
        decimal("held_once_of_usable", capacity.onceOfAll(), RATIO_DECIMALS);
        decimal("held_once_of_gpu_usable", capacity.onceOfGpu(), RATIO_DECIMALS);
        decimal("hit_rate", run.fullPeriod().hitRate(), RATIO_DECIMALS);
        decimal("remote_hit_rate", run.fullPeriod().remoteHitRate(), RATIO_DECIMALS);
        decimal("puts_per_second", run.fullPeriod().putsPerSecond(), DECIMALS);
        decimal("selected_to_free_us_p50", run.ledger().freeP50Ns() / NS_OF_US, DECIMALS);
        decimal("selected_to_free_us_p99", run.ledger().freeP99Ns() / NS_OF_US, DECIMALS);
        out.writeEndObject();
    }

    private void writeReplicas(final ReplicaFigures replicas) throws IOException
    {
        out.writeObjectFieldStart("replicas");
        writeFigures("wished", replicas.wished());
        writeFigures("demoted", replicas.demoted());
        writeFigures("made", replicas.made());
        out.writeEndObject();
    }

    private void writeFigures(final String name, final Map<String, Long> figures) throws IOException
    {
        out.writeObjectFieldStart(name);
        for (final Map.Entry<String, Long> figure : figures.entrySet())
        {
            out.writeNumberField(figure.getKey(), figure.getValue());
        }
        out.writeEndObject();
    }

    private void writeLedger(final LedgerResult ledger) throws IOException
    {
        out.writeObjectFieldStart("ledger");
        out.writeNumberField("selected", ledger.selected());
        out.writeNumberField("in_progress", ledger.inProgress());
        out.writeNumberField("in_retry", ledger.inRetry());
        out.writeNumberField("freed", ledger.freed());
        out.writeNumberField("restored", ledger.restored());
        out.writeNumberField("obsolete", ledger.obsolete());
        out.writeEndObject();
    }

    private void decimal(final String name, final double value, final int decimals) throws IOException
    {
        JsonFile.decimal(out, name, value, decimals);
    }
}
