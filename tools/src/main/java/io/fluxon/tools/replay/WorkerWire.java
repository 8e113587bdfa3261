package io.fluxon.tools.replay;

import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.PageCounts;

/**
 * The lines between coordinator and worker: words separated by tabs, a line a command or event.
 */
public final class WorkerWire
{
    static final String RUN = "run";
    static final String ROUND = "round";
    static final String QUIESCE = "quiesce";
    static final String LATENCIES = "latencies";
    static final String ATTACH = "attach";
    static final String EXIT = "exit";

    private static final String READY = "ready";
    private static final String DETACHED = "detached";
    private static final String NEXT = "next";
    private static final String DONE = "done";
    private static final String QUIET = "quiet";
    private static final String LATENCY = "latency";
    private static final String TAB = "\t";
    private static final int DONE_WORDS = 13;

    private WorkerWire()
    {
    }

    /**
     * Splits a line into its words.
     *
     * @param line without its end.
     * @return the words, at least one.
     */
    static String[] words(final String line)
    {
        return line.split(TAB, -1);
    }

    /**
     * Makes a line of words.
     *
     * @param words of the line.
     * @return the line without its end.
     */
    static String line(final Object... words)
    {
        final StringBuilder line = new StringBuilder();
        for (final Object word : words)
        {
            line.append(line.isEmpty() ? "" : TAB).append(word.toString().replaceAll("[\\t\\r\\n]+", " "));
        }
        return line.toString();
    }

    /**
     * Makes the line of an event.
     *
     * @param event of a worker.
     * @return the line without its end.
     */
    static String encode(final WorkerEvent event)
    {
        return switch (event)
        {
            case WorkerEvent.Ready ready -> line(READY, ready.generation());
            case WorkerEvent.Detached detached -> line(DETACHED, detached.message());
            case WorkerEvent.Next next -> line(NEXT, next.request());
            case WorkerEvent.Done done -> encodeDone(done);
            case WorkerEvent.Quiet ignored -> QUIET;
            case WorkerEvent.Latency latency ->
                line(LATENCY, latency.operation().label(), latency.histogram());
            case WorkerEvent.Round round -> line(ROUND, round.operations(), round.durationNs(), round.putStartNs(),
                round.putCommitNs(), round.getStartNs());
            case WorkerEvent.Ended ended ->
                throw new IllegalArgumentException("a worker cannot say that it has ended: " + ended);
        };
    }

    private static String encodeDone(final WorkerEvent.Done done)
    {
        final PageCounts pages = done.pages();
        return line(DONE, done.request(), done.code(), done.stage(), pages.requested, pages.hit, pages.hitRemote,
            pages.put, pages.written, pages.verified, pages.verifiedBytes, pages.corrupt, done.message());
    }

    /**
     * Reads an event from its line.
     *
     * @param line without its end.
     * @return the event, or null if the line is none.
     */
    static WorkerEvent decode(final String line)
    {
        final String[] words = words(line);
        try
        {
            return switch (words[0])
            {
                case READY -> new WorkerEvent.Ready(Long.parseLong(words[1]));
                case DETACHED -> new WorkerEvent.Detached(words[1]);
                case NEXT -> new WorkerEvent.Next(Integer.parseInt(words[1]));
                case DONE -> decodeDone(words);
                case QUIET -> new WorkerEvent.Quiet();
                case LATENCY -> new WorkerEvent.Latency(Operation.ofLabel(words[1]), words[2]);
                case ROUND -> new WorkerEvent.Round(Long.parseLong(words[1]), Long.parseLong(words[2]),
                    Long.parseLong(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5]));
                default -> null;
            };
        }
        catch (final IllegalArgumentException | ArrayIndexOutOfBoundsException ex)
        {
            return null;
        }
    }

    private static WorkerEvent decodeDone(final String[] words)
    {
        if (DONE_WORDS != words.length)
        {
            return null;
        }
        final PageCounts pages = new PageCounts();
        pages.requested = Long.parseLong(words[4]);
        pages.hit = Long.parseLong(words[5]);
        pages.hitRemote = Long.parseLong(words[6]);
        pages.put = Long.parseLong(words[7]);
        pages.written = Long.parseLong(words[8]);
        pages.verified = Long.parseLong(words[9]);
        pages.verifiedBytes = Long.parseLong(words[10]);
        pages.corrupt = Long.parseLong(words[11]);
        return new WorkerEvent.Done(
            Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3], pages, words[12]);
    }
}
