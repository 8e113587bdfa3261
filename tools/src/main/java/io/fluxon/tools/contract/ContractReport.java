package io.fluxon.tools.contract;

import io.fluxon.tools.contract.TaggedResult.Outcome;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the tests say about each rule.
 */
final class ContractReport
{
    private final Map<String, List<TaggedResult>> resultsByRule = new LinkedHashMap<>();
    private final Map<String, String> notYet;
    private final Map<String, List<String>> checkers;
    private final List<String> faults = new ArrayList<>();
    private int tested;
    private int waiting;
    private int missing;

    private ContractReport(final Map<String, String> notYet, final Map<String, List<String>> checkers)
    {
        this.notYet = notYet;
        this.checkers = checkers;
    }

    static ContractReport of(
        final Set<String> rules,
        final Map<String, String> notYet,
        final List<TaggedResult> results,
        final Map<String, List<String>> checkers)
    {
        final ContractReport report = new ContractReport(notYet, checkers);
        for (final String rule : rules)
        {
            report.resultsByRule.put(rule, new ArrayList<>());
        }

        report.assign(results);
        report.checkNotYet();
        report.checkCheckers();
        report.count();

        return report;
    }

    boolean isGood()
    {
        return 0 == missing && faults.isEmpty();
    }

    /**
     * Prints rule, tests and result, the checkers that watch it in simulated runs, and the totals as the last line.
     *
     * @param out   to print to.
     * @param brief leaves out the rules that are in order.
     */
    void print(final PrintStream out, final boolean brief)
    {
        resultsByRule.forEach((rule, results) ->
        {
            if (!brief || isMissing(rule))
            {
                printRule(out, rule, results);
            }
        });

        for (final String fault : faults)
        {
            out.println("fault: " + fault);
        }

        out.println(
            "contract: " + resultsByRule.size() + " rules, " + tested + " tested, " + waiting + " not yet, " +
            missing + " missing, " + watched() + " watched by " + checkerCount() + " checkers");
    }

    private void assign(final List<TaggedResult> results)
    {
        final Set<String> unknown = new TreeSet<>();
        final Set<String> failed = new TreeSet<>();
        for (final TaggedResult result : results)
        {
            final List<TaggedResult> ofRule = resultsByRule.get(result.tag());
            if (null != ofRule)
            {
                ofRule.add(result);
                if (Outcome.FAILED == result.outcome())
                {
                    failed.add(result.tag() + " is broken: " + result.module() + " " + result.test() + " failed");
                }
            }
            else if (ContractRules.isRuleName(result.tag()))
            {
                unknown.add(result.module() + " " + result.test() + " is tagged with an unknown rule " + result.tag());
            }
        }

        faults.addAll(failed);
        faults.addAll(unknown);
    }

    private void checkNotYet()
    {
        for (final String rule : notYet.keySet())
        {
            if (!resultsByRule.containsKey(rule))
            {
                faults.add("the list of rules without a test yet names an unknown rule " + rule);
            }
        }
    }

    private void checkCheckers()
    {
        checkers.forEach((rule, names) ->
        {
            if (!resultsByRule.containsKey(rule))
            {
                faults.add("checkers " + String.join(", ", names) + " watch an unknown rule " + rule);
            }
        });
    }

    private long watched()
    {
        return resultsByRule.keySet().stream().filter(checkers::containsKey).count();
    }

    private long checkerCount()
    {
        return checkers.values().stream().flatMap(List::stream).distinct().count();
    }

    private void count()
    {
        for (final String rule : resultsByRule.keySet())
        {
            if (isTested(rule))
            {
                tested++;
            }
            else if (notYet.containsKey(rule))
            {
                waiting++;
            }
            else
            {
                missing++;
            }
        }
    }

    private boolean isTested(final String rule)
    {
        return resultsByRule.get(rule).stream().anyMatch((result) -> Outcome.SKIPPED != result.outcome());
    }

    private boolean isMissing(final String rule)
    {
        return !isTested(rule) && !notYet.containsKey(rule);
    }

    private void printRule(final PrintStream out, final String rule, final List<TaggedResult> results)
    {
        final String state;
        if (isTested(rule))
        {
            final boolean broken = results.stream().anyMatch((result) -> Outcome.FAILED == result.outcome());
            state = (broken ? "FAILED" : "passed") + (notYet.containsKey(rule) ? " (tested early)" : "");
        }
        else
        {
            state = isMissing(rule) ? "MISSING" : "not yet: " + notYet.get(rule);
        }

        out.printf("%-8s %s%n", rule, state);
        for (final TaggedResult result : results)
        {
            out.printf(
                "         %-7s %6d ms  %s %s%n",
                Outcome.FAILED == result.outcome() ? "FAILED" : result.outcome().name().toLowerCase(Locale.ROOT),
                result.durationMs(),
                result.module(),
                result.test());
        }
        if (checkers.containsKey(rule))
        {
            out.println("         watched by " + String.join(", ", checkers.get(rule)));
        }
    }
}
