package io.fluxon.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedProcessTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldKeepTheLogOfAProcessThatEnds()
    {
        final ManagedProcess process =
            ManagedProcess.start("shell", List.of("sh", "-c", "echo trouble >&2; exit 3"), log(), false);

        assertThat(process.awaitEnd(10_000)).isTrue();
        assertThat(process.exitCode()).isEqualTo(3);
        assertThat(process.logTail()).isEqualTo("  | trouble\n");
    }

    @Test
    void shouldKillAProcess()
    {
        final ManagedProcess process = ManagedProcess.start("sleeper", List.of("sleep", "60"), log(), false);
        assertThat(process.isAlive()).isTrue();

        process.kill();

        assertThat(process.isAlive()).isFalse();
        assertThat(process.exitCode()).isEqualTo(128 + 9);
    }

    @Test
    void shouldSayWhatCannotBeStarted()
    {
        assertThatThrownBy(() -> ManagedProcess.start("nothing", List.of("/no/such/program"), log(), false))
            .isInstanceOf(ClusterException.class)
            .hasMessageContaining("cannot start nothing");
    }

    @Test
    void shouldStartFurtherProcessesWithTheFlagsOfThisOne()
    {
        final List<String> command = JavaCommand.of(64, List.of("version"));

        assertThat(command.getFirst()).endsWith("/bin/java");
        assertThat(command).contains("-Xmx64m", "io.fluxon.tools.FluxonCli", "version");
        assertThat(command.stream().filter(word -> word.startsWith("-Xmx"))).hasSize(1);
    }

    @Test
    void shouldRemoveItsDirectoryAndWhatAnotherLeftBehind() throws Exception
    {
        final WorkDirectory work = WorkDirectory.create();
        final Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        final Path abandoned = work.path().resolveSibling("fluxon-demo-" + ended.pid() + "-test");
        Files.createDirectories(abandoned.resolve("share"));
        Files.createDirectories(work.path().resolve("share/demo"));
        Files.writeString(work.path().resolve("share/demo/file"), "x");

        WorkDirectory.create().close();
        assertThat(abandoned).doesNotExist();
        assertThat(work.path()).exists();

        work.close();
        work.close();
        assertThat(work.path()).doesNotExist();
    }

    private Path log()
    {
        return directory.resolve("log");
    }
}
