package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.HugeMemory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ID-1")
class LookAheadTest implements KeyDigest
{
    private static final int KEYS = LookAhead.MAX_KEYS + 10;

    private final Xx128KeyDigest digest = new Xx128KeyDigest();
    private final LookAhead lookAhead = new LookAhead(this);
    private final Tenures tenures = new Tenures(16);
    private final RouteTable routes = new RouteTable(KEYS, KEYS, lookAhead, tenures, HugeMemory.INSTANCE);
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1024));
    private final Operation operation = new Operation();
    private final BackingDecoder backing = new BackingDecoder()
        .wrap(new UnsafeBuffer(new byte[BackingDecoder.ENCODED_LENGTH]), 0);
    private final int[] offsets = new int[KEYS];
    private int computed;

    @BeforeEach
    void take()
    {
        take("key");
    }

    @AfterEach
    void close()
    {
        routes.close();
    }

    @Test
    void shouldComputeTheDigestOfEachKeyOnce()
    {
        lookAhead.look(operation, LookAhead.MAX_KEYS, routes);
        for (int i = 0; i < LookAhead.MAX_KEYS; i++)
        {
            shouldKnow(i);
            shouldKnow(i);
        }
        assertThat(computed).isEqualTo(LookAhead.MAX_KEYS);
    }

    @Test
    void shouldKnowAKeyInWhateverOrderItIsAskedFor()
    {
        lookAhead.look(operation, KEYS, routes);

        for (int i = 0; i < KEYS; i++)
        {
            shouldKnow(i * 7 % KEYS);
        }
    }

    @Test
    void shouldLookNoFurtherThanItIsTold()
    {
        lookAhead.look(operation, 3, routes);

        assertThat(computed).isEqualTo(3);
        shouldKnow(3);
        assertThat(computed).isEqualTo(4);
    }

    @Test
    void shouldLookOnWhenTheCursorHasPassedWhatItKnows()
    {
        lookAhead.look(operation, KEYS, routes);
        operation.advanceKey();
        lookAhead.look(operation, KEYS, routes);
        assertThat(computed).isEqualTo(LookAhead.MAX_KEYS);

        while (operation.index < LookAhead.MAX_KEYS)
        {
            operation.advanceKey();
        }
        lookAhead.look(operation, KEYS, routes);
        assertThat(computed).isEqualTo(KEYS);
        shouldKnow(KEYS - 1);
    }

    @Test
    @Tag("G10")
    void shouldReadWhatTheTableHasOfEachKeyAndOfNoOther()
    {
        final int[] owners = {tenures.begin(1, 1), tenures.begin(2, 1), tenures.begin(3, 1)};
        for (int i = 0; i < KEYS; i++)
        {
            if (0 != i % 3)
            {
                final int route = routes.create(memory, offsets[i], keyLength(i), 1, 1, i, 4096);
                routes.addReplica(route, owners[2], backing, i);
                routes.addReplica(route, owners[i % 2], backing, i);
            }
        }
        lookAhead.look(operation, 100, routes);

        int seen = 0;
        for (int i = 0; i < 100; i++)
        {
            digest.compute(memory, offsets[i], keyLength(i));
            seen += routes.touchIndex(digest.low(), digest.high());
            final int route = routes.candidate(digest.low(), digest.high());
            if (0 != i % 3)
            {
                seen += routes.touch(route) + owners[2] + owners[i % 2];
            }
        }
        assertThat(lookAhead.seen()).isEqualTo(seen).isNotZero();
    }

    @Test
    @Tag("G10")
    void shouldReadWhatTheGetsThatAreDoneLeadToAndNoOther()
    {
        final int items = 6;
        final OwnerSession owner = new OwnerSession(2, 1, new OutcomeLog(new BytePool(1 << 20), 16));
        final int requester = tenures.begin(2, 1);
        owner.begin(1, 1, 1, requester, 0);
        final int source = tenures.begin(1, 1);
        final int[] sources = new int[items];
        final int[] others = new int[items];
        final InflightGets gets = new InflightGets(KEYS, routes, tenures, HugeMemory.INSTANCE);
        for (int i = 0; i < items; i++)
        {
            final int route = routes.create(memory, offsets[i], keyLength(i), 1, 1, 1000 + i, 4096);
            sources[i] = routes.addReplica(route, source, backing, i);
            others[i] = tenures.begin(3 + i, 1);
            routes.addReplica(route, others[i], backing, i);
            gets.open(requester, 7, i, sources[i], 0);
        }
        takeDone(owner, items);
        gets.end(gets.find(requester, 7, 2));
        routes.removeReplica(sources[4]);

        lookAhead.lookAtGets(operation, items - 1, gets, routes);

        int seen = 0;
        for (int i = 0; i < items - 1; i++)
        {
            if (2 != i && 4 != i)
            {
                seen += 1000 + i + source + others[i];
            }
        }
        assertThat(lookAhead.seen()).isEqualTo(seen).isNotZero();
        assertThat(operation.index).isZero();
        gets.close();
    }

    @Test
    void shouldForgetAMessageBeforeAnotherOneLiesWhereItWas()
    {
        lookAhead.look(operation, KEYS, routes);
        lookAhead.forget();
        take("other");

        shouldKnow(0);
        lookAhead.look(operation, KEYS, routes);
        shouldKnow(0);
    }

    @Test
    void shouldComputeTheDigestOfAKeyThatLiesElsewhere()
    {
        lookAhead.look(operation, KEYS, routes);
        final byte[] copy = new byte[operation.message.capacity()];
        final UnsafeBuffer elsewhere = new UnsafeBuffer(copy);
        elsewhere.putStringWithoutLengthAscii(offsets[0], "elsewhere");

        lookAhead.compute(elsewhere, offsets[0], 9);
        final long low = lookAhead.low();
        final long high = lookAhead.high();
        digest.compute(elsewhere, offsets[0], 9);
        assertThat(low).isEqualTo(digest.low());
        assertThat(high).isEqualTo(digest.high());
    }

    @Override
    public void compute(final DirectBuffer key, final int offset, final int length)
    {
        computed++;
        digest.compute(key, offset, length);
    }

    @Override
    public long low()
    {
        return digest.low();
    }

    @Override
    public long high()
    {
        return digest.high();
    }

    private void take(final String prefix)
    {
        final BatchGetStartRequestEncoder request = new BatchGetStartRequestEncoder()
            .wrapAndApplyHeader(memory, 0, new MessageHeaderEncoder());
        final BatchGetStartRequestEncoder.KeysEncoder keys = request.keysCount(KEYS);
        for (int i = 0; i < KEYS; i++)
        {
            final byte[] key = (prefix + "x".repeat(i % 20) + i).getBytes(StandardCharsets.US_ASCII);
            keys.next().putKey(key, 0, key.length);
            offsets[i] = request.limit() - key.length;
        }

        operation.begin(null, BatchGetStartRequestDecoder.TEMPLATE_ID, 1);
        operation.message.wrap(memory, 0, request.limit());
        operation.entriesOffset = Entries.firstGroup(memory) + Entries.GROUP_HEADER_LENGTH;
        operation.blockLength = BatchGetStartRequestEncoder.KeysEncoder.sbeBlockLength();
        operation.count = KEYS;
        operation.rewind();
    }

    private void takeDone(final OwnerSession owner, final int items)
    {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
        final BatchGetDoneRequestEncoder request = new BatchGetDoneRequestEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder());
        final BatchGetDoneRequestEncoder.ItemsEncoder encoder = request.itemsCount(items);
        for (int i = 0; i < items; i++)
        {
            encoder.next().startOperationId(7).index(i);
        }

        operation.begin(owner, BatchGetDoneRequestDecoder.TEMPLATE_ID, 8);
        operation.message.wrap(message, 0, request.limit());
        operation.entriesOffset = Entries.firstGroup(message) + Entries.GROUP_HEADER_LENGTH;
        operation.blockLength = BatchGetDoneRequestEncoder.ItemsEncoder.sbeBlockLength();
        operation.count = items;
        operation.rewind();
    }

    private int keyLength(final int index)
    {
        return Entries.keyLength(memory, offsets[index] - Entries.KEY_HEADER_LENGTH);
    }

    private void shouldKnow(final int index)
    {
        final int offset = offsets[index];
        final int length = keyLength(index);
        lookAhead.compute(operation.message, offset, length);
        final long low = lookAhead.low();
        final long high = lookAhead.high();

        digest.compute(memory, offset, length);
        assertThat(low).isEqualTo(digest.low());
        assertThat(high).isEqualTo(digest.high());
    }
}
