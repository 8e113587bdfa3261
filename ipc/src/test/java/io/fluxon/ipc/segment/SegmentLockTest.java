package io.fluxon.ipc.segment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class SegmentLockTest
{
    private static final int RACERS = 2;
    private static final int ROUNDS = 2_000;

    @TempDir
    private Path folder;

    @Test
    void shouldBeHeldByOneOfTwoProcessesThatRace() throws Exception
    {
        final List<Process> racers = new ArrayList<>();
        for (int i = 0; i < RACERS; i++)
        {
            racers.add(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                LockRaceMain.class.getName(), folder.toString(), Integer.toString(ROUNDS))
                .redirectErrorStream(true).redirectOutput(folder.resolve("racer-" + i).toFile()).start());
        }

        for (int i = 0; i < RACERS; i++)
        {
            final Process racer = racers.get(i);
            assertThat(racer.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(folder.resolve("racer-" + i)).isEmptyFile();
            assertThat(racer.exitValue()).isZero();
        }
    }
}
