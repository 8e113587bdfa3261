package io.fluxon.testing;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class ContractResultsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldRecordEveryTaggedTestOncePerTag() throws IOException
    {
        assertThat(resultsOf(Outcomes.class)).containsExactlyInAnyOrder(
            "X1\tOutcomes.passes\tpassed",
            "X2\tOutcomes.passes\tpassed",
            "X1\tOutcomes.fails\tfailed",
            "X1\tOutcomes.aborts\tskipped",
            "X1\tOutcomes.isDisabled\tskipped");
    }

    @Test
    void shouldTagEachInvocationAsItsMethod() throws IOException
    {
        assertThat(resultsOf(Invocations.class)).containsExactlyInAnyOrder(
            "X1\tInvocations.isRepeated#1\tpassed",
            "X1\tInvocations.isRepeated#2\tpassed",
            "X2\tInvocations.makesTests#1\tpassed");
    }

    @Test
    void shouldFailTheTagsOfAClassThatFailsAsAWhole() throws IOException
    {
        assertThat(resultsOf(FailsBefore.class)).containsExactly("X1\tFailsBefore\tfailed");
        assertThat(resultsOf(FailsAfter.class)).containsExactlyInAnyOrder(
            "X1\tFailsAfter.passes\tpassed",
            "X1\tFailsAfter\tfailed");
    }

    private List<String> resultsOf(final Class<?> testClass) throws IOException
    {
        final LauncherConfig config = LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .addTestExecutionListeners(new ContractResults(directory.resolve(testClass.getSimpleName()).toString()))
            .build();
        final Launcher launcher = LauncherFactory.create(config);
        launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass)).build());

        try (Stream<Path> files = Files.list(directory.resolve(testClass.getSimpleName())))
        {
            final List<String> lines = Files.readAllLines(files.findFirst().orElseThrow());
            final String owner = ContractResultsTest.class.getSimpleName() + "$";
            return lines.stream().map((line) -> line.replace(owner, "").replaceFirst("\t\\d+$", "")).toList();
        }
    }

    @Tag("X1")
    static class Outcomes
    {
        @Test
        @Tag("X2")
        void passes()
        {
        }

        @Test
        void fails()
        {
            throw new AssertionError("on purpose");
        }

        @Test
        void aborts()
        {
            abort("on purpose");
        }

        @Test
        @Disabled("on purpose")
        void isDisabled()
        {
        }
    }

    static class Invocations
    {
        @ParameterizedTest
        @ValueSource(ints = { 1, 2 })
        @Tag("X1")
        void isRepeated(final int value)
        {
            assertThat(value).isPositive();
        }

        @TestFactory
        @Tag("X2")
        Stream<DynamicTest> makesTests()
        {
            return Stream.of(DynamicTest.dynamicTest("one", () -> {}));
        }
    }

    static class FailsBefore
    {
        @BeforeAll
        static void fail()
        {
            throw new AssertionError("on purpose");
        }

        @Test
        @Tag("X1")
        void passes()
        {
        }
    }

    static class FailsAfter
    {
        @AfterAll
        static void fail()
        {
            throw new AssertionError("on purpose");
        }

        @Test
        @Tag("X1")
        void passes()
        {
        }
    }
}
