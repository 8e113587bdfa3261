package io.fluxon.ipc.client.core;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyBatchTest
{
    private final KeyBatch batch = new KeyBatch(3, 16);

    @Test
    void shouldHoldKeysOfEveryForm()
    {
        batch.add("abc").addUtf8("xdefx".getBytes(StandardCharsets.UTF_8), 1, 3)
            .add(new UnsafeBuffer("xxghi".getBytes(StandardCharsets.UTF_8)), 2, 3);

        assertThat(batch.size()).isEqualTo(3);
        assertThat(batch.totalBytes()).isEqualTo(9);
        assertThat(batch.key(0)).isEqualTo("abc");
        assertThat(batch.key(1)).isEqualTo("def");
        assertThat(batch.key(2)).isEqualTo("ghi");
        assertThat(batch.keyOffset(2)).isEqualTo(6);
        assertThat(batch.keyLength(2)).isEqualTo(3);
        assertThat(batch.clear().size()).isZero();
        assertThat(batch.totalBytes()).isZero();
    }

    @Test
    void shouldRefuseWhatItHasNoRoomForAndStayAsItWas()
    {
        batch.add("a").add("b");
        assertThatThrownBy(() -> batch.add("c".repeat(15))).isInstanceOf(IllegalStateException.class);
        batch.add("c");
        assertThatThrownBy(() -> batch.add("d")).isInstanceOf(IllegalStateException.class);

        assertThat(batch.size()).isEqualTo(3);
        assertThat(batch.key(2)).isEqualTo("c");
        assertThatThrownBy(() -> batch.key(3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldEncodeTextAsTheStandardLibraryDoes()
    {
        final Random random = new Random(7);
        final KeyBatch large = new KeyBatch(1, 4096);
        for (int i = 0; i < 2_000; i++)
        {
            final StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(20); k >= 0; k--)
            {
                text.appendCodePoint(codePoint(random));
            }
            large.clear().add(text);
            final byte[] encoded = new byte[large.keyLength(0)];
            large.buffer().getBytes(0, encoded);
            assertThat(encoded).isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static int codePoint(final Random random)
    {
        final int codePoint = random.nextInt(1 << (7 + random.nextInt(14)));
        return codePoint > Character.MAX_CODE_POINT || (codePoint >= 0xD800 && codePoint <= 0xDFFF) ? 'x' : codePoint;
    }
}
