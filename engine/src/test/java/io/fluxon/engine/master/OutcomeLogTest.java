package io.fluxon.engine.master;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeLogTest
{
    private final BytePool pool = new BytePool(64 << 20);
    private final OutcomeLog log = new OutcomeLog(pool, 65_536);
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    @AfterEach
    void close()
    {
        log.close();
        assertThat(pool.usedBytes()).isZero();
        pool.close();
    }

    @Test
    @Tag("T1")
    void shouldKeepWhatAMapWouldKeep()
    {
        final Random random = new Random(11);
        final TreeMap<Long, Long> model = new TreeMap<>();
        long watermark = 0;
        for (int n = 0; n < 200_000; n++)
        {
            final long id = watermark + 1 + random.nextInt(random.nextInt(100) == 0 ? 65_536 : 500);
            if (model.containsKey(id))
            {
                assertThat(log.known(id)).isEqualTo(OutcomeLog.Known.RECORDED);
                log.wrapAnswer(id, buffer);
                assertThat(buffer.getLong(0)).isEqualTo(model.get(id));
            }
            else
            {
                assertThat(log.known(id)).isEqualTo(OutcomeLog.Known.NO);
                final long address = log.begin(id, 8 + random.nextInt(100));
                assertThat(log.known(id)).isEqualTo(OutcomeLog.Known.PENDING);
                buffer.wrap(address, 8);
                buffer.putLong(0, n);
                log.record(address);
                log.settle(address);
                model.put(id, (long)n);
            }

            if (random.nextInt(20) == 0)
            {
                watermark += random.nextInt(30);
                log.acknowledge(watermark);
                model.headMap(watermark, true).clear();
                assertThat(log.known(watermark)).isEqualTo(OutcomeLog.Known.ACKNOWLEDGED);
            }
            assertThat(log.held()).isEqualTo(model.size());
        }
    }

    @Test
    @Tag("T1")
    void shouldKeepAPendingAnswerUntilItIsSettledWhenTheOwnerAcknowledgesItTooEarly()
    {
        final long address = log.begin(1, 100);
        log.acknowledge(5);
        assertThat(pool.usedBytes()).isPositive();
        log.record(address);
        log.settle(address);
        assertThat(pool.usedBytes()).isZero();

        final long other = log.begin(6, 100);
        log.acknowledge(6);
        log.discard(6, other);
        assertThat(log.held()).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldTakeNoMoreThanThePoolHas()
    {
        final BytePool small = new BytePool(1 << 17);
        final OutcomeLog bounded = new OutcomeLog(small, 65_536);
        int count = 0;
        while (BytePool.NONE != bounded.begin(count + 1, 1000))
        {
            count++;
        }
        assertThat(count).isEqualTo(128);
        assertThat(bounded.known(count + 1)).isEqualTo(OutcomeLog.Known.NO);
        small.close();
    }
}
