package io.fluxon.engine.protocol;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("T1")
class OperationIdsTest
{
    private final OperationIds ids = new OperationIds();

    @Test
    void shouldMoveTheWatermarkOverCompleteIdsOnly()
    {
        final long first = ids.next();
        final long second = ids.next();
        final long third = ids.next();
        ids.complete(third);
        ids.complete(first);
        assertThat(ids.watermark()).isEqualTo(first);

        ids.complete(second);
        assertThat(ids.watermark()).isEqualTo(third);
    }

    @Test
    void shouldIgnoreRepeatedAndUnknownIds()
    {
        final long first = ids.next();
        ids.complete(first);
        ids.complete(first);
        ids.complete(99);
        assertThat(ids.watermark()).isEqualTo(first);
        assertThat(ids.next()).isEqualTo(first + 1);
        assertThat(ids.watermark()).isEqualTo(first);
    }

    @Test
    @Tag("BOUND-1")
    void shouldGiveOutNoMoreThanTheBoundAboveTheWatermark()
    {
        for (int i = 0; i < Limits.MAX_OPEN_OPERATIONS; i++)
        {
            assertThat(ids.next()).isEqualTo(i + 1);
        }
        assertThat(ids.next()).isEqualTo(OperationIds.NONE);
        assertThat(ids.available()).isZero();

        ids.complete(2);
        assertThat(ids.next()).isEqualTo(OperationIds.NONE);
        ids.complete(1);
        assertThat(ids.next()).isEqualTo(Limits.MAX_OPEN_OPERATIONS + 1);
        assertThat(ids.next()).isEqualTo(Limits.MAX_OPEN_OPERATIONS + 2);
        assertThat(ids.next()).isEqualTo(OperationIds.NONE);
    }
}
