package io.fluxon.engine.host;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SegmentToucherTest
{
    private static final int ROUNDS = 200;
    private static final long OFFSET = 4096;

    @Test
    @Tag("SLOT-3")
    void shouldTakeEachByteOnceWhateverTheThreadsDo()
    {
        final long length = 64 * SegmentToucher.PIECE_BYTES + 4096;
        for (int i = 0; i < ROUNDS; i++)
        {
            final AtomicLong bytes = new AtomicLong();
            final AtomicLong offsets = new AtomicLong();
            SegmentToucher.inPieces((offset, pieceLength) ->
            {
                bytes.addAndGet(pieceLength);
                offsets.addAndGet(offset - OFFSET);
            }, OFFSET, length);

            assertThat(bytes).hasValue(length);
            assertThat(offsets).hasValue(SegmentToucher.PIECE_BYTES * 64 * 65 / 2);
        }
    }

    @Test
    void shouldTellAFailureOfOneThreadAndStopTheOthers()
    {
        for (int i = 0; i < ROUNDS; i++)
        {
            final AtomicInteger pieces = new AtomicInteger();
            assertThatThrownBy(() -> SegmentToucher.inPieces((offset, length) ->
            {
                if (5 == pieces.incrementAndGet())
                {
                    throw new IllegalStateException("full");
                }
            }, OFFSET, 1_000_000 * SegmentToucher.PIECE_BYTES)).hasMessage("full");
            assertThat(pieces.get()).isLessThan(1_000_000);
        }
    }
}
