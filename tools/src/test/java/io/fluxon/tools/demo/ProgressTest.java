package io.fluxon.tools.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest
{
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void shouldPrintALineEveryFewSecondsWhereThereIsNoTerminal()
    {
        final Progress progress = new Progress(new PrintStream(bytes, true, UTF_8), false);
        progress.begin("replaying", 1000, 0);
        for (int second = 1; second <= 12; second++)
        {
            progress.update(second * 50, second * SECOND);
        }
        progress.end(1000, 13 * SECOND);

        assertThat(bytes.toString(UTF_8).lines()).containsExactly(
            "replaying: 250 of 1,000 requests, 5 s, 50 a second",
            "replaying: 500 of 1,000 requests, 10 s, 50 a second");
    }

    @Test
    void shouldUpdateOneLineOnATerminal()
    {
        final Progress progress = new Progress(new PrintStream(bytes, true, UTF_8), true);
        progress.begin("replaying", 10, 0);
        progress.update(5, SECOND);
        progress.end(10, 2 * SECOND);
        progress.say("stopping");

        assertThat(bytes.toString(UTF_8)).isEqualTo(
            "\rreplaying: 5 of 10 requests, 1 s, 5 a second\033[K" +
            "\rreplaying: 10 of 10 requests, 2 s, 5 a second\033[K" + System.lineSeparator() +
            "stopping" + System.lineSeparator());
    }
}
