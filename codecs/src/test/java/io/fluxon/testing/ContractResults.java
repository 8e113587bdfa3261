package io.fluxon.testing;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records the result of every tagged test, one line per tag, for the contract check:
 * {@code tag TAB test TAB passed|failed|skipped TAB milliseconds}.
 * <p>
 * The file lies in the directory named by the system property {@value #DIRECTORY_PROPERTY}; without it nothing is
 * recorded. A container that fails or is skipped as a whole counts for all the tests in it.
 */
public final class ContractResults implements TestExecutionListener
{
    /**
     * Names the directory the results are written to.
     */
    public static final String DIRECTORY_PROPERTY = "fluxon.contract.results";

    private final Path directory;
    private final Map<String, Long> startedNs = new ConcurrentHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private TestPlan testPlan;

    /**
     * Records into the directory of the system property.
     */
    public ContractResults()
    {
        this(System.getProperty(DIRECTORY_PROPERTY));
    }

    ContractResults(final String directory)
    {
        this.directory = null == directory ? null : Path.of(directory);
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan testPlan)
    {
        this.testPlan = testPlan;
    }

    @Override
    public void executionStarted(final TestIdentifier test)
    {
        startedNs.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(final TestIdentifier test, final String reason)
    {
        record(test, "skipped");
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result)
    {
        switch (result.getStatus())
        {
            case SUCCESSFUL ->
            {
                if (test.isTest())
                {
                    record(test, "passed");
                }
            }
            case ABORTED -> record(test, "skipped");
            case FAILED -> record(test, "failed");
        }
    }

    @Override
    public void testPlanExecutionFinished(final TestPlan testPlan)
    {
        if (null == directory)
        {
            return;
        }

        try
        {
            Files.createDirectories(directory);
            final Path file = directory.resolve(ProcessHandle.current().pid() + "-" + System.nanoTime() + ".tsv");
            synchronized (lines)
            {
                Files.write(file, lines);
                lines.clear();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void record(final TestIdentifier test, final String result)
    {
        final Long startNs = startedNs.remove(test.getUniqueId());
        final long durationMs = null == startNs ? 0 : (System.nanoTime() - startNs) / 1_000_000;

        synchronized (lines)
        {
            for (final String tag : tagsOf(test))
            {
                lines.add(tag + "\t" + nameOf(test) + "\t" + result + "\t" + durationMs);
            }
        }
    }

    private Set<String> tagsOf(final TestIdentifier test)
    {
        final Set<String> tags = new TreeSet<>();
        for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = testPlan.getParent(at.get()))
        {
            addTags(at.get(), tags);
        }
        for (final TestIdentifier descendant : testPlan.getDescendants(test))
        {
            addTags(descendant, tags);
        }

        return tags;
    }

    private static void addTags(final TestIdentifier test, final Set<String> tags)
    {
        for (final TestTag tag : test.getTags())
        {
            tags.add(tag.getName());
        }
    }

    private static String nameOf(final TestIdentifier test)
    {
        final StringBuilder name = new StringBuilder();
        final String id = test.getUniqueId();
        for (final String segment : id.substring(1, id.length() - 1).split("]/\\["))
        {
            final int colon = segment.indexOf(':');
            final String type = segment.substring(0, colon);
            if (!"engine".equals(type))
            {
                final String value = segment.substring(colon + 1);
                final boolean isClass = "class".equals(type);
                name.append(name.isEmpty() || value.startsWith("#") ? "" : ".");
                name.append(isClass ? value.substring(value.lastIndexOf('.') + 1) : value.replaceFirst("\\(.*", ""));
            }
        }

        return name.toString();
    }
}
