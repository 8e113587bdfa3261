package io.fluxon.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CleanupTest
{
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldCloseTheLastFirstAndOnlyOnce()
    {
        final Cleanup cleanup = new Cleanup();
        cleanup.add(() -> closed.add("directory"));
        cleanup.add(() -> closed.add("cluster"));
        cleanup.close();
        cleanup.add(() -> closed.add("late"));

        assertThat(closed).containsExactly("cluster", "directory", "late");
        assertThat(cleanup.isShuttingDown()).isFalse();
    }

    @Test
    void shouldGoOnWhenSomethingCannotBeClosed()
    {
        try (Cleanup cleanup = new Cleanup())
        {
            cleanup.add(() -> closed.add("directory"));
            cleanup.add(() ->
            {
                throw new IllegalStateException("planned");
            });
        }

        assertThat(closed).containsExactly("directory");
    }

    @Test
    @Timeout(20)
    void shouldReturnOnlyWhenAllIsClosedThoughAnotherThreadCloses() throws Exception
    {
        final CountDownLatch isClosing = new CountDownLatch(1);
        final Cleanup cleanup = new Cleanup();
        cleanup.add(() -> closed.add("directory"));
        cleanup.add(() ->
        {
            isClosing.countDown();
            Thread.sleep(100);
            closed.add("cluster");
        });
        final Thread hook = new Thread(cleanup::closeAll);
        hook.start();
        isClosing.await();
        cleanup.close();

        assertThat(closed).containsExactly("cluster", "directory");
        hook.join();
    }
}
