package io.fluxon.engine.host;

import io.fluxon.engine.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(90)
class ProcessRunnerTest
{
    private static final Pattern GENERATION = Pattern.compile("generation=(\\d+)");

    @TempDir
    Path directory;

    private final int port = HostConfigs.NO_MASTER;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Process child;

    @AfterEach
    void killChild() throws InterruptedException
    {
        if (null != child)
        {
            child.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldEndWithACodeAndALastLineWhenAnAgentFails()
    {
        final FakeProcess process = new FakeProcess(new IllegalStateException("broken invariant"));

        assertThat(run(process)).isEqualTo(ProcessRunner.EXIT_FAILED);
        assertThat(out.toString()).isEqualTo("ready fake" + System.lineSeparator());
        assertThat(err.toString()).endsWith(
            "owner x failed: java.lang.IllegalStateException: broken invariant" + System.lineSeparator());
        assertThat(process.isClosed).isTrue();
    }

    @Test
    void shouldSayInOneLineWhyItCannotStart()
    {
        final int code = ProcessRunner.run("owner x", () ->
        {
            throw new ConfigException("owner.yaml", List.of("field a is 1, allowed is 2"));
        }, new PrintStream(out), new PrintStream(err));

        assertThat(code).isEqualTo(ProcessRunner.EXIT_FAILED);
        assertThat(err.toString()).isEqualTo(
            "owner x cannot start: owner.yaml: field a is 1, allowed is 2" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = { "TERM", "INT" })
    void shouldLeaveNothingBehindAfterASignal(final String signal) throws Exception
    {
        final String ready = start();
        assertThat(ready).startsWith("ready owner owner-1 ");
        assertThat(share().resolve("test/owner-1/owner.json")).exists();

        signal(signal);

        assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(ProcessRunner.EXIT_OK);
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    @Test
    @Tag("SLOT-7")
    void shouldTakeANewGenerationAfterItWasKilled() throws Exception
    {
        final long killed = generation(start());
        child.destroyForcibly().waitFor();
        assertThat(segments()).isEqualTo(1);

        try (OwnerProcess owner = OwnerProcess.launch(HostConfigs.owner(share(), 1, port)))
        {
            assertThat(owner.generation()).isGreaterThan(killed);
            assertThat(segments()).isEqualTo(1);
            assertThat(owner.readyLine()).endsWith(" removed_generation=" + killed);
        }
        assertThat(HostConfigs.left(share())).isEmpty();
    }

    private int run(final HostedProcess process)
    {
        return ProcessRunner.run("owner x", () -> process, new PrintStream(out), new PrintStream(err));
    }

    private String start() throws IOException
    {
        final Path config = Files.writeString(
            directory.resolve("owner.yaml"), HostConfigs.ownerText(share(), 1, port));
        // a shell starts its background jobs with SIGINT ignored, which a JVM inherits
        child = new ProcessBuilder(
            "env", "--default-signal=INT",
            ProcessHandle.current().info().command().orElseThrow(),
            "@" + System.getProperty("fluxon.root") + "/config/jvm.flags",
            "-Xmx128m",
            "-cp", System.getProperty("java.class.path"),
            HostMain.class.getName(), "owner", config.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
        String line = child.inputReader().readLine();
        while (null != line && !line.startsWith("ready"))
        {
            line = child.inputReader().readLine();
        }
        return line;
    }

    private void signal(final String name) throws Exception
    {
        new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start().waitFor();
    }

    private long segments() throws IOException
    {
        try (Stream<Path> paths = Files.list(share().resolve("test/owner-1")))
        {
            return paths.filter((path) -> path.toString().endsWith(".segment")).count();
        }
    }

    private static long generation(final String ready)
    {
        final Matcher matcher = GENERATION.matcher(ready);
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private Path share()
    {
        return directory.resolve("share");
    }

    private static final class FakeProcess implements HostedProcess
    {
        private final Throwable failure;
        private boolean isClosed;

        private FakeProcess(final Throwable failure)
        {
            this.failure = failure;
        }

        @Override
        public String readyLine()
        {
            return "ready fake";
        }

        @Override
        public Path directory()
        {
            return Path.of("/");
        }

        @Override
        public Throwable awaitFailure(final long timeoutMs)
        {
            return failure;
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
