package io.fluxon.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest
{
    private static final String GOOD =
        "{\"timestamp\": 0, \"input_length\": 10, \"output_length\": 5, \"hash_ids\": [0, 1, 2]}";
    private static final String GOOD_TOO =
        "{\"timestamp\": 3000, \"input_length\": 7.5, \"output_length\": 0, \"hash_ids\": [0, 9223372036854775807]}";

    @TempDir
    private Path directory;

    @Test
    void shouldReadRequestsInOrder() throws IOException
    {
        final Trace trace = TraceReader.read(file(GOOD + "\n" + GOOD_TOO + "\n"), Integer.MAX_VALUE);

        assertThat(trace.requestCount()).isEqualTo(2);
        assertThat(trace.blockReferences()).isEqualTo(5);
        assertThat(trace.maxBlocksOfRequest()).isEqualTo(3);
        assertThat(trace.timestampMs(1)).isEqualTo(3000);
        assertThat(trace.blockCount(1)).isEqualTo(2);
        assertThat(trace.blockId(0, 2)).isEqualTo(2);
        assertThat(trace.blockId(1, 1)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> trace.blockId(0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldStopAtTheLimit() throws IOException
    {
        assertThat(TraceReader.read(file(GOOD + "\n" + GOOD_TOO + "\nrubbish"), 2).requestCount()).isEqualTo(2);
        assertThat(TraceReader.read(file(GOOD + "\n" + GOOD_TOO), 1).requestCount()).isEqualTo(1);
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        final Trace written = SessionWorkload.generate(50, 7);
        final Path file = directory.resolve("written.jsonl");
        TraceWriter.write(written, file);

        final Trace read = TraceReader.read(file, Integer.MAX_VALUE);

        assertThat(read.requestCount()).isEqualTo(50);
        assertThat(read.blockReferences()).isEqualTo(written.blockReferences());
        assertThat(read.blockId(49, 3)).isEqualTo(written.blockId(49, 3));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"timestamp\": 0, \"input_length\": 10, \"output_length\": 5}|field hash_ids is missing",
        "{\"input_length\": 10, \"output_length\": 5, \"hash_ids\": [1]}|field timestamp is missing",
        "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": []}|hash_ids is empty",
        "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": 7}|hash_ids must be an array",
        "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": [1, -2]}|hash_ids[1] must be",
        "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": [1.5]}|hash_ids[0] must be",
        "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": [9223372036854775808]}|2^63-1",
        "{\"timestamp\": -1, \"input_length\": 1, \"output_length\": 5, \"hash_ids\": [1]}|timestamp must be a number",
        "{\"timestamp\": 0, \"input_length\": \"1\", \"output_length\": 5, \"hash_ids\": [1]}|input_length must be",
        "{\"timestamp\": 0, \"size\": 1, \"output_length\": 5, \"hash_ids\": [1]}|unknown field \"size\"",
        "{\"timestamp\": 0, \"timestamp\": 1, \"output_length\": 5, \"hash_ids\": [1]}|not valid JSON: Duplicate",
        "{\"timestamp\": 0, |not valid JSON",
        "[1, 2]|expected a JSON object",
        "rubbish|not valid JSON",
    })
    void shouldNameTheLineWhenItIsWrong(final String line, final String message) throws IOException
    {
        final Path file = file(GOOD + "\n" + line + "\n");

        assertThatThrownBy(() -> TraceReader.read(file, Integer.MAX_VALUE))
            .isInstanceOf(TraceException.class)
            .hasMessageContaining(file + ":2: ")
            .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseTwoRequestsInOneLineAndOneRequestInTwo() throws IOException
    {
        final Path together = file(GOOD + GOOD_TOO);
        assertThatThrownBy(() -> TraceReader.read(together, Integer.MAX_VALUE))
            .hasMessageContaining(":1: more than one request in the line");

        final Path apart = file(GOOD + "\n" + GOOD.replace("\"output", "\n\"output"));
        assertThatThrownBy(() -> TraceReader.read(apart, Integer.MAX_VALUE))
            .hasMessageContaining(":2: the request does not end in its line");
    }

    @Test
    void shouldSayPlainlyWhenThereIsNothingToRead() throws IOException
    {
        final Path empty = file("\n\n");
        assertThatThrownBy(() -> TraceReader.read(empty, 1)).hasMessage(empty + ": holds no request");

        final Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> TraceReader.read(missing, 1)).hasMessage(missing + ": no such file");
        assertThatThrownBy(() -> TraceReader.read(directory, 1)).hasMessage(directory + ": not a regular file");
    }

    private Path file(final String content) throws IOException
    {
        return Files.writeString(directory.resolve("trace.jsonl"), content);
    }
}
