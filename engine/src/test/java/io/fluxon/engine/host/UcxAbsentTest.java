package io.fluxon.engine.host;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class UcxAbsentTest
{
    @TempDir
    Path directory;

    @Test
    void shouldSayWhatToInstallWhenUcxIsAskedForAndIsNotThere() throws Exception
    {
        final Process owner = start("transport: ucx");

        assertThat(owner.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(owner.exitValue()).isEqualTo(ProcessRunner.EXIT_FAILED);
        assertThat(owner.errorReader().lines().filter((line) -> line.startsWith("owner owner-1 ")))
            .singleElement().asString()
            .startsWith("owner owner-1 cannot start: field transport is ucx: UCX cannot be used here: " +
                "install libucp.so.0 (Debian: apt-get install libucx0); ");
        assertThat(HostConfigs.left(directory.resolve("share"))).isEmpty();
    }

    @Test
    void shouldDoWithoutUcxAndSaySoWhenItMay() throws Exception
    {
        final Process owner = start("transport_endpoint: 192.0.2.1:0");
        try
        {
            assertThat(owner.inputReader().readLine()).startsWith("ready owner owner-1 ").doesNotContain("transport=");
            assertThat(owner.errorReader().lines().filter((line) -> line.startsWith("owner ")).findFirst())
                .get().asString().startsWith("owner owner-1: only owners of this host can be read: " +
                    "UCX cannot be used here: install libucp.so.0");
        }
        finally
        {
            owner.destroyForcibly().waitFor();
        }
    }

    /** An owner for whose loader the library is broken, whether it is installed or not. */
    private Process start(final String line) throws Exception
    {
        final Path libraries = Files.createDirectory(directory.resolve("libraries"));
        Files.createFile(libraries.resolve("libucp.so.0"));
        final Path config = Files.writeString(
            directory.resolve("owner.yaml"), HostConfigs.ownerText(directory.resolve("share"), 1, 9) + line + "\n");
        final ProcessBuilder builder = new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "@" + System.getProperty("fluxon.root") + "/config/jvm.flags",
            "-Xmx128m",
            "-cp", System.getProperty("java.class.path"),
            HostMain.class.getName(), "owner", config.toString());
        builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
        return builder.start();
    }
}
