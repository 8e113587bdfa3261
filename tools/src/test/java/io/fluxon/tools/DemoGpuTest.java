package io.fluxon.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fluxon.cuda.driver.CudaLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code fluxon demo --gpu} without a GPU: on the library that takes the place of libcuda.so.1 in the tests of module
 * native-cuda, and without any. Needs g++ for the first.
 */
@Timeout(300)
class DemoGpuTest
{
    private static final Path ROOT = Path.of(System.getProperty("fluxon.root"));
    private static final Path GPP = Path.of("/usr/bin/g++");

    @TempDir
    private Path folder;

    @Test
    @Tag("REG-1")
    void shouldBringEveryPageBackRightWhenWorkersCopyByADevice() throws Exception
    {
        assumeTrue(Files.isExecutable(GPP), "no g++ here");
        final Path module = ROOT.resolve("native-cuda/src");
        run(List.of(GPP.toString(), "-std=c++17", "-O2", "-shared", "-fPIC", "-w", "-I",
            module.resolve("main/cuda").toString(), "-o", folder.resolve("libcuda.so.1").toString(),
            module.resolve("test/native/fake_cuda.cpp").toString()));

        assertThat(run(demo("--requests", "60", "--owners", "gpu=1", "--page-bytes", "4096")))
            .contains("60 requests", "PASSED").contains("restore  ", "backup  ");
    }

    @Test
    void shouldSayInOneLineWhatIsMissingWhenThereIsNoDevice() throws Exception
    {
        assumeTrue(null != CudaLibrary.problem(), "there is a device here");

        assertThat(run(demo())).startsWith("--gpu: there is no GPU to copy with: ").endsWith("exit code 1")
            .hasLineCount(2);
    }

    private static List<String> demo(final String... options)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "@" + ROOT.resolve("config/jvm.flags"), "-Xmx256m", "-Dfluxon.log.level=WARN",
            "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            FluxonCli.class.getName(), "demo", "--gpu"));
        command.addAll(List.of(options));
        return command;
    }

    private String run(final List<String> command) throws Exception
    {
        final Path log = folder.resolve("log");
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(log.toFile());
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        final Process process = builder.start();
        if (!process.waitFor(2, TimeUnit.MINUTES))
        {
            process.destroyForcibly();
        }
        return Files.readString(log) + "exit code " + process.waitFor();
    }
}
