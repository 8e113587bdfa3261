package io.fluxon.tools.trace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SessionReaderTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldMergeSessionsByTimeWithBlocksOfTheirOwn() throws IOException
    {
        write("a.json", "{\"t\": 0, \"hash_ids\": [1, 2]}, {\"t\": 500.5, \"hash_ids\": [1, 2, 3]}");
        write("b.json", "{\"t\": 0, \"hash_ids\": [1]}, {\"t\": 1, \"hash_ids\": []}");

        final Trace trace = SessionReader.read(folder, 100, 1);

        assertThat(trace.requestCount()).isEqualTo(3);
        assertThat(trace.blockReferences()).isEqualTo(6);
        assertThat(trace.timestampMs(2)).isBetween(500_500L, 600_500L);
        assertThat(trace.timestampMs(1)).isBetween(trace.timestampMs(0), 100_000L);
        assertThat(trace.blockId(2, 0)).isNotEqualTo(5).isEqualTo(1);
        assertThat(trace.blockId(2, 2)).isEqualTo(3);
    }

    @Test
    void shouldStartSessionsAtTheSameTimesWhenTheSeedIsTheSame() throws IOException
    {
        write("a.json", "{\"t\": 0, \"hash_ids\": [1]}");

        assertThat(SessionReader.read(folder, 1000, 5).timestampMs(0))
            .isEqualTo(SessionReader.read(folder, 1000, 5).timestampMs(0))
            .isNotEqualTo(SessionReader.read(folder, 1000, 6).timestampMs(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"hash_ids\": [1]}               | requests[0]: t must be a number that is at least 0",
        "{\"t\": -1, \"hash_ids\": [1]}    | requests[0]: t must be a number that is at least 0",
        "{\"t\": 1}                        | requests[0]: hash_ids must be an array",
        "{\"t\": 1, \"hash_ids\": [0, -1]} | requests[0]: hash_ids[1] must be an integer from 0 to 2^31-1",
        "{\"t\": 1                         | not valid JSON",
    })
    void shouldNameTheFileAndTheFieldWhenASessionIsBad(final String request, final String message) throws IOException
    {
        write("bad.json", request);

        assertThatThrownBy(() -> SessionReader.read(folder, 0, 1))
            .isInstanceOf(TraceException.class)
            .hasMessageContaining("bad.json: ")
            .hasMessageContaining(message);
    }

    @Test
    void shouldSayThatThereIsNoSessionWhenTheFolderIsEmpty()
    {
        assertThatThrownBy(() -> SessionReader.read(folder, 0, 1)).hasMessageContaining("holds no file *.json");
    }

    private void write(final String name, final String requests) throws IOException
    {
        Files.writeString(folder.resolve(name), "{\"block_size\": 64, \"requests\": [" + requests + "]}");
    }
}
