package io.fluxon.engine.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

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
}
