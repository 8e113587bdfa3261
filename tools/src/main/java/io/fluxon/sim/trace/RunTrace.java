package io.fluxon.sim.trace;

import static java.util.Locale.ROOT;

import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.WireObserver;
import io.fluxon.sim.run.RunResult;
import io.fluxon.sim.run.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Writes down a run while it happens: one line for each message sent and delivered, fault, call and outcome, with the
 * virtual time since the start in seconds. A message that is sent and never delivered was lost.
 */
public final class RunTrace implements WireObserver
{
    private static final double NS_OF_SECOND = 1e9;

    private final MessageText text = new MessageText();
    private final Consumer<String> lines;
    private VirtualCluster cluster;
    private long startNs;

    private RunTrace(final Consumer<String> lines)
    {
        this.lines = lines;
    }

    /**
     * Runs with given choices, and writes it down.
     *
     * @param choices of the run.
     * @param lines   takes each line.
     * @return what came of the run.
     */
    public static RunResult write(final Choices choices, final Consumer<String> lines)
    {
        final RunTrace trace = new RunTrace(lines);
        final RunResult result = Simulation.run(choices, trace::watch);
        trace.line("", result.isGood() ? "good: every rule held" : "broke " + result.rule() + ": " + result.failure());
        return result;
    }

    /**
     * Runs with given choices, and collects the lines.
     *
     * @param choices of the run.
     * @return all lines.
     */
    public static List<String> linesOf(final Choices choices)
    {
        final List<String> lines = new ArrayList<>();
        write(choices, lines::add);
        return lines;
    }

    private void watch(final VirtualCluster newCluster)
    {
        cluster = newCluster;
        startNs = cluster.clock().nanoTime();
        cluster.network().observe(this);
        cluster.faults().observe((kind, place) -> line("fault", kind + " " + place));
        cluster.listen((note) -> line("call", note));
    }

    @Override
    public void onSent(final VirtualNetwork.Link link, final DirectBuffer message)
    {
        line("sent", ends(link) + text.of(message));
    }

    @Override
    public void onDelivered(final VirtualNetwork.Link link, final DirectBuffer message)
    {
        line("got", ends(link) + text.of(message));
    }

    private static String ends(final VirtualNetwork.Link link)
    {
        return link.from() + " > " + link.to() + " ";
    }

    private void line(final String what, final String rest)
    {
        final double seconds = (cluster.clock().nanoTime() - startNs) / NS_OF_SECOND;
        lines.accept(String.format(ROOT, "%14.9f %-5s %s", seconds, what, rest));
    }
}
