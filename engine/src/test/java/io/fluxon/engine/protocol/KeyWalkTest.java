package io.fluxon.engine.protocol;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestEncoder;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("G10")
class KeyWalkTest
{
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final KeyWalk walk = new KeyWalk();

    @Test
    void shouldFindEveryKeyInSlices()
    {
        final ReserveRequestEncoder encoder =
            new ReserveRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        final ReserveRequestEncoder.KeysEncoder keys = encoder.keysCount(100);
        for (int i = 0; i < 100; i++)
        {
            final byte[] key = ("k".repeat(i % 7) + i).getBytes(StandardCharsets.US_ASCII);
            keys.next().putSequence(1000 + i).putKey(key, 0, key.length);
        }

        walk.wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH + ReserveRequestDecoder.BLOCK_LENGTH);
        assertThat(walk.count()).isEqualTo(100);
        assertThat(walk.walk(30)).isEqualTo(30);
        assertThat(walk.isDone()).isFalse();
        assertThat(walk.walk(1000)).isEqualTo(100);
        assertThat(walk.isDone()).isTrue();
        assertThat(walk.limit()).isEqualTo(encoder.limit());

        for (int i = 99; i >= 0; i--)
        {
            assertThat(buffer.getStringWithoutLengthAscii(walk.keyOffset(i), walk.keyLength(i)))
                .isEqualTo("k".repeat(i % 7) + i);
            assertThat(buffer.getLong(walk.blockOffset(i))).isEqualTo(1000 + i);
            assertThat(walk.isKeyValid(i)).isTrue();
        }
    }

    @Test
    @Tag("API-1")
    void shouldJudgeKeys()
    {
        final ReserveRequestEncoder encoder =
            new ReserveRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        final ReserveRequestEncoder.KeysEncoder keys = encoder.keysCount(4);
        keys.next().putKey(new byte[0], 0, 0);
        keys.next().putKey(new byte[513], 0, 513);
        keys.next().putKey(new byte[]{(byte)0xC0, (byte)0x80}, 0, 2);
        keys.next().putKey(new byte[]{'a'}, 0, 1);

        walk.wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH + ReserveRequestDecoder.BLOCK_LENGTH).walk(4);
        assertThat(walk.isKeyValid(0)).isFalse();
        assertThat(walk.isKeyValid(1)).isFalse();
        assertThat(walk.isKeyValid(2)).isFalse();
        assertThat(walk.isKeyValid(3)).isTrue();
    }
}
