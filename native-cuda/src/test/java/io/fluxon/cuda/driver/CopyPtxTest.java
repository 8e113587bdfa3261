package io.fluxon.cuda.driver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class CopyPtxTest
{
    private static final String BUILT_WITH = "Cuda compilation tools, release 13.0,";
    private static final Path ROOT = Path.of(System.getProperty("fluxon.root"));

    @Test
    void shouldBeBuiltFromTheSourceBesideIt(@TempDir final Path folder) throws Exception
    {
        final Path built = folder.resolve("copy.ptx");
        final String nvcc = nvcc();
        assumeTrue(null != nvcc, "no nvcc here");
        final Process process = new ProcessBuilder("bash", ROOT.resolve("scripts/ptx").toString(), built.toString())
            .redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        final String fresh = Files.readString(built);
        assumeTrue(fresh.contains(BUILT_WITH), nvcc + " is not of CUDA 13.0");

        assertThat(code(CudaModule.copyPtx())).isEqualTo(code(fresh));
    }

    @Test
    void shouldHoldBothKernelsForDevicesOfComputeCapability80AndLater()
    {
        assertThat(CudaModule.copyPtx()).contains(
            ".target sm_80", ".visible .entry fluxon_copy(", ".visible .entry fluxon_copy_batch(");
    }

    private static List<String> code(final String ptx)
    {
        return ptx.lines().filter((line) -> !line.startsWith("//")).toList();
    }

    private static String nvcc()
    {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/local/cuda/bin"))
            .map((folder) -> folder + "/nvcc")
            .filter((file) -> Files.isExecutable(Path.of(file)))
            .findFirst()
            .orElse(null);
    }
}
