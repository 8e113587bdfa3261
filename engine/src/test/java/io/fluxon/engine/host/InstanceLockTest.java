package io.fluxon.engine.host;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class InstanceLockTest
{
    @TempDir
    Path directory;

    @Test
    void shouldRefuseASecondProcessAndNameTheFirst() throws Exception
    {
        final Path path = directory.resolve("master.lock");
        try (InstanceLock lock = InstanceLock.acquire(path, 100))
        {
            assertThat(lock.stamp()).isEqualTo(100);
            assertThatThrownBy(() -> InstanceLock.acquire(path, 200))
                .isInstanceOf(HostException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("pid " + ProcessHandle.current().pid());
        }
        InstanceLock.acquire(path, 300).close();
        try (InstanceLock lock = InstanceLock.acquire(path, 200))
        {
            assertThat(lock.stamp()).isEqualTo(301);
        }
    }

    @Test
    void shouldGiveAGreaterStampThanTheProcessThatDied() throws Exception
    {
        final Path path = directory.resolve("master.lock");
        Files.writeString(path, "pid 1 stamp 5000\n");

        try (InstanceLock lock = InstanceLock.acquire(path, 100))
        {
            assertThat(lock.stamp()).isEqualTo(5001);
            assertThat(path).hasContent("pid " + ProcessHandle.current().pid() + " stamp 5001\n");
        }
    }

    @Test
    void shouldNotMindALockFileOfAnotherForm() throws Exception
    {
        final Path path = directory.resolve("master.lock");
        Files.writeString(path, "");

        try (InstanceLock lock = InstanceLock.acquire(path, 100))
        {
            assertThat(lock.stamp()).isEqualTo(100);
        }
    }

    @Test
    @Tag("API-8")
    void shouldGiveEachOfTwoProcessesThatRaceAStampOfItsOwn() throws Exception
    {
        final int rounds = 2_000;
        final Path path = directory.resolve("owner.generation");
        final List<Process> racers = List.of(startRacer(path, rounds, "a"), startRacer(path, rounds, "b"));

        final List<String> stamps = new ArrayList<>();
        for (final Process racer : racers)
        {
            assertThat(racer.waitFor(120, TimeUnit.SECONDS)).isTrue();
            racer.destroyForcibly();
        }
        for (final String name : List.of("a", "b"))
        {
            assertThat(directory.resolve(name + ".err")).isEmptyFile();
            stamps.addAll(Files.readAllLines(directory.resolve(name)));
        }

        assertThat(stamps).containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 2 * rounds).mapToObj(Integer::toString).toList());
    }

    private Process startRacer(final Path path, final int rounds, final String name) throws Exception
    {
        return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), LockRaceMain.class.getName(), path.toString(),
            Integer.toString(rounds))
            .redirectOutput(directory.resolve(name).toFile())
            .redirectError(directory.resolve(name + ".err").toFile())
            .start();
    }
}
