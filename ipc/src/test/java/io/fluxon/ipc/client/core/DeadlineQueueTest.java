package io.fluxon.ipc.client.core;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class DeadlineQueueTest
{
    private final DeadlineQueue queue = new DeadlineQueue(1);

    @Test
    void shouldGiveWhatIsDueInOrder()
    {
        final PendingRequest late = new PendingRequest(false);
        final PendingRequest early = new PendingRequest(false);
        queue.schedule(late, 20);
        queue.schedule(early, 10);

        assertThat(queue.pollDue(9)).isNull();
        assertThat(queue.pollDue(10)).isSameAs(early);
        assertThat(queue.pollDue(19)).isNull();
        assertThat(queue.pollDue(30)).isSameAs(late);
        assertThat(queue.pollDue(30)).isNull();
    }

    @Test
    void shouldCompareTimesAcrossTheWrapOfTheClock()
    {
        final PendingRequest before = new PendingRequest(false);
        final PendingRequest after = new PendingRequest(false);
        queue.schedule(after, Long.MIN_VALUE + 5);
        queue.schedule(before, Long.MAX_VALUE - 5);

        assertThat(queue.pollDue(Long.MAX_VALUE)).isSameAs(before);
        assertThat(queue.pollDue(Long.MAX_VALUE)).isNull();
    }

    @Test
    void shouldAgreeWithASortedListWhenElementsMoveAndGo()
    {
        final Random random = new Random(11);
        final List<PendingRequest> model = new ArrayList<>();
        for (int i = 0; i < 20_000; i++)
        {
            final int choice = random.nextInt(4);
            if (choice < 2 || model.isEmpty())
            {
                final PendingRequest element = new PendingRequest(false);
                queue.schedule(element, random.nextInt(1000));
                model.add(element);
            }
            else if (2 == choice)
            {
                queue.schedule(model.get(random.nextInt(model.size())), random.nextInt(1000));
            }
            else
            {
                queue.cancel(model.remove(random.nextInt(model.size())));
            }
        }
        model.sort(Comparator.comparingLong((element) -> element.dueNs));
        assertThat(queue.size()).isEqualTo(model.size());
        for (final PendingRequest expected : model)
        {
            assertThat(queue.pollDue(1000).dueNs).isEqualTo(expected.dueNs);
        }
        assertThat(queue.size()).isZero();
    }
}
