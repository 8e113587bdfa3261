package io.fluxon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FluxonCliTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "|missing: a command",
        "nothing|Unmatched argument",
        "demo --requests 0|--requests must be from 1 to",
        "demo --requests x|'x' is not an int",
        "demo --page-bytes 0|--page-bytes must be from 1 to 536870912, is 0",
        "demo --page-bytes 513MiB|--page-bytes must be from 1 to",
        "demo --page-bytes 4TB|'4TB' is not a number of bytes, KiB, MiB or GiB",
        "demo --page-bytes 9GiB|--page-bytes must be from 1 to",
        "demo --page-bytes 99999999999GiB|'99999999999GiB' is too large",
        "demo --group-blocks 0|--group-blocks must be from 1 to",
        "demo --trace /no/such/file|--trace: /no/such/file: no such file",
        "demo --json /no/such/folder/file|--json: /no/such/folder/file cannot be written",
        "demo --owners gpu=0|--owners: gpu must be from 1 to 16, is 0",
        "demo --owners cpu=1|--owners: unknown role 'cpu', known are gpu and remote_cache",
        "demo --owners gpu=x|'x' is not an int",
        "demo --owners remote_cache=1|--owners: gpu must be from 1 to 16, is 0",
        "demo --workers-per-owner 0|--workers-per-owner must be from 1 to 16, is 0",
        "demo --delay-master-ms 0|--delay-master-ms must be from 1 to 10000, is 0",
        "demo --chaos network|Invalid value for option '--chaos'",
        "demo --chaos worker --self-check|exclude each other",
        "demo --pressure --self-check|exclude each other",
        "demo --pressure --hosts 2|--pressure excludes",
        "demo --seconds 5|--seconds needs --pressure",
        "demo --pressure --seconds 0|--seconds must be from 1 to",
        "demo --pressure --gpu-bytes 100MiB|--gpu-bytes must be a multiple of --quantum-bytes",
        "demo --chaos owner --owners gpu=1|--chaos needs a survivor",
        "demo --hosts 0|--hosts must be from 1 to 16, is 0",
        "demo --hosts 2 --loss 100|--loss must be from 0 to below 1, or from 1 to 99 per cent, is 100.0",
        "demo --hosts 2 --loss -0.1|--loss must be from 0 to below 1, or from 1 to 99 per cent, is -0.1",
        "demo --chaos cut-owner|--chaos cut-owner needs --hosts",
        "demo --loss 0.05|--loss needs --hosts",
        "demo --hosts 2 --self-check|--hosts excludes --delay-master-ms and --self-check",
        "bench-master --keys 0|--keys is 0, allowed is 1 to 100000000",
        "bench-master --batch 1,4097|--batch is 4097, allowed is 1 to 4096",
        "bench-master --clients 33|--clients is 33, allowed is 1 to 32",
        "bench-master --window 0|--window is 0, allowed is 1 to 64",
        "bench-master --seconds 0|--seconds is 0.0, allowed is 0.1 to 3600.0",
        "bench-master --mtu 1023|--mtu is 1023, allowed is 1024 to 65504",
        "bench-master --mtu 1040|--mtu is 1040, allowed is a multiple of 32",
        "bench-master --idle sleep|Invalid value for option '--idle'",
        "bench-path --pages 0|--pages must be from 1 to 1024, is 0",
        "bench-path --fragment-bytes 12|--fragment-bytes must be a multiple of 8, is 12",
        "bench-path --segment-bytes 1MiB|--segment-bytes must be from 134217728 to",
        "bench-path --idle never|--idle: idle strategy 'never' is not known",
        "bench-policy --trace x|Missing required option: '--capacities=N",
        "replay|Missing required option: '--owner=DIR'",
        "replay --owner /no/such/folder|--owner: /no/such/folder is not a directory that can be read",
        "replay --owner /tmp --key-prefix a:b|--key-prefix is 1 to 64",
        "replay --owner /tmp --workers 0|--workers must be from 1 to 256",
        "stat|Missing required parameter: 'PATH'",
        "stat /no/such/path|/no/such/path: no such file or directory",
        "stat /dev/shm/ --watch 0|--watch must be at least 1",
        "errors /no/such/path|/no/such/path: no such file or directory",
        "inspect|missing: key, slot, grant or cohort",
        "inspect key|Missing required parameters: 'PATH', 'KEY'",
        "inspect key /no/such/path k|/no/such/path: no such directory",
        "inspect slot /no/such/path 0 x|'x' is not an int",
        "inspect grant /proc/self/attr 0|/proc/self/attr: holds no owner that is ready",
        "config|missing: check",
        "master|Missing required option: '--config=FILE'",
        "owner --config x --nothing|Unknown option: '--nothing'",
    })
    void shouldRefuseWrongUsageWithCodeTwo(final String arguments, final String message)
    {
        final StringWriter err = new StringWriter();
        final int code = execute(err, null == arguments ? new String[0] : arguments.split(" "));

        assertThat(err.toString()).contains(message);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void shouldRefuseFilesThatAreNoCountersFiles() throws IOException
    {
        final StringWriter err = new StringWriter();
        assertThat(execute(err, "stat", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(directory + ": holds no counters file");

        final Path file = Files.writeString(directory.resolve("x.cnc"), "rubbish");
        assertThat(execute(err, "stat", file.toString())).isEqualTo(2);
        assertThat(execute(err, "errors", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file.toString());
    }

    @Test
    void shouldCheckConfigurations() throws IOException
    {
        final Path bad = Files.writeString(directory.resolve("bad.yaml"), "owner_id: 1\ninstance_keys: x\n");

        assertThat(execute(new StringWriter(), "config", "check", bad.toString())).isEqualTo(1);
        assertThat(execute(new StringWriter(), "config", "check", directory.resolve("none").toString())).isEqualTo(1);
        for (final String example : new String[]{ "master.yaml", "owner-gpu.yaml", "owner-remote-cache.yaml" })
        {
            final Path file = Path.of(System.getProperty("fluxon.root"), "config", "examples", example);
            assertThat(execute(new StringWriter(), "config", "check", file.toString())).isZero();
        }
    }

    @Test
    void shouldReadSizes()
    {
        assertThat(new ByteSize().convert("4096")).isEqualTo(4096);
        assertThat(new ByteSize().convert("64KiB")).isEqualTo(65_536);
        assertThat(new ByteSize().convert("2 mib")).isEqualTo(2 << 20);
        assertThat(new ByteSize().convert("7B")).isEqualTo(7);
        assertThat(new ByteSize().convert("1GiB")).isEqualTo(1 << 30);
    }

    private static int execute(final StringWriter err, final String... arguments)
    {
        final CommandLine command = FluxonCli.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
