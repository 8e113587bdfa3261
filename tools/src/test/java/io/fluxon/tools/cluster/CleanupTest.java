package io.fluxon.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
