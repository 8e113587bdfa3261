package io.fluxon.engine.memory;

import io.fluxon.codecs.control.Stage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("SLOT-4")
@Tag("S1")
@Tag("S5")
class ClaimQueueModelTest
{
    private static final int GRANTS = 6;
    private static final int STEPS = 8000;
    private static final long[] VALUE_LENGTHS = {4096, 10_000, 65_536};

    private final List<Job> waiting = new ArrayList<>();
    private final List<Job> granted = new ArrayList<>();
    private final List<Integer> held = new ArrayList<>();
    private final List<Job> called = new ArrayList<>();
    private SlotPool pool;
    private ClaimQueue queue;
    private Random random;
    private long nowNs;
    private long order;

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void shouldKeepOrderAndLoseNoClaimInAnyRun(final long seed)
    {
        random = new Random(seed);
        final CapacityPlan plan = Pools.plan(GRANTS).maxWaitingClaims(20);
        pool = Pools.pool(0 == seed % 2 ? plan : plan.expect(4096, 2 * Pools.QUANTUM));
        queue = new ClaimQueue(pool);

        for (int step = 0; step < STEPS; step++)
        {
            switch (random.nextInt(10))
            {
                case 0, 1, 2 -> submit();
                case 3, 4 -> takeSome();
                case 5, 6, 7 -> releaseSome(1 + random.nextInt(12));
                case 8 -> cancelOne();
                default -> nowNs += random.nextInt(60);
            }
            poll(0 == random.nextInt(5) ? 1 : 1000);
            check();
        }

        releaseAll();
    }

    private void submit()
    {
        final long valueLength = VALUE_LENGTHS[random.nextInt(VALUE_LENGTHS.length)];
        final int classIndex = pool.classFor(valueLength);
        final SlotClass slotClass = pool.slotClass(classIndex);
        final int max = (int) slotClass.maxSlots();
        final int count = 1 + random.nextInt(0 == random.nextInt(6) ? max + 2 : Math.min(max, 4));
        final ClaimKind kind = 0 == random.nextInt(3) ? ClaimKind.GET : ClaimKind.PUT;
        final Job job = new Job(classIndex, count, nowNs + (ClaimKind.GET == kind ? 10 : 1000), order++);
        final boolean isFirst = waiting.stream().noneMatch(
            (other) -> other.classIndex == classIndex && other.isWaiting());
        final boolean fits = isFirst && slotClass.available() >= count;

        final int answer = queue.submit(job.claim, kind, valueLength, count, Long.MAX_VALUE, nowNs);
        if (count > max)
        {
            assertThat(answer).isEqualTo(101);
        }
        else if (0 == answer)
        {
            assertThat(isFirst).isTrue();
            granted.add(job);
        }
        else if (ClaimQueue.WAITING == answer)
        {
            assertThat(fits).isFalse();
            waiting.add(job);
        }
        else
        {
            assertThat(answer).isEqualTo(1002);
            assertThat(waiting).hasSize(20);
        }
    }

    private void takeSome()
    {
        if (granted.isEmpty())
        {
            return;
        }

        final Job job = granted.get(random.nextInt(granted.size()));
        for (int i = 1 + random.nextInt(8); i > 0 && job.claim.remaining() > 0; i--)
        {
            final int slotId = queue.take(job.claim);
            assertThat(held).doesNotContain(slotId);
            assertThat(pool.classIndex(slotId)).isEqualTo(job.classIndex);
            held.add(slotId);
            job.taken++;
        }
        if (0 == job.claim.remaining())
        {
            assertThat(job.taken).isEqualTo(job.count);
            granted.remove(job);
        }
    }

    private void releaseSome(final int count)
    {
        for (int i = 0; i < count && !held.isEmpty(); i++)
        {
            assertThat(pool.holderRelease(held.remove(random.nextInt(held.size())))).isTrue();
        }
    }

    private void cancelOne()
    {
        final List<Job> jobs = random.nextBoolean() ? waiting : granted;
        if (!jobs.isEmpty())
        {
            queue.cancel(jobs.remove(random.nextInt(jobs.size())).claim);
        }
    }

    private void poll(final int limit)
    {
        called.clear();
        final int work = queue.poll(nowNs, limit);
        assertThat(work).isEqualTo(called.size()).isLessThanOrEqualTo(limit);
        if (limit > 1)
        {
            for (final Job job : waiting)
            {
                assertThat(job.deadlineNs).isGreaterThan(nowNs);
                final boolean isHead = waiting.stream()
                    .noneMatch((other) -> other.classIndex == job.classIndex && other.order < job.order);
                final long available = pool.slotClass(job.classIndex).available();
                assertThat(isHead && available >= job.count).as("a head that could be served waits").isFalse();
            }
        }
    }

    private void check()
    {
        assertThat(queue.waiting()).isEqualTo(waiting.size());
        assertThat(pool.count(SlotState.PREPARED)).isEqualTo(held.size());
        assertThat(pool.usedBytes()).isLessThanOrEqualTo(GRANTS * Pools.QUANTUM);
        for (int i = 0; i < pool.classCount(); i++)
        {
            final int index = i;
            final SlotClass slotClass = pool.slotClass(i);
            final List<Job> queued = waiting.stream()
                .filter((job) -> job.classIndex == index && job.isWaiting()).toList();
            assertThat(slotClass.waitingClaims()).isEqualTo(queued.size());
            assertThat(slotClass.waitingSlots()).isEqualTo(queued.stream().mapToInt((job) -> job.count).sum());
            assertThat(slotClass.setAside()).isEqualTo(granted.stream()
                .filter((job) -> job.classIndex == index).mapToInt((job) -> job.count - job.taken).sum());
            assertThat(slotClass.available()).isNotNegative();
            assertThat(slotClass.grants()).isBetween(slotClass.minGrants(), Math.max(0, slotClass.maxGrants()));
        }
    }

    private void releaseAll()
    {
        while (!waiting.isEmpty() || !granted.isEmpty() || !held.isEmpty())
        {
            releaseSome(1000);
            poll(1000);
            check();
            takeSome();
        }
        Pools.audit(pool);
        assertThat(pool.usedBytes()).isZero();
    }

    private final class Job implements ClaimListener
    {
        private final Claim claim = new Claim(this);
        private final int classIndex;
        private final int count;
        private final long deadlineNs;
        private final long order;
        private int taken;

        Job(final int classIndex, final int count, final long deadlineNs, final long order)
        {
            this.classIndex = classIndex;
            this.count = count;
            this.deadlineNs = deadlineNs;
            this.order = order;
        }

        private boolean isWaiting()
        {
            return Claim.State.WAITING == claim.state();
        }

        @Override
        public void onClaimGranted(final Claim granting, final long timeNs)
        {
            assertThat(waiting).noneMatch(
                (other) -> other.classIndex == classIndex && other.order < order && other.isWaiting());
            assertThat(granting.remaining()).isEqualTo(count);
            assertThat(waiting.remove(this)).isTrue();
            granted.add(this);
            called.add(this);
        }

        @Override
        public void onClaimFailed(final Claim failing, final int errorCode, final Stage stage, final long timeNs)
        {
            assertThat(timeNs).isGreaterThanOrEqualTo(deadlineNs);
            assertThat(errorCode).isEqualTo(1001);
            assertThat(waiting.remove(this)).isTrue();
            called.add(this);
        }
    }
}
