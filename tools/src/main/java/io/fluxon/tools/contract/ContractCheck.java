package io.fluxon.tools.contract;

import io.fluxon.sim.check.Checker;
import io.fluxon.sim.check.Checkers;
import io.fluxon.sim.check.Watches;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the rules of {@code docs/contract.md} with the recorded results of the tests tagged with their names, and
 * counts the simulator's checkers that watch them.
 * <p>
 * Usage: {@code ContractCheck [--brief] PROJECT_ROOT}. Brief output leaves out what is in order. Exits with 0 when
 * every rule is tested or listed in {@code docs/contract-not-yet.txt}, and no tagged test failed.
 */
public final class ContractCheck
{
    private ContractCheck()
    {
    }

    /**
     * Runs the check.
     *
     * @param args of the command line.
     * @throws IOException if a file of the contract cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        System.exit(run(List.of(args), checkers(), System.out, System.err));
    }

    static int run(
        final List<String> args,
        final Map<String, List<String>> checkers,
        final PrintStream out,
        final PrintStream err) throws IOException
    {
        final boolean brief = args.contains("--brief");
        final List<String> roots = args.stream().filter((arg) -> !arg.startsWith("-")).toList();
        if (1 != roots.size())
        {
            err.println("usage: ContractCheck [--brief] PROJECT_ROOT");
            return 2;
        }

        final Path root = Path.of(roots.get(0));
        final ContractReport report = ContractReport.of(
            ContractRules.rules(root.resolve("docs/contract.md")),
            ContractRules.notYet(root.resolve("docs/contract-not-yet.txt")),
            TaggedResult.read(root),
            checkers);
        report.print(out, brief);

        return report.isGood() ? 0 : 1;
    }

    /** The simulator's checkers, by the rules that they watch. */
    static Map<String, List<String>> checkers()
    {
        final Map<String, List<String>> namesByRule = new LinkedHashMap<>();
        for (final Class<? extends Checker> checker : Checkers.all())
        {
            for (final String rule : checker.getAnnotation(Watches.class).value())
            {
                namesByRule.computeIfAbsent(rule, (key) -> new ArrayList<>()).add(checker.getSimpleName());
            }
        }
        return namesByRule;
    }
}
