package io.fluxon.cuda.gpu;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The device's path, kernels included, without a device: a library in the place of libcuda.so.1 runs them on the host,
 * its streams late and in random order. Needs g++.
 */
class FakeDeviceTest
{
    private static final Path ROOT = Path.of(System.getProperty("fluxon.root"));
    private static final Path GPP = Path.of("/usr/bin/g++");

    @TempDir
    static Path folder;

    @BeforeAll
    static void build() throws Exception
    {
        assumeTrue(Files.isExecutable(GPP), "no g++ here");
        final Path module = ROOT.resolve("native-cuda/src");
        final String output = run(List.of(GPP.toString(), "-std=c++17", "-O2", "-shared", "-fPIC", "-w", "-I",
            module.resolve("main/cuda").toString(), "-o", folder.resolve("libcuda.so.1").toString(),
            module.resolve("test/native/fake_cuda.cpp").toString()), Map.of());
        assertThat(output).isEmpty();
    }

    @Test
    void shouldCopyBitForBitLikeTheTwinWhateverTheOrderOfTheStreams() throws Exception
    {
        assertThat(run(java("io.fluxon.cuda.gpu.GpuTest", "quick"), Map.of("FAKE_CUDA_SEED", "2")))
            .contains("device fake device", " passed, 0 failed");
    }

    @Test
    @Tag("REG-1")
    void shouldFailAtOnceAndKeepNothingRegisteredWhenTheSecondPartOfASegmentIsRefused() throws Exception
    {
        assertThat(run(java(RegistrationMain.class.getName()), Map.of("FAKE_CUDA_REFUSED", "2"))).isEqualTo(
            "segment test of generation 7, 1073741824 bytes at offset 4096 of 2147487744: " +
                "cuMemHostRegister failed: CUDA_ERROR_OUT_OF_MEMORY (2)\n" +
                "0 segments registered\nregistered\n0 segments registered\n");
    }

    @Test
    @Tag("REG-1")
    void shouldKeepNothingWhenTheDeviceHasNoMemoryForASecondLane() throws Exception
    {
        assertThat(run(java(RegistrationMain.class.getName()),
            Map.of("FAKE_CUDA_NO_MEMORY", "2", "FAKE_CUDA_LEFT", "1"))).isEqualTo(
            "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2)\n0 segments registered\nregistered\n" +
                "0 segments registered\n" +
                "left: 0 streams, 0 events, 0 modules, 0 allocations, 0 registrations\n");
    }

    @Test
    void shouldCopyForAClientAfterItsEventsWhateverContextItsThreadsHave() throws Exception
    {
        final Path directory = Files.createDirectories(folder.resolve("owner"));
        assertThat(run(java(ClientMain.class.getName(), directory.toString()), Map.of("FAKE_CUDA_LEFT", "1"))).contains(
            "backup STAGED right\n", "restore STAGED right\n", "restore STAGED by layer right\n",
            "backup KERNEL right\n", "restore KERNEL right\n", "restore KERNEL by layer right\n",
            "backup DMA right\n", "restore DMA right\n", "restore DMA by layer right\n",
            "left: 0 streams, 0 events, 0 modules, 0 allocations, 0 registrations\n");
    }

    private static List<String> java(final String... program)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "@" + ROOT.resolve("config/jvm.flags"), "-Xmx512m",
            "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.addAll(List.of(program));
        return command;
    }

    private static String run(final List<String> command, final Map<String, String> environment) throws Exception
    {
        final Path log = folder.resolve("log");
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(log.toFile());
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        builder.environment().putAll(environment);
        final Process process = builder.start();
        final boolean hasEnded = process.waitFor(5, TimeUnit.MINUTES);
        if (!hasEnded)
        {
            process.destroyForcibly().waitFor();
        }
        final String output = Files.readString(log);
        assertThat(hasEnded).as("%s has not ended: %s", command.getLast(), output).isTrue();
        assertThat(process.exitValue()).as("exit status of %s: %s", command.getLast(), output).isZero();
        return output;
    }
}
