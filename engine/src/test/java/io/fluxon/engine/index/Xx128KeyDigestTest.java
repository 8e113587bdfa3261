package io.fluxon.engine.index;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class Xx128KeyDigestTest
{
    private final Xx128KeyDigest digest = new Xx128KeyDigest();

    @Test
    void shouldBeXxh3With128Bits()
    {
        digest.compute(new UnsafeBuffer(new byte[1]), 0, 0);

        assertThat(digest.high()).isEqualTo(0x99aa06d3014798d8L);
        assertThat(digest.low()).isEqualTo(0x6001c324468d497fL);
    }

    @Test
    void shouldNotDependOnTheKindOfBuffer()
    {
        final Random random = new Random(3);
        for (int length = 1; length <= 512; length++)
        {
            final byte[] bytes = new byte[length + 7];
            random.nextBytes(bytes);
            digest.compute(new UnsafeBuffer(bytes), 7, length);
            final long low = digest.low();
            final long high = digest.high();

            final ExpandableArrayBuffer expandable = new ExpandableArrayBuffer();
            expandable.putBytes(0, bytes);
            final ByteBuffer direct = ByteBuffer.allocateDirect(length + 7).put(bytes);
            final UnsafeBuffer[] views = {
                new UnsafeBuffer(bytes, 7, length), new UnsafeBuffer(direct, 7, length),
                new UnsafeBuffer(ByteBuffer.wrap(bytes, 3, length + 4).slice(), 4, length)};
            for (final UnsafeBuffer view : views)
            {
                digest.compute(view, 0, length);
                assertThat(digest.low()).isEqualTo(low);
                assertThat(digest.high()).isEqualTo(high);
            }
            digest.compute(expandable, 7, length);
            assertThat(digest.low()).isEqualTo(low);
            assertThat(digest.high()).isEqualTo(high);
        }
    }

    @Test
    void shouldSpreadKeysThatDifferLittle()
    {
        final Set<Long> lows = new HashSet<>();
        final Set<Long> highs = new HashSet<>();
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] bytes = ("prefix:0f3a_" + i + ".kv_0_8").getBytes(StandardCharsets.UTF_8);
            digest.compute(new UnsafeBuffer(bytes), 0, bytes.length);
            lows.add(digest.low());
            highs.add(digest.high());
        }

        assertThat(lows).hasSize(20_000);
        assertThat(highs).hasSize(20_000);
    }

    @Test
    void shouldDependOnTheSeed()
    {
        final Xx128KeyDigest other = new Xx128KeyDigest(42);
        final UnsafeBuffer key = new UnsafeBuffer("key".getBytes(StandardCharsets.UTF_8));
        digest.compute(key, 0, 3);
        other.compute(key, 0, 3);

        assertThat(other.low()).isNotEqualTo(digest.low());
    }

    @Test
    void shouldRefuseAKeyOutsideItsBuffer()
    {
        final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(16));

        assertThatThrownBy(() -> digest.compute(key, 10, 7)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
