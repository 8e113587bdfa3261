package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.SplittableRandom;

/**
 * Messages of a size.
 */
public final class TestMessages
{
    private TestMessages()
    {
    }

    public static UnsafeBuffer putStart(
        final long correlationId, final int keyCount, final int keyLength, final SplittableRandom random)
    {
        final MutableDirectBuffer buffer = new ExpandableArrayBuffer();
        final PutStartRequestEncoder encoder = new PutStartRequestEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(7)
            .sessionId(11)
            .correlationId(correlationId)
            .valueLength(4_718_592)
            .pathDepth(-1)
            .pathTurn(-1)
            .timeoutNs(1_000);
        encoder.options().clear().makeReplicaTask(true);
        encoder.atomicGroupsCount(1).next().keyCount(keyCount);

        final byte[] key = new byte[keyLength];
        final PutStartRequestEncoder.KeysEncoder keys = encoder.keysCount(keyCount);
        for (int i = 0; i < keyCount; i++)
        {
            for (int j = 0; j < keyLength; j++)
            {
                key[j] = (byte) ('a' + random.nextInt(26));
            }
            keys.next().replicaWish((short) (i & 1)).putKey(key, 0, keyLength);
        }
        encoder.putParentKey(key, 0, 0);

        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return new UnsafeBuffer(bytes);
    }

    public static long correlationId(final DirectBuffer buffer, final int offset)
    {
        return new PutStartRequestDecoder()
            .wrap(buffer, offset + MessageHeaderEncoder.ENCODED_LENGTH,
                PutStartRequestDecoder.BLOCK_LENGTH, PutStartRequestDecoder.SCHEMA_VERSION)
            .correlationId();
    }

    public static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    public static int iterations(final int normal)
    {
        return Boolean.getBoolean("fluxon.test.all") ? normal * 10 : normal;
    }
}
