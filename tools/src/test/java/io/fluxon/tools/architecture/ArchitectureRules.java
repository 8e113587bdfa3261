package io.fluxon.tools.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Predicate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

/**
 * The rules, each for the packages it is asked for, so that they can be shown to find what they look for.
 */
final class ArchitectureRules
{
    private static final Set<String> CLOCKS_AND_CHANCE = Set.of(
        "java.lang.System.nanoTime",
        "java.lang.System.currentTimeMillis",
        "java.lang.System.identityHashCode",
        "java.time.Instant.now",
        "java.time.Clock.system",
        "java.time.Clock.systemUTC",
        "java.time.Clock.systemDefaultZone",
        "java.time.Clock.tickMillis",
        "java.time.Clock.tickSeconds",
        "java.time.Clock.tickMinutes",
        "java.util.Date.<init>",
        "java.util.random.RandomGenerator.of",
        "java.util.random.RandomGenerator.getDefault",
        "java.lang.Math.random",
        "java.util.UUID.randomUUID");

    private static final Set<String> UNORDERED_FACTORIES = Set.of(
        "java.util.Map.of",
        "java.util.Map.ofEntries",
        "java.util.Map.copyOf",
        "java.util.Set.of",
        "java.util.Set.copyOf",
        "java.util.stream.Collectors.toMap",
        "java.util.stream.Collectors.toSet",
        "java.util.stream.Collectors.groupingBy");

    private static final Set<String> WAITS = Set.of(
        "java.lang.Object.wait",
        "java.lang.Object.notify",
        "java.lang.Object.notifyAll");

    private static final Set<String> UNORDERED_COLLECTIONS = Set.of(
        "java.util.HashMap",
        "java.util.HashSet",
        "java.util.IdentityHashMap",
        "java.util.WeakHashMap",
        "java.util.concurrent.ConcurrentHashMap");

    private static final Set<String> WAITERS = Set.of(
        "java.lang.ProcessHandle",
        "java.util.concurrent.CountDownLatch",
        "java.util.concurrent.CyclicBarrier",
        "java.util.concurrent.Phaser",
        "java.util.concurrent.Exchanger",
        "java.util.concurrent.Semaphore",
        "java.util.concurrent.Executors");

    private ArchitectureRules()
    {
    }

    /**
     * Classes of one set of packages know nothing of another.
     */
    static ArchRule doesNotSee(final String from, final String... hidden)
    {
        return noClasses().that().resideInAPackage(from)
            .should().dependOnClassesThat().resideInAnyPackage(hidden)
            .allowEmptyShould(true);
    }

    /**
     * A set of packages is used by itself and by one other.
     */
    static ArchRule onlySeenBy(final String hidden, final String user)
    {
        return noClasses().that().resideOutsideOfPackages(hidden, user)
            .should().dependOnClassesThat().resideInAPackage(hidden)
            .allowEmptyShould(true);
    }

    /**
     * Time and chance come from outside.
     */
    static ArchRule noClockOrChance(final String... cores)
    {
        return noClasses().that().resideInAnyPackage(cores)
            .should().accessTargetWhere(names(CLOCKS_AND_CHANCE))
            .orShould().callConstructor(Random.class)
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.security.SecureRandom")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.SplittableRandom")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.random.RandomGeneratorFactory")
            .orShould().dependOnClassesThat().haveNameMatching("org\\.agrona\\.concurrent\\.System.*Clock")
            .allowEmptyShould(true);
    }

    /**
     * Nothing blocks, sleeps, locks, starts a thread or does I/O.
     */
    static ArchRule noBlocking(final String... cores)
    {
        return noClasses().that().resideInAnyPackage(cores)
            .should().dependOnClassesThat().areAssignableTo(Thread.class)
            .orShould().accessTargetWhere(names(WAITS))
            .orShould().dependOnClassesThat(describe(
                "belong to locks, waits, executors, processes, files, sockets or Aeron", ArchitectureRules::isOutside))
            .allowEmptyShould(true);
    }

    /**
     * Cores run on one thread: a synchronized method has no place there.
     */
    static ArchRule noSynchronizedMethod(final String... cores)
    {
        return noMethods().that().areDeclaredInClassesThat().resideInAnyPackage(cores)
            .should().haveModifier(JavaModifier.SYNCHRONIZED)
            .allowEmptyShould(true);
    }

    /**
     * Collections whose order differs from run to run or from JVM to JVM.
     */
    static ArchRule noUnorderedCollection(final String... cores)
    {
        return noClasses().that().resideInAnyPackage(cores)
            .should().dependOnClassesThat(describe(
                "have no stable order", (type) -> UNORDERED_COLLECTIONS.contains(type.getName())))
            .orShould().accessTargetWhere(names(UNORDERED_FACTORIES))
            .allowEmptyShould(true);
    }

    private static boolean isOutside(final JavaClass type)
    {
        final String name = type.getPackageName();
        return name.startsWith("java.util.concurrent.locks") ||
            type.isAssignableTo(Executor.class) ||
            type.isAssignableTo(BlockingQueue.class) ||
            type.isAssignableTo(Future.class) ||
            WAITERS.contains(type.getName()) ||
            ("java.io".equals(name) && !"java.io.Serializable".equals(type.getName())) ||
            name.startsWith("java.nio.file") ||
            name.startsWith("java.nio.channels") ||
            "java.net".equals(name) || name.startsWith("java.net.") ||
            "io.aeron".equals(name) || name.startsWith("io.aeron.");
    }

    private static DescribedPredicate<JavaAccess<?>> names(final Set<String> names)
    {
        return describe("target is one of " + names, (access) ->
            names.contains(access.getTargetOwner().getName() + "." + access.getTarget().getName()) ||
                names.contains("java.lang.Object." + access.getTarget().getName()));
    }

    private static <T> DescribedPredicate<T> describe(
        final String description, final Predicate<? super T> predicate)
    {
        return DescribedPredicate.describe(description, predicate);
    }
}
