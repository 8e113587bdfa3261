package io.fluxon.jcstress;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the stress test of each structure that two threads or processes share (docs/concurrency.md), with jcstress. A
 * test fails on an outcome that is forbidden, and when one that it expects to meet (in the words of jcstress an
 * interesting one) was never met: then the two threads did not race.
 */
class SharedStructuresTest
{
    private static final boolean IS_ALL = Boolean.getBoolean("fluxon.test.all");
    private static final long TIMEOUT_MINUTES = 30;

    @TempDir
    private Path directory;

    @TestFactory
    @Timeout(1_800)
    @Tag("BOUND-1")
    Stream<DynamicTest> shouldAllowNoForbiddenOutcomeAndMeetEachExpectedOne() throws Exception
    {
        assertThat(Runtime.getRuntime().availableProcessors()).as("processors: threads must race").isGreaterThan(1);
        runAll();
        final Map<String, TestResult> results = ReportUtils.mergedByName(read()).stream()
            .collect(Collectors.toMap(TestResult::getName, Function.identity()));
        return TestList.tests().stream().sorted()
            .map((name) -> DynamicTest.dynamicTest(name, () -> check(name, results.get(name))));
    }

    private void runAll() throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"),
            Main.class.getName(),
            "-r", directory.resolve("report").toString(),
            "-af", "NONE",
            "-c", "2",
            "-hs", "256",
            "-strideSize", String.valueOf(Memory.STRIDE_SIZE),
            "-strideCount", String.valueOf(Memory.STRIDE_COUNT)));
        final String flags = "@" + Path.of(System.getProperty("fluxon.root"), "config", "jvm.flags");
        command.addAll(List.of("-m", "quick", "-sc", "false", "-f", "1", "-iters", "3", "-time", "200"));
        // instead of, or in front of, those of each configuration of compilers that jcstress knows
        command.addAll(List.of(IS_ALL ? "-jvmArgsPrepend" : "-jvmArgs", flags));

        final Path log = directory.resolve("log");
        final Process process = new ProcessBuilder(command)
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try
        {
            assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)).as("jcstress ends in time").isTrue();
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(() -> readLog(log)).isZero();
    }

    private static String readLog(final Path log)
    {
        try
        {
            return Files.readString(log);
        }
        catch (final Exception ex)
        {
            return "no log: " + ex;
        }
    }

    private Collection<TestResult> read() throws Exception
    {
        final InProcessCollector collector = new InProcessCollector();
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".bin.gz")).toList())
            {
                final DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
                reader.dump();
                reader.close();
            }
        }
        return collector.getTestResults();
    }

    private static void check(final String name, final TestResult result)
    {
        assertThat(result).as("a result of " + name).isNotNull();
        final StringWriter text = new StringWriter();
        ReportUtils.printResult(new PrintWriter(text, true), result, true);
        System.out.println(text);

        assertThat(ReportUtils.statusToPassed(result) && result.grading().isPassed).as(text.toString()).isTrue();
        for (final StateCase expected : TestList.getInfo(name).cases())
        {
            if (Expect.ACCEPTABLE_INTERESTING == expected.expect())
            {
                assertThat(result.getStateKeys()).as(expected.description() + "\n" + text)
                    .anyMatch(expected::matches);
            }
        }
    }
}
