package io.fluxon.tools.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of a comparison as a drawing (SVG): a panel for each trace, the prefix-hit ratio over the capacity on a
 * logarithmic scale, a line for each policy.
 */
final class PolicyPlot
{
    private static final int PANEL_WIDTH = 300;
    private static final int PANEL_HEIGHT = 240;
    private static final int MARGIN = 44;
    private static final int GRID_LINES = 5;
    private static final int LEGEND_HEIGHT = 30;
    private static final int LEGEND_STEP = 95;
    private static final Map<String, String> COLOURS = Map.of(
        "lru", "#888888",
        "slru", "#56b4e9",
        "arc", "#0072b2",
        "tinylfu", "#cc79a7",
        "caffeine", "#e69f00",
        "fluxon", "#d00000",
        "bound", "#009e73");

    private final StringBuilder out = new StringBuilder();

    private PolicyPlot()
    {
    }

    /**
     * Draws results.
     *
     * @param results of all traces, policies and capacities.
     * @return the text of the file.
     */
    static String svg(final List<PolicyResult> results)
    {
        return new PolicyPlot().draw(results);
    }

    private String draw(final List<PolicyResult> results)
    {
        final Map<String, List<PolicyResult>> traces = new LinkedHashMap<>();
        final List<String> policies = results.stream().map(PolicyResult::policy).distinct().toList();
        results.forEach(result -> traces.computeIfAbsent(result.trace(), name -> new ArrayList<>()).add(result));

        final int width = Math.max(traces.size() * PANEL_WIDTH, MARGIN + policies.size() * LEGEND_STEP);
        final int height = PANEL_HEIGHT + LEGEND_HEIGHT;
        append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" " +
            "font-family=\"sans-serif\" font-size=\"11\">%n", width, height, width, height);
        append("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", width, height);
        int left = 0;
        for (final Map.Entry<String, List<PolicyResult>> trace : traces.entrySet())
        {
            drawPanel(left, trace.getKey(), trace.getValue(), policies);
            left += PANEL_WIDTH;
        }
        for (int i = 0; i < policies.size(); i++)
        {
            final int x = MARGIN + i * LEGEND_STEP;
            append("<path d=\"M%d %d h18\" stroke=\"%s\" stroke-width=\"2\"/>", x, PANEL_HEIGHT + 12,
                colour(policies.get(i)));
            append("<text x=\"%d\" y=\"%d\">%s</text>%n", x + 22, PANEL_HEIGHT + 16, escaped(policies.get(i)));
        }
        return out.append("</svg>\n").toString();
    }

    private void drawPanel(
        final int left, final String trace, final List<PolicyResult> results, final List<String> policies)
    {
        final double top = Math.max(1e-6, results.stream().mapToDouble(PolicyResult::hitRatio).max().orElse(1));
        final int[] capacities = results.stream().mapToInt(PolicyResult::capacityBlocks).distinct().sorted().toArray();
        append("<text x=\"%d\" y=\"16\" font-weight=\"bold\">%s</text>%n", left + MARGIN, escaped(trace));
        for (int i = 0; i <= GRID_LINES; i++)
        {
            final double ratio = top * i / GRID_LINES;
            append("<path d=\"M%d %.1f H%d\" stroke=\"#dddddd\"/>", left + MARGIN, y(ratio, top),
                left + PANEL_WIDTH - 10);
            append("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>%n", left + MARGIN - 4,
                y(ratio, top) + 4, ratio);
        }
        for (final int capacity : capacities)
        {
            append("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>%n", x(left, capacity, capacities),
                PANEL_HEIGHT - MARGIN + 28, capacity);
        }
        for (final String policy : policies)
        {
            final StringBuilder line = new StringBuilder();
            results.stream().filter(result -> policy.equals(result.policy())).forEach(result -> line.append(
                String.format(Locale.ROOT, "%s%.1f %.1f", line.isEmpty() ? "M" : " L",
                    x(left, result.capacityBlocks(), capacities), y(result.hitRatio(), top))));
            append("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"/>%n", line, colour(policy),
                "fluxon".equals(policy) ? "2.5" : "1.5");
        }
    }

    private static double x(final int left, final int capacity, final int[] capacities)
    {
        final double first = Math.log(capacities[0]);
        final double span = Math.max(1e-6, Math.log(capacities[capacities.length - 1]) - first);
        return left + MARGIN + 10 + (Math.log(capacity) - first) / span * (PANEL_WIDTH - MARGIN - 36);
    }

    private static double y(final double ratio, final double top)
    {
        return PANEL_HEIGHT - MARGIN + 10 - ratio / top * (PANEL_HEIGHT - MARGIN - 20);
    }

    private static String colour(final String policy)
    {
        return COLOURS.getOrDefault(policy, "#000000");
    }

    private static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void append(final String format, final Object... values)
    {
        out.append(String.format(Locale.ROOT, format, values));
    }
}
