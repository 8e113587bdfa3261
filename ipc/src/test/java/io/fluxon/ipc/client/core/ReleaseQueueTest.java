package io.fluxon.ipc.client.core;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class ReleaseQueueTest
{
    private final ReleaseQueue queue = new ReleaseQueue();

    @Test
    @Tag("GET-2")
    void shouldKeepOrderWhenItWrapsAndGrows()
    {
        final Random random = new Random(3);
        final ArrayDeque<Long> model = new ArrayDeque<>();
        for (long id = 1; id < 50_000; id++)
        {
            queue.add(id, 0);
            model.add(id);
            if (0 == random.nextInt(300))
            {
                final int count = random.nextInt(queue.size() + 1);
                for (int i = 0; i < count; i++)
                {
                    assertThat(queue.get(i)).isEqualTo(model.poll());
                }
                queue.remove(count, 0);
            }
        }
        assertThat(queue.size()).isEqualTo(model.size());
        for (int i = 0; i < queue.size(); i++)
        {
            assertThat(queue.get(i)).isEqualTo(model.poll());
        }
    }

    @Test
    void shouldBeDueByTimeOrByNumber()
    {
        assertThat(queue.isDue(Long.MAX_VALUE, 2, 1)).isFalse();
        queue.add(7, 100);
        assertThat(queue.isDue(199, 2, 100)).isFalse();
        assertThat(queue.isDue(200, 2, 100)).isTrue();
        queue.add(8, 150);
        assertThat(queue.isDue(150, 2, 100)).isTrue();
    }

    @Test
    void shouldIgnoreWhatIsNoHolding()
    {
        queue.add(0, 100);
        assertThat(queue.size()).isZero();
    }
}
