package io.fluxon.engine.host;

import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessHostTest
{
    @TempDir
    Path directory;

    @Test
    void shouldCloseInReverseOrderWhateverFails()
    {
        final List<String> closed = new ArrayList<>();
        final ProcessHost host = new ProcessHost();
        host.own(() -> closed.add("first"));
        host.own(() ->
        {
            closed.add("second");
            throw new IllegalStateException("planned");
        });
        host.own(() -> closed.add("third"));

        host.close();
        host.close();

        assertThat(closed).containsExactly("third", "second", "first");
    }

    @Test
    void shouldRemoveItsDirectoriesButNotThoseThatOthersUse() throws Exception
    {
        final Path used = Files.createDirectories(directory.resolve("share/cluster/other"));
        final ProcessHost host = new ProcessHost();
        host.createDirectory(directory.resolve("share/cluster/own"));
        host.createDirectory(directory.resolve("a/b/c/d"));
        final Path usersOwn = Files.createDirectories(directory.resolve("of-the-user/cluster"));
        host.createDirectory(usersOwn.resolve("own"));
        host.close();

        assertThat(usersOwn).isEmptyDirectory();

        assertThat(used).exists();
        assertThat(directory.resolve("share/cluster/own")).doesNotExist();
        assertThat(directory.resolve("a")).doesNotExist();
    }

    @Test
    @Tag("SLOT-2")
    @Timeout(10)
    void shouldStopAnAgentAtItsFirstExceptionAndTellTheFailure() throws Exception
    {
        final AtomicInteger cycles = new AtomicInteger();
        final ProcessHost host = new ProcessHost();
        final CountersFile file = host.openCounters("test", directory, null);
        host.start(new Agent()
        {
            @Override
            public int doWork()
            {
                cycles.incrementAndGet();
                throw new IllegalStateException("planned");
            }

            @Override
            public String roleName()
            {
                return "test";
            }
        }, new SleepingMillisIdleStrategy(1));

        assertThat(host.awaitFailure(5_000)).hasMessage("planned");
        Thread.sleep(20);
        assertThat(cycles).hasValue(1);
        final List<String> errors = new ArrayList<>();
        try (CountersView view = CountersFile.map(file.path()))
        {
            view.readErrors((count, first, last, text) -> errors.add(text), 0);
        }
        assertThat(errors).hasSize(1).first().asString().contains("planned");
        host.close();
        assertThat(file.path()).doesNotExist();
    }

    @Test
    void shouldKeepCountersThatHaveADirectoryOfTheirOwn()
    {
        final ProcessHost host = new ProcessHost();
        final CountersFile file = host.openCounters("test", directory, directory.resolve("counters"));
        host.close();

        assertThat(file.path()).exists();
    }
}
