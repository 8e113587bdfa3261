package io.fluxon.tools.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the contract's rules, and which of them have no test yet.
 */
final class ContractRules
{
    private static final String NAME = "[A-Z]+(?:-?\\d+)";
    private static final Pattern RULE = Pattern.compile("^(?:\\*\\*(" + NAME + ")\\*\\*|(" + NAME + "):).*");
    private static final Pattern RULE_NAME = Pattern.compile(NAME);

    private ContractRules()
    {
    }

    /**
     * Rules in the order of the document: a line that starts with {@code **V1**} or {@code V1:} states one.
     *
     * @param document the contract.
     * @return the names of its rules.
     * @throws IOException if the document cannot be read.
     */
    static Set<String> rules(final Path document) throws IOException
    {
        final Set<String> rules = new LinkedHashSet<>();
        for (final String line : Files.readAllLines(document))
        {
            final Matcher matcher = RULE.matcher(line);
            if (matcher.matches())
            {
                final String rule = null != matcher.group(1) ? matcher.group(1) : matcher.group(2);
                if (!rules.add(rule))
                {
                    throw new IllegalArgumentException(document + " states rule " + rule + " twice");
                }
            }
        }

        return rules;
    }

    /**
     * Rules that may lack a test, with the reason.
     *
     * @param list one rule per line, then blanks, then the reason; {@code #} starts a comment line.
     * @return reason by rule.
     * @throws IOException if the list cannot be read.
     */
    static Map<String, String> notYet(final Path list) throws IOException
    {
        final Map<String, String> reasonByRule = new LinkedHashMap<>();
        if (Files.exists(list))
        {
            for (final String line : Files.readAllLines(list))
            {
                if (!line.isBlank() && !line.startsWith("#"))
                {
                    final String[] parts = line.strip().split("\\s+", 2);
                    reasonByRule.put(parts[0], parts.length > 1 ? parts[1] : "");
                }
            }
        }

        return reasonByRule;
    }

    static boolean isRuleName(final String tag)
    {
        return RULE_NAME.matcher(tag).matches();
    }
}
