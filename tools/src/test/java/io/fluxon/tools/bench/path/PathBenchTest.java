package io.fluxon.tools.bench.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.tools.cluster.ClusterException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.OutputStream;
import java.io.PrintStream;

@Timeout(120)
class PathBenchTest
{
    private static final long MEBIBYTE = 1L << 20;
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @Test
    void shouldMeasureEveryStageBesideTheBareCopyAndCompareWhatCameBack()
    {
        final PathReport report = PathBench.run(settings(128 * MEBIBYTE), NOWHERE);

        assertThat(report.runs()).isEqualTo(5);
        assertThat(report.compared()).isEqualTo(8);
        assertThat(report.backup().stages()).containsExactly(PathReport.COPY, PathReport.PATH, PathReport.PUT_START,
            PathReport.BACKUP, PathReport.LOCAL, PathReport.GLOBAL);
        assertThat(report.restore().stages()).containsExactly(PathReport.COPY, PathReport.PATH, PathReport.GET_START,
            PathReport.GET_TRANSFER, PathReport.RESTORE);
        for (final PathTimes times : new PathTimes[]{report.backup(), report.restore()})
        {
            assertThat(times.stages()).allSatisfy((stage) -> assertThat(times.micros(stage, 0)).isPositive());
            assertThat(times.micros(PathReport.PATH, 1)).isGreaterThan(times.micros(PathReport.COPY, 0));
        }
        assertThat(report.text())
            .contains("8 pages of 4096 bytes", "above the copy: ", "8 pages came back bit for bit");
    }

    @Test
    void shouldSayWhatIsTooSmallWhenThereIsNoRoomForOneBatch()
    {
        final PathBenchSettings large = new PathBenchSettings(
            CopyPlace.HOST, 64, 36, 65536, 5, 20, 128 * MEBIBYTE, IdleStrategies.BACKOFF);

        assertThatThrownBy(() -> PathBench.run(large, NOWHERE))
            .isInstanceOf(ClusterException.class).hasMessageContaining("--segment-bytes");
    }

    @Test
    void shouldTakeTheMedianOfDifferencesOfTheSameRun()
    {
        final PathTimes times = new PathTimes(3);
        final long[] copies = {1_000, 9_000, 5_000};
        for (int i = 0; i < 3; i++)
        {
            times.put("copy", i, copies[i]);
            times.put("path", i, copies[i] + 1_000 * (i + 1));
        }
        times.put("path", -1, 77);

        assertThat(times.medianDifference("path", "copy")).isEqualTo(2.0);
        assertThat(times.micros("copy", 0.5)).isEqualTo(5.0);
        assertThat(times.micros("copy", 1)).isEqualTo(9.0);
    }

    private static PathBenchSettings settings(final long segmentBytes)
    {
        return new PathBenchSettings(CopyPlace.HOST, 8, 4, 512, 5, 20, segmentBytes, IdleStrategies.BACKOFF);
    }
}
