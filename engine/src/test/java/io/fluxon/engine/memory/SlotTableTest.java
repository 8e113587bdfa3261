package io.fluxon.engine.memory;

import io.fluxon.engine.index.ChainStore;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.fluxon.engine.memory.SlotRecordDescriptor.MAX_KEY_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlotTableTest
{
    private final SlotTable table = Pools.table(Pools.plan(2).conclude());

    @Test
    void shouldNumberSlotsDensely()
    {
        assertThat(table.capacity()).isEqualTo(32);
        assertThat(table.maxSlotsPerGrant()).isEqualTo(16);
        for (int slotId = 0; slotId < 32; slotId++)
        {
            assertThat(table.slotId(table.grantId(slotId), table.slotIndex(slotId))).isEqualTo(slotId);
        }
        assertThat(table.grantId(15)).isZero();
        assertThat(table.grantId(16)).isEqualTo(1);
    }

    @Test
    void shouldKeepEveryFieldApart()
    {
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            write(slotId, 1000L * slotId);
        }

        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            final List<Long> expected = new ArrayList<>();
            for (long i = 0; i < 17; i++)
            {
                expected.add(1000L * slotId + i);
            }
            assertThat(read(slotId)).isEqualTo(expected);
        }
    }

    @Test
    @Tag("S2")
    void shouldClearARecordAndRaiseItsUseCounterWhenAUseStarts()
    {
        write(3, 70);
        table.startUse(3, 8192);
        table.startUse(3, 4096);

        assertThat(table.useCounter(3)).isEqualTo(2);
        assertThat(table.slotSize(3)).isEqualTo(4096);
        assertThat(table.state(3)).isSameAs(SlotState.FREE);
        assertThat(table.keyLength(3)).isZero();
        assertThat(table.sessionId(3)).isZero();
        assertThat(table.nextPut(3)).isEqualTo(SlotTable.NONE);
        assertThat(table.localChain().next(3)).isEqualTo(-1);
        assertThat(table.committedChain().next(3)).isEqualTo(-1);
    }

    @Test
    void shouldCompareThePutIdAsAWhole()
    {
        table.putId(5, 1, 2, 3);

        assertThat(table.putIdEquals(5, 1, 2, 3)).isTrue();
        assertThat(table.putIdEquals(5, 9, 2, 3)).isFalse();
        assertThat(table.putIdEquals(5, 1, 9, 3)).isFalse();
        assertThat(table.putIdEquals(5, 1, 2, 9)).isFalse();
    }

    @Test
    @Tag("ID-1")
    void shouldDecideByEveryByteOfTheKey()
    {
        final Random random = new Random(7);
        for (int length = 1; length <= MAX_KEY_LENGTH; length += 1 + random.nextInt(9))
        {
            final byte[] bytes = new byte[length + 3];
            random.nextBytes(bytes);
            final UnsafeBuffer key = new UnsafeBuffer(bytes);
            table.key(1, 11, 22, key, 3, length);

            assertThat(table.keyLength(1)).isEqualTo(length);
            assertThat(table.keyEquals(1, key, 3, length)).isTrue();
            assertThat(table.keyEquals(1, key, 3, length - 1)).isFalse();
            final int changed = 3 + random.nextInt(length);
            bytes[changed] ^= 1;
            assertThat(table.keyEquals(1, key, 3, length)).isFalse();
        }
    }

    @Test
    void shouldTakeKeysFromAnyKindOfBuffer()
    {
        final byte[] bytes = "prefix:tag_0123456789.kv_0_8".getBytes(StandardCharsets.UTF_8);
        final ByteBuffer direct = ByteBuffer.allocateDirect(64).put(1, bytes);
        final ExpandableArrayBuffer expandable = new ExpandableArrayBuffer();
        expandable.putBytes(1, bytes);
        final DirectBuffer[] buffers = {new UnsafeBuffer(direct), expandable, new UnsafeBuffer(direct, 1, 60)};
        final int[] offsets = {1, 1, 0};
        for (int i = 0; i < buffers.length; i++)
        {
            table.key(i, 1, 2, buffers[i], offsets[i], bytes.length);
            for (int j = 0; j < buffers.length; j++)
            {
                assertThat(table.keyEquals(i, buffers[j], offsets[j], bytes.length)).isTrue();
            }
        }

        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        table.wrapKey(2, view);
        assertThat(view.getStringWithoutLengthUtf8(0, view.capacity())).isEqualTo("prefix:tag_0123456789.kv_0_8");
        final ExpandableArrayBuffer copy = new ExpandableArrayBuffer();
        assertThat(table.copyKey(2, copy, 5)).isEqualTo(bytes.length);
        assertThat(table.keyEquals(2, copy, 5, bytes.length)).isTrue();
    }

    @Test
    void shouldKeepTwoChainsApart()
    {
        final ChainStore local = table.localChain();
        final ChainStore committed = table.committedChain();
        local.next(1, 2);
        committed.next(1, 3);
        table.nextPut(1, 4);

        assertThat(local.next(1)).isEqualTo(2);
        assertThat(committed.next(1)).isEqualTo(3);
        assertThat(table.nextPut(1)).isEqualTo(4);
    }

    @Test
    void shouldStopWhenASlotOrKeyIsOutOfRange()
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[1024]);

        assertThatThrownBy(() -> table.key(0, 1, 2, key, 0, 0)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> table.key(0, 1, 2, key, 0, 513)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> table.key(32, 1, 2, key, 0, 10)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> table.state(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseMemoryThatDoesNotFit()
    {
        final long length = SlotTable.requiredLength(2, Pools.QUANTUM);
        final MemorySegment tooShort = Arena.ofAuto().allocate(length - 1, 64);
        final MemorySegment skewed = Arena.ofAuto().allocate(length + 64, 64).asSlice(4);
        final MemorySegment heap = MemorySegment.ofArray(new long[(int) length / 8]);

        for (final MemorySegment memory : List.of(tooShort, skewed, heap))
        {
            assertThatThrownBy(() -> new SlotTable(memory, 2, Pools.QUANTUM))
                .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("slot table memory: ");
        }
    }

    private void write(final int slotId, final long base)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[(int) base % 500 + 1]);
        table.key(slotId, base + 1, base + 2, key, 0, key.capacity());
        table.batchIndex(slotId, (int) base);
        table.putId(slotId, (int) base + 3, base + 4, base + 5);
        table.checksum(slotId, base + 6);
        table.sessionId(slotId, base + 7);
        table.jobId(slotId, base + 8);
        table.group(slotId, base + 9, (int) base + 10);
        table.cohort(slotId, base + 11, (int) base + 12, (int) base + 13);
        table.nextPut(slotId, (int) base + 14);
        table.valueLength(slotId, base + 15);
        table.localChain().next(slotId, base + 16);
    }

    private List<Long> read(final int slotId)
    {
        return List.of(
            (long) table.batchIndex(slotId), table.digestLow(slotId), table.digestHigh(slotId),
            (long) table.putOwnerId(slotId), table.putGeneration(slotId), table.putSequence(slotId),
            table.checksum(slotId), table.sessionId(slotId), table.jobId(slotId), table.groupId(slotId),
            (long) table.groupLength(slotId), table.cohortId(slotId), (long) table.cohortRank(slotId),
            (long) table.cohortSize(slotId), (long) table.nextPut(slotId), table.valueLength(slotId),
            table.localChain().next(slotId));
    }
}
