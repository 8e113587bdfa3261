package io.fluxon.tools.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.tools.architecture.fixture.BreaksTheRules;
import io.fluxon.tools.architecture.fixture.KeepsTheRules;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTest
{
    private static final String[] CORES = {
        "io.fluxon.engine.owner..",
        "io.fluxon.engine.master..",
        "io.fluxon.engine.memory..",
        "io.fluxon.engine.index..",
        "io.fluxon.engine.protocol..",
        "io.fluxon.ipc.channel..",
        "io.fluxon.ipc.client.core..",
        "io.fluxon.ipc.plan.."
    };
    private static final String FIXTURE = "io.fluxon.tools.architecture.fixture..";

    private static JavaClasses project;

    @BeforeAll
    static void readProject()
    {
        project = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fluxon");
    }

    @Test
    void shouldKeepModuleDirections()
    {
        ArchitectureRules.doesNotSee(
            "io.fluxon.codecs..", "io.fluxon.ipc..", "io.fluxon.engine..", "io.fluxon.cuda..", "io.fluxon.tools..")
            .check(project);
        ArchitectureRules.doesNotSee("io.fluxon.ipc..", "io.fluxon.engine..", "io.fluxon.cuda..", "io.fluxon.tools..")
            .check(project);
        ArchitectureRules.doesNotSee("io.fluxon.engine..", "io.fluxon.cuda..", "io.fluxon.tools..").check(project);
        ArchitectureRules.doesNotSee("io.fluxon.cuda..", "io.fluxon.engine..", "io.fluxon.tools..").check(project);
    }

    @Test
    void shouldCallTheCudaDriverThroughItsWrappersOnly()
    {
        ArchitectureRules.onlySeenBy("io.fluxon.cuda.ffi..", "io.fluxon.cuda.driver..").check(project);
        final JavaClasses wrapper = new ClassFileImporter().importClasses(CudaEvent.class);
        assertThat(ArchitectureRules.onlySeenBy("io.fluxon.cuda.ffi..", "io.fluxon.ipc..").evaluate(wrapper)
            .hasViolation()).isTrue();
    }

    @Test
    void shouldKeepClocksAndChanceOutOfTheCores()
    {
        ArchitectureRules.noClockOrChance(CORES).check(project);
    }

    @Test
    @Tag("G10")
    void shouldNotBlockSleepLockOrDoIoInTheCores()
    {
        ArchitectureRules.noBlocking(CORES).check(project);
        ArchitectureRules.noSynchronizedMethod(CORES).check(project);
    }

    @Test
    void shouldKeepUnorderedCollectionsOutOfTheCores()
    {
        ArchitectureRules.noUnorderedCollection(CORES).check(project);
    }

    @ParameterizedTest
    @MethodSource("violations")
    void shouldFindAViolation(final Class<?> violation)
    {
        final JavaClasses classes = new ClassFileImporter().importClasses(violation);

        assertThat(rules()).anyMatch((rule) -> rule.evaluate(classes).hasViolation());
    }

    @Test
    void shouldFindADependencyAgainstTheDirection()
    {
        final JavaClasses classes = new ClassFileImporter().importClasses(KeepsTheRules.class, BreaksTheRules.class);

        assertThat(ArchitectureRules.doesNotSee(FIXTURE, "org.agrona..").evaluate(classes).hasViolation()).isTrue();
        ArchitectureRules.doesNotSee(FIXTURE, "io.fluxon.engine..").check(classes);
    }

    @Test
    void shouldFindNothingInWellBehavedCode()
    {
        final JavaClasses classes = new ClassFileImporter().importClasses(KeepsTheRules.class);

        assertThat(rules()).allSatisfy((rule) -> rule.check(classes));
    }

    private static Stream<Class<?>> violations()
    {
        return Stream.of(BreaksTheRules.class.getDeclaredClasses());
    }

    private static List<ArchRule> rules()
    {
        return List.of(
            ArchitectureRules.noClockOrChance(FIXTURE),
            ArchitectureRules.noBlocking(FIXTURE),
            ArchitectureRules.noSynchronizedMethod(FIXTURE),
            ArchitectureRules.noUnorderedCollection(FIXTURE));
    }
}
