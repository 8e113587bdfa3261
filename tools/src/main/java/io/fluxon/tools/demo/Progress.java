package io.fluxon.tools.demo;

import static java.util.Locale.ROOT;

import java.io.PrintStream;

/**
 * Shows how far a run is: one line that changes on a terminal, else a line every few seconds.
 */
final class Progress
{
    private static final long TERMINAL_INTERVAL_NS = 200_000_000L;
    private static final long LINE_INTERVAL_NS = 5_000_000_000L;
    private static final double NS_OF_SECOND = 1e9;

    private final PrintStream out;
    private final boolean isTerminal;
    private String what = "";
    private int total;
    private long startNs;
    private long lastNs;
    private boolean isLineOpen;

    Progress(final PrintStream out, final boolean isTerminal)
    {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    static Progress ofThisProcess()
    {
        return new Progress(System.err, null != System.console() && System.console().isTerminal());
    }

    /** Says one thing. */
    void say(final String text)
    {
        endLine();
        out.println(text);
    }

    /** Begins to count. */
    void begin(final String newWhat, final int newTotal, final long nowNs)
    {
        what = newWhat;
        total = newTotal;
        startNs = nowNs;
        lastNs = nowNs;
    }

    /** Shows the count if it is time to. */
    void update(final int done, final long nowNs)
    {
        if (nowNs - lastNs >= (isTerminal ? TERMINAL_INTERVAL_NS : LINE_INTERVAL_NS))
        {
            lastNs = nowNs;
            show(done, nowNs);
        }
    }

    /** Shows the last count. */
    void end(final int done, final long nowNs)
    {
        if (isLineOpen)
        {
            show(done, nowNs);
            endLine();
        }
    }

    private void show(final int done, final long nowNs)
    {
        final double seconds = (nowNs - startNs) / NS_OF_SECOND;
        final String line = String.format(ROOT, "%s: %,d of %,d requests, %.0f s, %.0f a second",
            what, done, total, seconds, seconds > 0 ? done / seconds : 0);
        if (isTerminal)
        {
            out.print("\r" + line + "\033[K");
            out.flush();
            isLineOpen = true;
        }
        else
        {
            out.println(line);
        }
    }

    private void endLine()
    {
        if (isLineOpen)
        {
            out.println();
            isLineOpen = false;
        }
    }
}
